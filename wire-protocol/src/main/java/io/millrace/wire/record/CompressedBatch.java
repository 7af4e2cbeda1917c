package io.millrace.wire.record;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The compressed form of the batch that a {@link RecordBatchBuilder} is building. */
final class CompressedBatch {
    private final int maxBytes;
    private @Nullable BoundedOutput output;
    private boolean done;
    private boolean inflated;

    CompressedBatch(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Room for a header, then the records compressed; or {@code null} if compression inflated them beyond what a batch may have, as
     * it does by a little with random bytes. Compresses once per batch, whatever the number of calls.
     */
    @Nullable
    ByteBuffer of(Compression compression, ByteBuffer records) {
        if (!done) {
            compress(compression, records);
        }
        return inflated || output == null ? null : output.toBuffer();
    }

    private void compress(Compression compression, ByteBuffer records) {
        BoundedOutput target = output;
        if (target == null) {
            target = new BoundedOutput(maxBytes, BufferSupplier.allocating(), records.remaining() / 2 + 512);
            output = target;
        }
        target.clear();
        target.skip(RecordBatch.HEADER_SIZE);
        try {
            Codecs.compress(compression, records, target);
            inflated = false;
        } catch (BatchTooLargeException tooLarge) {
            inflated = true;
        }
        done = true;
    }

    void reset(int maxKeptBytes) {
        done = false;
        if (output != null && output.capacity() > maxKeptBytes) {
            output = null;
        }
    }
}
