package io.millrace.broker.internal.kafka.fetch;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.MemoryRecordBytes;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.log.LogOffsets;
import io.millrace.log.LogSlice;
import io.millrace.wire.MillraceException;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Reads partitions for fetches, up to the high watermark. From any thread. */
public final class FetchReader {

    private final KafkaTopics topics;

    public FetchReader(KafkaTopics topics) {
        this.topics = topics;
    }

    KafkaTopics.Found find(FetchedPartition wanted) {
        FetchedPartition.Key key = wanted.key();
        return topics.partition(key.topicId(), key.topic(), key.partition());
    }

    /**
     * Reads what a client wants of a partition.
     *
     * @param maxBytes most bytes
     * @param evenIfLarger whether the first batch is given whatever its size
     */
    PartitionData read(FetchedPartition wanted, boolean committed, int maxBytes, boolean evenIfLarger) {
        return switch (find(wanted)) {
            case KafkaTopics.Found.Missing missing -> failed(wanted, missing.error());
            case KafkaTopics.Found.Here here ->
                read(here.partition(), wanted, committed, Math.min(maxBytes, wanted.maxBytes()), evenIfLarger);
        };
    }

    private static PartitionData read(
            Partition partition, FetchedPartition wanted, boolean committed, int maxBytes, boolean evenIfLarger) {
        Optional<Integer> epoch = wanted.leaderEpoch();
        if (epoch.isPresent() && epoch.get() != partition.leaderEpoch()) {
            return failed(
                    wanted,
                    epoch.get() < partition.leaderEpoch() ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH);
        }
        if (!partition.snapshot().online()) {
            return failed(wanted, Errors.NOT_LEADER_OR_FOLLOWER);
        }
        try {
            long highWatermark = partition.snapshot().highWatermark();
            LogOffsets offsets = partition.offsets();
            if (wanted.offset() < offsets.logStartOffset() || wanted.offset() > offsets.logEndOffset()) {
                return failed(wanted, Errors.OFFSET_OUT_OF_RANGE).setLogStartOffset(offsets.logStartOffset());
            }
            PartitionData data = empty(wanted)
                    .setHighWatermark(highWatermark)
                    .setLastStableOffset(highWatermark)
                    .setLogStartOffset(offsets.logStartOffset())
                    .setAbortedTransactions(committed ? List.of() : null);
            if (wanted.offset() < highWatermark && (maxBytes > 0 || evenIfLarger)) {
                LogSlice slice = partition.read(wanted.offset(), Math.max(1, maxBytes));
                if (slice.sizeBytes() <= maxBytes || evenIfLarger) {
                    data.setRecords(new MemoryRecordBytes(slice.batches()));
                }
            }
            return data;
        } catch (MillraceException e) {
            return failed(wanted, KafkaErrors.of(e));
        }
    }

    private static PartitionData failed(FetchedPartition wanted, Errors error) {
        return empty(wanted).setErrorCode(error.code()).setHighWatermark(-1);
    }

    private static PartitionData empty(FetchedPartition wanted) {
        return new PartitionData().setPartitionIndex(wanted.key().partition()).setRecords(MemoryRecords.EMPTY);
    }
}
