package io.millrace.log.internal.clean;

import io.millrace.log.internal.batch.Markers;
import io.millrace.wire.record.BatchRewrite;
import io.millrace.wire.record.ControlRecordType;
import io.millrace.wire.record.DecompressionLimits;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What compaction leaves of each batch, for the batches of a log in their order. Of each key the last record is kept. One without a value goes
 * when its delete horizon has passed, which its batch gets the first time that it is kept as the last (KIP-534). Records of aborted
 * transactions go; the end of a transaction goes like a record without a value, once none of its records is left. A producer's last batch stays,
 * if empty, so that its next one is recognized. For one thread.
 */
final class CompactionRule implements BatchRule {
    private static final DecompressionLimits LIMITS = new DecompressionLimits(Integer.MAX_VALUE - 1024);

    private final KeyOffsets offsets;
    private final AbortedOffsets aborted;
    private final ProducerTails tails;
    private final long nowMs;
    private final long deleteRetentionMs;

    /** Producers of which there are records since their last marker. */
    private final Set<Long> kept = new HashSet<>();

    private boolean keptWithoutValue;

    CompactionRule(
            KeyOffsets offsets, AbortedOffsets aborted, ProducerTails tails, long nowMs, long deleteRetentionMs) {
        this.offsets = offsets;
        this.aborted = aborted;
        this.tails = tails;
        this.nowMs = nowMs;
        this.deleteRetentionMs = deleteRetentionMs;
    }

    @Override
    public @Nullable ByteBuffer apply(RecordBatch batch) {
        if (batch.isControl()) {
            return ofControl(batch);
        }
        boolean isAborted = batch.isTransactional() && aborted.contains(batch.producerId(), batch.baseOffset());
        Optional<BatchRewrite.Rest> rest = batch.recordCount() == 0 || isAborted ? Optional.empty() : ofRecords(batch);
        if (rest.isPresent()) {
            if (batch.isTransactional()) {
                kept.add(batch.producerId());
            }
            return rest.get().batch();
        }
        return tails.contains(batch) ? BatchRewrite.withoutRecords(batch) : null;
    }

    private Optional<BatchRewrite.Rest> ofRecords(RecordBatch batch) {
        boolean passed = batch.hasDeleteHorizon() && nowMs >= batch.baseTimestampMs();
        keptWithoutValue = false;
        Optional<BatchRewrite.Rest> rest =
                BatchRewrite.keep(batch, cursor -> keeps(cursor, passed), OptionalLong.empty(), LIMITS);
        if (keptWithoutValue && !batch.hasDeleteHorizon()) {
            return BatchRewrite.keep(batch, cursor -> keeps(cursor, passed), horizon(), LIMITS);
        }
        return rest;
    }

    private OptionalLong horizon() {
        return OptionalLong.of(deleteRetentionMs > Long.MAX_VALUE - nowMs ? Long.MAX_VALUE : nowMs + deleteRetentionMs);
    }

    private boolean keeps(RecordCursor record, boolean horizonPassed) {
        ByteBuffer key = record.key();
        // Without a key it is the last of none. Such records were written before the log was one that is compacted.
        boolean latest = key != null && record.offset() >= offsets.get(key);
        boolean keeps = latest && (record.hasValue() || !horizonPassed);
        keptWithoutValue |= keeps && !record.hasValue();
        return keeps;
    }

    private @Nullable ByteBuffer ofControl(RecordBatch batch) {
        EndTransactionMarker marker = batch.recordCount() == 0 ? null : Markers.markerOf(batch);
        if (marker == null) {
            return batch.hasProducerId() && batch.recordCount() == 0 && !tails.contains(batch) ? null : batch.slice();
        }
        boolean recordsLeft = kept.remove(batch.producerId()) && marker.type() == ControlRecordType.COMMIT;
        if (recordsLeft) {
            return batch.slice();
        }
        if (!batch.hasDeleteHorizon()) {
            return BatchRewrite.keep(batch, cursor -> true, horizon(), LIMITS)
                    .map(BatchRewrite.Rest::batch)
                    .orElseThrow();
        }
        return nowMs >= batch.baseTimestampMs() && !tails.contains(batch) ? null : batch.slice();
    }
}
