package io.millrace.wire.frame;

import java.nio.ByteBuffer;

/**
 * The next bytes of a transfer. The transfer ends with the chunk that completes it.
 *
 * @param transferId of the {@link TransferBegin}
 * @param payload the bytes, at least one
 */
public record TransferChunk(int transferId, ByteBuffer payload) implements PayloadFrame {

    /** Checks the ranges. */
    public TransferChunk {
        payload = payload.slice();
        FieldChecks.require(payload.hasRemaining(), "payload", "a chunk must carry at least one byte");
    }

    static TransferChunk read(FieldReader in) {
        return new TransferChunk(in.i32("transferId"), in.rest());
    }

    static void write(FieldWriter out, TransferChunk frame) {
        out.i32(frame.transferId);
    }

    /** Returns a view of its own position; the bytes are shared, not copied. */
    @Override
    public ByteBuffer payload() {
        return payload.duplicate();
    }

    @Override
    public FrameType type() {
        return FrameType.TRANSFER_CHUNK;
    }
}
