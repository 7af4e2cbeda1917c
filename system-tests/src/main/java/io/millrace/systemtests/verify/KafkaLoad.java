package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Anomaly;
import io.millrace.testkit.history.History;
import io.millrace.testkit.history.HistoryChecker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator.SplittableGenerator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Kafka clients at work, beside or in the place of JMS clients: idempotent producers, a classic group and one of KIP-848 that commit by hand,
 * a share group that accepts one by one. What they see goes into the history of the {@link Load}; in the end the topic is read as a whole,
 * where every confirmed record has to be once and in order.
 */
final class KafkaLoad {
    static final String EVENTS = "verify.events";
    static final String SHARES = "verify.shares";
    static final String CLASSIC_GROUP = "verify.classic";
    static final String CONSUMER_GROUP = "verify.consumers";
    static final String SHARE_GROUP = "verify.sharing";
    private static final String AUDIT = "verify.audit";
    private static final int PARTITIONS = 3;
    private static final int MEMBERS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String address;
    private final History history;
    private final Queue<Anomaly> anomalies = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> progress = new ConcurrentHashMap<>();

    KafkaLoad(int port, History history) {
        this.address = "127.0.0.1:" + port;
        this.history = history;
    }

    /** Creates the topics; the broker must be there. */
    void create() throws InterruptedException {
        try (Admin admin = Admin.create(common("admin"))) {
            admin.createTopics(List.of(
                            new NewTopic(EVENTS, PARTITIONS, (short) 1), new NewTopic(SHARES, PARTITIONS, (short) 1)))
                    .all()
                    .get();
            // Else a group begins with what comes after its first fetch.
            ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, SHARE_GROUP);
            AlterConfigOp earliest =
                    new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(group, List.of(earliest)))
                    .all()
                    .get();
        } catch (ExecutionException failed) {
            throw new ScenarioFailedException("cannot create the topics of Kafka's clients", failed);
        }
    }

    /** One for each partition, so that each keeps its order. */
    List<Runnable> senders(Stop stop) {
        List<Runnable> senders = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            senders.add(new KafkaSending(this, EVENTS, partition, history, stop));
            senders.add(new KafkaSending(this, SHARES, partition, history, stop));
        }
        return senders;
    }

    List<Runnable> receivers(Stop stop, SplittableGenerator random) {
        KafkaGroup classic = new KafkaGroup(this, CLASSIC_GROUP, "classic", history);
        KafkaGroup consumers = new KafkaGroup(this, CONSUMER_GROUP, "consumer", history);
        List<Runnable> receivers = new ArrayList<>();
        for (int member = 0; member < MEMBERS; member++) {
            receivers.add(classic.member(stop));
            receivers.add(consumers.member(stop));
            receivers.add(new KafkaSharing(this, history, random.split(), stop));
        }
        return receivers;
    }

    /** What all clients have in common. They come back soon after the broker does. */
    Map<String, Object> common(String clientId) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", address);
        settings.put("client.id", clientId);
        settings.put("reconnect.backoff.ms", 50);
        settings.put("reconnect.backoff.max.ms", 500);
        settings.put("request.timeout.ms", 10_000);
        return settings;
    }

    /** Something was sent, read, or taken. */
    void progressed(String who) {
        progress.computeIfAbsent(who, name -> new LongAdder()).increment();
    }

    /** How far each kind of client has come. */
    Map<String, Long> progress() {
        Map<String, Long> now = new HashMap<>();
        for (String who : List.of(EVENTS, SHARES, CLASSIC_GROUP, CONSUMER_GROUP, SHARE_GROUP)) {
            LongAdder count = progress.get(who);
            now.put(who, count == null ? 0 : count.sum());
        }
        return now;
    }

    /** Those that have done nothing since. */
    List<String> idleSince(Map<String, Long> before) {
        return progress().entrySet().stream()
                .filter(entry -> entry.getValue() <= before.getOrDefault(entry.getKey(), 0L))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    void broken(Anomaly.Kind kind, String description) {
        anomalies.add(new Anomaly(kind, description));
    }

    Collection<Anomaly> anomalies() {
        return anomalies;
    }

    /** What has to have been received. */
    Backlog backlog(Backlog backlog) {
        return backlog.subscription(CLASSIC_GROUP, EVENTS)
                .subscription(CONSUMER_GROUP, EVENTS)
                .subscription(SHARE_GROUP, SHARES);
    }

    HistoryChecker checker(HistoryChecker checker) {
        return checker.shared(CLASSIC_GROUP, EVENTS)
                .shared(CONSUMER_GROUP, EVENTS)
                .shared(SHARE_GROUP, SHARES)
                .exclusive(AUDIT, EVENTS);
    }

    /** Reads what is there in the end: whatever is there twice is noted as received twice, and not marked. */
    void audit() {
        Map<String, Object> settings = common("audit");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, KafkaSending.TEXT, KafkaSending.TEXT)) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                partitions.add(new TopicPartition(EVENTS, partition));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
                    history.received(AUDIT, KafkaSending.id(record.value()), false, 1);
                }
            }
        }
    }
}
