package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.TopicConfigs;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteRecordsRequest;
import org.apache.kafka.common.requests.DeleteRecordsResponse;

/** Removes the records below an offset. Of a queue that is a purge: what a consumer holds stays, and so do the records after it. */
public final class DeleteRecordsHandler implements KafkaHandler<DeleteRecordsRequest> {

    private record Part(String topic, DeleteRecordsPartitionResult result) {}

    private final KafkaTopics topics;
    private final TopicConfigs configs;

    public DeleteRecordsHandler(KafkaTopics topics, TopicConfigs configs) {
        this.topics = topics;
        this.configs = configs;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DELETE_RECORDS;
    }

    @Override
    public void handle(DeleteRecordsRequest request, KafkaExchange exchange) {
        List<CompletionStage<Part>> parts = new ArrayList<>();
        for (DeleteRecordsTopic topic : request.data().topics()) {
            for (DeleteRecordsPartition partition : topic.partitions()) {
                parts.add(delete(topic.name(), partition).thenApply(result -> new Part(topic.name(), result)));
            }
        }
        Answers.whenAll(exchange, parts, (List<Part> all) -> {
            DeleteRecordsResponseData data = new DeleteRecordsResponseData();
            for (Part part : all) {
                DeleteRecordsTopicResult topic = data.topics().find(part.topic());
                if (topic == null) {
                    topic = new DeleteRecordsTopicResult().setName(part.topic());
                    data.topics().add(topic);
                }
                topic.partitions().add(part.result());
            }
            return new DeleteRecordsResponse(data);
        });
    }

    private CompletionStage<DeleteRecordsPartitionResult> delete(String topic, DeleteRecordsPartition asked) {
        int index = asked.partitionIndex();
        if (KafkaTopics.isInternal(topic)) {
            return Answers.now(failed(index, Errors.INVALID_TOPIC_EXCEPTION));
        }
        return switch (topics.partition(Uuid.ZERO_UUID, topic, index)) {
            case KafkaTopics.Found.Missing missing -> Answers.now(failed(index, missing.error()));
            case KafkaTopics.Found.Here here -> {
                if (!mayDelete(here.log())) {
                    yield Answers.now(failed(index, Errors.POLICY_VIOLATION));
                }
                yield delete(here.partition(), index, asked.offset());
            }
        };
    }

    /** A log that is only compacted keeps the last record of each key, whoever asks. */
    private boolean mayDelete(LogInfo log) {
        return configs.value("cleanup.policy", log.origin(), log.config())
                .map(policy -> policy.contains("delete"))
                .orElse(true);
    }

    private static CompletionStage<DeleteRecordsPartitionResult> delete(Partition partition, int index, long offset) {
        CompletableFuture<Long> lowWatermark = new CompletableFuture<>();
        partition
                .shard()
                .execute(() -> partition.removals().deleteRecords(offset, new Reply<>() {
                    @Override
                    public void onDone(Long logStart) {
                        lowWatermark.complete(logStart);
                    }

                    @Override
                    public void onFailed(ErrorCode code, String why) {
                        lowWatermark.completeExceptionally(new RequestFailedException(code, why));
                    }
                }));
        return lowWatermark.handle((logStart, failure) -> failure == null
                ? failed(index, Errors.NONE).setLowWatermark(logStart)
                : failed(index, KafkaErrors.of(failure)));
    }

    private static DeleteRecordsPartitionResult failed(int index, Errors error) {
        return new DeleteRecordsPartitionResult()
                .setPartitionIndex(index)
                .setErrorCode(error.code())
                .setLowWatermark(DeleteRecordsResponse.INVALID_LOW_WATERMARK);
    }
}
