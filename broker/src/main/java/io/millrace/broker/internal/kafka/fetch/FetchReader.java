package io.millrace.broker.internal.kafka.fetch;

import io.millrace.broker.internal.kafka.FileRecordBytes;
import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.MemoryRecordBytes;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.log.FileSlice;
import io.millrace.log.LogOffsets;
import io.millrace.log.LogSlice;
import io.millrace.wire.MillraceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads partitions for fetches, up to the high watermark. From any thread. */
public final class FetchReader {

    private static final Logger LOG = LoggerFactory.getLogger(FetchReader.class);

    private static final int WARM_BYTES = 256 * 1024;

    private final KafkaTopics topics;

    public FetchReader(KafkaTopics topics) {
        this.topics = topics;
    }

    /** Finds a partition, if the client may read it: what it may is looked at each time, as sessions are long. */
    KafkaTopics.Found find(FetchedPartition wanted, Access access) {
        FetchedPartition.Key key = wanted.key();
        boolean allowed = access.mayDoEverything()
                || topics.nameOf(key.topicId(), key.topic())
                        .map(name -> access.mayTopic(AclOperation.READ, name))
                        .orElse(true);
        return allowed
                ? topics.partition(key.topicId(), key.topic(), key.partition())
                : new KafkaTopics.Found.Missing(
                        Errors.TOPIC_AUTHORIZATION_FAILED, "no access control list allows to read it");
    }

    /** Returns whether reading what a client wants may have to wait for the disk. */
    boolean isCold(FetchedPartition wanted, Access access) {
        return find(wanted, access) instanceof KafkaTopics.Found.Here here
                && wanted.offset() < here.partition().snapshot().highWatermark()
                && here.partition().isCold(wanted.offset());
    }

    /**
     * Reads what a client wants of a partition.
     *
     * @param access what the client may do
     * @param maxBytes most bytes
     * @param evenIfLarger whether the first batch is given whatever its size
     */
    PartitionData read(FetchedPartition wanted, Access access, boolean committed, int maxBytes, boolean evenIfLarger) {
        return switch (find(wanted, access)) {
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
                            epoch.get() < partition.leaderEpoch()
                                    ? Errors.FENCED_LEADER_EPOCH
                                    : Errors.UNKNOWN_LEADER_EPOCH)
                    .setAbortedTransactions(null);
        }
        if (!partition.snapshot().online()) {
            return failed(wanted, Errors.NOT_LEADER_OR_FOLLOWER);
        }
        try {
            long highWatermark = partition.snapshot().highWatermark();
            LogOffsets offsets = partition.offsets();
            if (wanted.offset() < offsets.logStartOffset() || wanted.offset() > offsets.logEndOffset()) {
                return failed(wanted, Errors.OFFSET_OUT_OF_RANGE).setAbortedTransactions(null);
            }
            long stable = Math.min(highWatermark, offsets.lastStableOffset());
            PartitionData data = empty(wanted)
                    .setHighWatermark(highWatermark)
                    .setLastStableOffset(stable)
                    .setLogStartOffset(offsets.logStartOffset())
                    .setAbortedTransactions(committed ? List.of() : null);
            long end = committed ? stable : highWatermark;
            if (wanted.offset() < end && (maxBytes > 0 || evenIfLarger)) {
                addRecords(data, partition, wanted.offset(), end, maxBytes, evenIfLarger);
            }
            if (committed && data.records().sizeInBytes() > 0) {
                data.setAbortedTransactions(aborted(partition, wanted.offset(), end));
            }
            return data;
        } catch (MillraceException e) {
            return failed(wanted, KafkaErrors.of(e));
        }
    }

    private static void addRecords(
            PartitionData data, Partition partition, long offset, long end, int maxBytes, boolean evenIfLarger) {
        int most = Math.max(1, maxBytes);
        Optional<FileSlice> file = partition.slice(offset, most, end);
        if (file.isPresent()) {
            FileSlice slice = file.get();
            if (slice.lengthBytes() <= maxBytes || evenIfLarger) {
                data.setRecords(new FileRecordBytes(slice));
            } else {
                slice.close();
            }
            return;
        }
        // Logs that have no files.
        LogSlice slice = partition.read(offset, most, end);
        if (slice.sizeBytes() <= maxBytes || evenIfLarger) {
            data.setRecords(new MemoryRecordBytes(slice.batches()));
        }
    }

    private static List<FetchResponseData.AbortedTransaction> aborted(Partition partition, long from, long end) {
        return partition.log().abortedTransactions(from, end).stream()
                .map(aborted -> new FetchResponseData.AbortedTransaction()
                        .setProducerId(aborted.producerId())
                        .setFirstOffset(aborted.firstOffset()))
                .toList();
    }

    /** Brings what was found in a file into the page cache, so that sending it waits for no disk. Blocks. */
    static void warm(PartitionData data) {
        if (data.records() instanceof FileRecordBytes(FileSlice slice)) {
            ByteBuffer scratch = ByteBuffer.allocateDirect(WARM_BYTES);
            long end = slice.position() + slice.lengthBytes();
            try {
                for (long at = slice.position(); at < end; ) {
                    int read = slice.channel().read(scratch.clear(), at);
                    if (read < 0) {
                        return;
                    }
                    at += read;
                }
            } catch (IOException e) {
                LOG.warn("Reading ahead failed; whoever is sent {} will notice: {}", slice, e.toString());
            }
        }
    }

    /** Lets go of what was found and is not sent. */
    static void release(PartitionData data) {
        if (data.records() instanceof FileRecordBytes(FileSlice slice)) {
            slice.close();
        }
    }

    private static PartitionData failed(FetchedPartition wanted, Errors error) {
        return empty(wanted).setErrorCode(error.code()).setHighWatermark(-1);
    }

    private static PartitionData empty(FetchedPartition wanted) {
        return new PartitionData().setPartitionIndex(wanted.key().partition()).setRecords(MemoryRecords.EMPTY);
    }
}
