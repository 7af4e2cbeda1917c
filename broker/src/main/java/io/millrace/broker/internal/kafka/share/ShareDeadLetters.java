package io.millrace.broker.internal.kafka.share;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.ShareGroupKeys;
import io.millrace.broker.internal.deadletter.DeadLetterAddress;
import io.millrace.broker.internal.deadletter.DeadLetterWriter;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.DeadLetters;
import io.millrace.broker.internal.partition.GivenUp;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The dead letter topics of share groups (KIP-1191), by the settings as they are when a letter is written. Partition n of a topic has its
 * letters in partition n of the dead letter topic, or if that has fewer, in n modulo their number. From any thread.
 */
public final class ShareDeadLetters {

    private static final String ENABLE = TopicConfig.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE_CONFIG;

    /** Letters have the time at which they were written, also if they wait for a disk. */
    private static final String CREATE_TIME = "CreateTime";

    private final Supplier<BrokerConfig> config;
    private final BooleanSupplier offered;
    private final ShareSettings settings;
    private final KafkaTopics topics;
    private final DeadLetterWriter writer;

    /**
     * Creates it.
     *
     * @param config the broker's settings as they are now
     * @param offered whether the cluster has dead letters at all
     */
    public ShareDeadLetters(
            Supplier<BrokerConfig> config,
            BooleanSupplier offered,
            ShareSettings settings,
            KafkaTopics topics,
            DeadLetterWriter writer) {
        this.config = config;
        this.offered = offered;
        this.settings = settings;
        this.topics = topics;
        this.writer = writer;
    }

    /** Returns what becomes of records that a group gives up. */
    DeadLetters of(String group) {
        return new OfGroup(group);
    }

    private final class OfGroup implements DeadLetters, DeadLetterAddress {
        private final String group;

        OfGroup(String group) {
            this.group = group;
        }

        @Override
        public boolean areWanted() {
            return offered.getAsBoolean() && settings.deadLetterTopic(group).isPresent();
        }

        @Override
        public CompletionStage<Integer> write(Partition from, List<GivenUp> records) {
            return writer.write(this, from, records);
        }

        @Override
        public String group() {
            return group;
        }

        @Override
        public boolean copies() {
            return settings.copiesDeadLetters(group);
        }

        @Override
        public String nameOf(Partition from) {
            return topics.image()
                    .log(from.logId())
                    .map(LogInfo::name)
                    .orElse(from.logId().toString());
        }

        @Override
        public CompletionStage<Found> find(Partition from) {
            Optional<String> name = settings.deadLetterTopic(group);
            if (name.isEmpty()) {
                return CompletableFuture.completedFuture(new Found.Unwanted());
            }
            return find(name.get(), from.id().partition());
        }

        private CompletionStage<Found> find(String name, int partition) {
            String prefix = config.get().get(ShareGroupKeys.DEAD_LETTER_PREFIX);
            if (name.startsWith("__") || !name.startsWith(prefix)) {
                return never("the name of dead letter topic " + name + " does not begin with " + prefix
                        + " (errors.deadletterqueue.topic.name.prefix), or begins with __");
            }
            Optional<LogInfo> log = topics.named(name);
            if (log.isPresent()) {
                return CompletableFuture.completedFuture(partitionOf(log.get(), partition));
            }
            if (!config.get().get(ShareGroupKeys.DEAD_LETTER_AUTO_CREATE)) {
                return never("dead letter topic " + name
                        + " does not exist, and errors.deadletterqueue.auto.create.topics.enable is false");
            }
            return topics.create(
                            name,
                            Optional.empty(),
                            Map.of(ENABLE, "true", TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, CREATE_TIME))
                    .thenApply(result -> switch (result) {
                        case CreateLogResult.Created(LogInfo created) -> partitionOf(created, partition);
                        case CreateLogResult.AlreadyExists(LogInfo known) -> partitionOf(known, partition);
                        default -> new Found.Never("dead letter topic " + name + " cannot be created: " + result);
                    });
        }

        private Found partitionOf(LogInfo log, int partition) {
            if (!"true"
                    .equals(config.get()
                            .effectiveTexts(log.origin(), log.config())
                            .get(ENABLE))) {
                return new Found.Never("topic " + log.name() + " takes no dead letters: its " + ENABLE + " is false");
            }
            return switch (topics.partition(log, partition % log.partitions().size())) {
                case KafkaTopics.Found.Here here -> new Found.Here(here.partition());
                case KafkaTopics.Found.Missing missing -> new Found.NotNow(missing.why());
            };
        }

        private static CompletionStage<Found> never(String why) {
            return CompletableFuture.completedFuture(new DeadLetterAddress.Found.Never(why));
        }
    }
}
