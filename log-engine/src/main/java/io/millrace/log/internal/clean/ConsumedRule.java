package io.millrace.log.internal.clean;

import io.millrace.wire.record.BatchRewrite;
import io.millrace.wire.record.DecompressionLimits;
import io.millrace.wire.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What is left of each batch when consumed records go: the others, with their offsets. The ends of transactions stay, since their records may be
 * in segments that are not rewritten now; they go with their segment. For one thread.
 */
final class ConsumedRule implements BatchRule {
    private static final DecompressionLimits LIMITS = new DecompressionLimits(Integer.MAX_VALUE - 1024);

    private final LongPredicate consumed;
    private final ProducerTails tails;

    /**
     * Makes the rule.
     *
     * @param consumed which offsets may go
     */
    ConsumedRule(LongPredicate consumed, ProducerTails tails) {
        this.consumed = consumed;
        this.tails = tails;
    }

    @Override
    public @Nullable ByteBuffer apply(RecordBatch batch) {
        if (batch.isControl() && batch.recordCount() > 0) {
            return batch.slice();
        }
        if (batch.recordCount() > 0 && !isConsumed(batch)) {
            @Nullable
            ByteBuffer rest = BatchRewrite.keep(
                            batch, record -> !consumed.test(record.offset()), OptionalLong.empty(), LIMITS)
                    .map(BatchRewrite.Rest::batch)
                    .orElse(null);
            if (rest != null) {
                return rest;
            }
        }
        return tails.contains(batch) ? BatchRewrite.withoutRecords(batch) : null;
    }

    /** Saves to look into most batches that go. */
    private boolean isConsumed(RecordBatch batch) {
        for (long offset = batch.baseOffset(); offset <= batch.lastOffset(); offset++) {
            if (!consumed.test(offset)) {
                return false;
            }
        }
        return true;
    }
}
