package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.wire.MillraceException;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;

/** Finds offsets: the first, the last, or those of a time. Looking for a time reads from the disk, so it runs on the I/O pool. */
public final class ListOffsetsHandler implements KafkaHandler<ListOffsetsRequest> {

    private final KafkaTopics topics;
    private final Executor io;

    public ListOffsetsHandler(KafkaTopics topics, Executor io) {
        this.topics = topics;
        this.io = io;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_OFFSETS;
    }

    @Override
    public void handle(ListOffsetsRequest request, KafkaExchange exchange) {
        boolean byTime = request.topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .anyMatch(partition ->
                        partition.timestamp() >= 0 || partition.timestamp() == ListOffsetsRequest.MAX_TIMESTAMP);
        if (!byTime) {
            answer(request, exchange);
            return;
        }
        io.execute(() -> {
            try {
                answer(request, exchange);
            } catch (RuntimeException e) {
                exchange.fail(e);
            }
        });
    }

    private void answer(ListOffsetsRequest request, KafkaExchange exchange) {
        ListOffsetsResponseData data = new ListOffsetsResponseData();
        for (ListOffsetsTopic topic : request.topics()) {
            ListOffsetsTopicResponse response = new ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsPartition partition : topic.partitions()) {
                response.partitions().add(find(topic.name(), partition));
            }
            data.topics().add(response);
        }
        exchange.answer(new ListOffsetsResponse(data));
    }

    private ListOffsetsPartitionResponse find(String topic, ListOffsetsPartition asked) {
        return switch (topics.partition(Uuid.ZERO_UUID, topic, asked.partitionIndex())) {
            case KafkaTopics.Found.Missing missing -> failed(asked, missing.error());
            case KafkaTopics.Found.Here here -> find(here.partition(), asked);
        };
    }

    private static ListOffsetsPartitionResponse find(Partition partition, ListOffsetsPartition asked) {
        int epoch = asked.currentLeaderEpoch();
        if (epoch >= 0 && epoch != partition.leaderEpoch()) {
            return failed(
                    asked, epoch < partition.leaderEpoch() ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH);
        }
        try {
            long start = partition.offsets().logStartOffset();
            long end = partition.snapshot().highWatermark();
            long timestamp = asked.timestamp();
            if (timestamp == ListOffsetsRequest.LATEST_TIMESTAMP) {
                return found(asked, partition, end, ListOffsetsResponse.UNKNOWN_TIMESTAMP);
            }
            if (timestamp == ListOffsetsRequest.EARLIEST_TIMESTAMP
                    || timestamp == ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP) {
                return found(asked, partition, start, ListOffsetsResponse.UNKNOWN_TIMESTAMP);
            }
            if (timestamp < 0) {
                return failed(asked, Errors.NONE);
            }
            OptionalLong offset = partition.offsetForTimestamp(timestamp);
            return offset.isPresent() && offset.getAsLong() < end
                    ? found(asked, partition, offset.getAsLong(), timestamp)
                    : failed(asked, Errors.NONE);
        } catch (MillraceException e) {
            return failed(asked, KafkaErrors.of(e));
        }
    }

    private static ListOffsetsPartitionResponse found(
            ListOffsetsPartition asked, Partition partition, long offset, long timestamp) {
        return failed(asked, Errors.NONE)
                .setOffset(offset)
                .setTimestamp(timestamp)
                .setLeaderEpoch(partition.leaderEpoch());
    }

    private static ListOffsetsPartitionResponse failed(ListOffsetsPartition asked, Errors error) {
        return new ListOffsetsPartitionResponse()
                .setPartitionIndex(asked.partitionIndex())
                .setErrorCode(error.code())
                .setOffset(ListOffsetsResponse.UNKNOWN_OFFSET)
                .setTimestamp(ListOffsetsResponse.UNKNOWN_TIMESTAMP);
    }
}
