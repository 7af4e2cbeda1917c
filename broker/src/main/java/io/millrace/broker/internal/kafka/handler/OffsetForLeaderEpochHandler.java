package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.log.EpochEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;

/** Says where a leader epoch ended, so that a consumer finds out whether what it read is still there (KIP-320). */
public final class OffsetForLeaderEpochHandler implements KafkaHandler<OffsetsForLeaderEpochRequest> {

    private record Part(String topic, EpochEndOffset end) {}

    private final KafkaTopics topics;

    public OffsetForLeaderEpochHandler(KafkaTopics topics) {
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_FOR_LEADER_EPOCH;
    }

    @Override
    public void handle(OffsetsForLeaderEpochRequest request, KafkaExchange exchange) {
        List<CompletionStage<Part>> parts = new ArrayList<>();
        for (OffsetForLeaderTopic topic : request.data().topics()) {
            for (OffsetForLeaderPartition partition : topic.partitions()) {
                parts.add(find(topic.topic(), partition).thenApply(end -> new Part(topic.topic(), end)));
            }
        }
        Answers.whenAll(exchange, parts, (List<Part> all) -> {
            OffsetForLeaderEpochResponseData data = new OffsetForLeaderEpochResponseData();
            for (Part part : all) {
                OffsetForLeaderTopicResult topic = data.topics().find(part.topic());
                if (topic == null) {
                    topic = new OffsetForLeaderTopicResult().setTopic(part.topic());
                    data.topics().add(topic);
                }
                topic.partitions().add(part.end());
            }
            return new OffsetsForLeaderEpochResponse(data);
        });
    }

    private CompletionStage<EpochEndOffset> find(String topic, OffsetForLeaderPartition asked) {
        return switch (topics.partition(Uuid.ZERO_UUID, topic, asked.partition())) {
            case KafkaTopics.Found.Missing missing -> Answers.now(end(asked, missing.error()));
            case KafkaTopics.Found.Here here -> find(here.partition(), asked);
        };
    }

    private static CompletionStage<EpochEndOffset> find(Partition partition, OffsetForLeaderPartition asked) {
        int current = asked.currentLeaderEpoch();
        if (current >= 0 && current != partition.leaderEpoch()) {
            return Answers.now(end(
                    asked,
                    current < partition.leaderEpoch() ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH));
        }
        return CompletableFuture.supplyAsync(() -> end(partition, asked), partition.shard());
    }

    private static EpochEndOffset end(Partition partition, OffsetForLeaderPartition asked) {
        Optional<EpochEnd> end = asked.leaderEpoch() < 0 || asked.leaderEpoch() > partition.leaderEpoch()
                ? Optional.empty()
                : partition.epochEnd(asked.leaderEpoch());
        return end(asked, Errors.NONE)
                .setLeaderEpoch(end.map(EpochEnd::epoch).orElse(OffsetsForLeaderEpochResponse.UNDEFINED_EPOCH))
                .setEndOffset(
                        end.map(EpochEnd::endOffset).orElse(OffsetsForLeaderEpochResponse.UNDEFINED_EPOCH_OFFSET));
    }

    private static EpochEndOffset end(OffsetForLeaderPartition asked, Errors error) {
        return new EpochEndOffset()
                .setPartition(asked.partition())
                .setErrorCode(error.code())
                .setLeaderEpoch(OffsetsForLeaderEpochResponse.UNDEFINED_EPOCH)
                .setEndOffset(OffsetsForLeaderEpochResponse.UNDEFINED_EPOCH_OFFSET);
    }
}
