package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.Isolation;
import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.log.TimestampedOffset;
import io.millrace.wire.MillraceException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.kafka.common.TopicPartition;
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

    /** The first version that tells leader epochs (KIP-320). */
    private static final short LEADER_EPOCHS_SINCE = 4;

    private static final Map<Long, Short> SINCE = Map.of(
            ListOffsetsRequest.MAX_TIMESTAMP, (short) 7,
            ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP, (short) 8,
            ListOffsetsRequest.LATEST_TIERED_TIMESTAMP, (short) 9,
            ListOffsetsRequest.EARLIEST_PENDING_UPLOAD_TIMESTAMP, (short) 11);

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
        boolean committed = Isolation.isCommitted(request.data().isolationLevel());
        ListOffsetsResponseData data = new ListOffsetsResponseData();
        for (ListOffsetsTopic topic : request.topics()) {
            ListOffsetsTopicResponse response = new ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsPartition partition : topic.partitions()) {
                ListOffsetsPartitionResponse found = request.duplicatePartitions()
                                .contains(new TopicPartition(topic.name(), partition.partitionIndex()))
                        ? answered(partition, Errors.INVALID_REQUEST)
                        : find(topic.name(), partition, committed, exchange.version());
                if (exchange.version() < LEADER_EPOCHS_SINCE) {
                    found.setLeaderEpoch(ListOffsetsResponse.UNKNOWN_EPOCH);
                }
                response.partitions().add(found);
            }
            data.topics().add(response);
        }
        exchange.answer(new ListOffsetsResponse(data));
    }

    /** Says since which version a time below 0 means something. */
    private static short since(long timestamp) {
        if (timestamp >= ListOffsetsRequest.EARLIEST_TIMESTAMP) {
            return 1;
        }
        return SINCE.getOrDefault(timestamp, Short.MAX_VALUE);
    }

    private ListOffsetsPartitionResponse find(
            String topic, ListOffsetsPartition asked, boolean committed, short version) {
        if (version < since(asked.timestamp())) {
            return answered(asked, Errors.UNSUPPORTED_VERSION);
        }
        return switch (topics.partition(Uuid.ZERO_UUID, topic, asked.partitionIndex())) {
            case KafkaTopics.Found.Missing missing -> answered(asked, missing.error());
            case KafkaTopics.Found.Here here -> find(here.partition(), asked, committed);
        };
    }

    private static ListOffsetsPartitionResponse find(
            Partition partition, ListOffsetsPartition asked, boolean committed) {
        int epoch = asked.currentLeaderEpoch();
        if (epoch >= 0 && epoch != partition.leaderEpoch()) {
            return answered(
                    asked, epoch < partition.leaderEpoch() ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH);
        }
        try {
            long start = partition.offsets().logStartOffset();
            long highWatermark = partition.snapshot().highWatermark();
            long end = committed ? Math.min(highWatermark, partition.log().lastStableOffset()) : highWatermark;
            long timestamp = asked.timestamp();
            if (timestamp == ListOffsetsRequest.LATEST_TIMESTAMP) {
                return found(asked, partition, end, ListOffsetsResponse.UNKNOWN_TIMESTAMP);
            }
            if (timestamp == ListOffsetsRequest.EARLIEST_TIMESTAMP
                    || timestamp == ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP) {
                return found(asked, partition, start, ListOffsetsResponse.UNKNOWN_TIMESTAMP);
            }
            if (timestamp < 0 && timestamp != ListOffsetsRequest.MAX_TIMESTAMP) {
                // Offsets of tiers that this broker does not have.
                return answered(asked, Errors.NONE);
            }
            Optional<TimestampedOffset> record = timestamp == ListOffsetsRequest.MAX_TIMESTAMP
                    ? partition.log().offsetOfMaxTimestamp()
                    : partition.log().offsetForTimestamp(timestamp);
            return record.filter(found -> found.offset() < end)
                    .map(found -> answered(asked, Errors.NONE)
                            .setOffset(found.offset())
                            .setTimestamp(found.timestampMs())
                            .setLeaderEpoch(found.leaderEpoch()))
                    .orElseGet(() -> answered(asked, Errors.NONE));
        } catch (MillraceException e) {
            return answered(asked, KafkaErrors.of(e));
        }
    }

    private static ListOffsetsPartitionResponse found(
            ListOffsetsPartition asked, Partition partition, long offset, long timestamp) {
        return answered(asked, Errors.NONE)
                .setOffset(offset)
                .setTimestamp(timestamp)
                .setLeaderEpoch(partition.leaderEpoch());
    }

    private static ListOffsetsPartitionResponse answered(ListOffsetsPartition asked, Errors error) {
        return new ListOffsetsPartitionResponse()
                .setPartitionIndex(asked.partitionIndex())
                .setErrorCode(error.code())
                .setOffset(ListOffsetsResponse.UNKNOWN_OFFSET)
                .setTimestamp(ListOffsetsResponse.UNKNOWN_TIMESTAMP);
    }
}
