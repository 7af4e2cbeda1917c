package io.millrace.log.internal.clean;

import io.millrace.wire.record.RecordBatch;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What rewriting leaves of a batch. */
interface BatchRule {
    /**
     * Decides about the next batch of a log.
     *
     * @return what is left, of the same offsets, between its position and limit; {@code null} if nothing is
     */
    @Nullable
    ByteBuffer apply(RecordBatch batch);
}
