package io.millrace.wire.frame;

/**
 * Announces one frame larger than {@link FrameCodec#MAX_FRAME_BYTES}, which then comes in pieces.
 *
 * @param transferId chosen by the sender, unique among its open transfers on this connection
 * @param totalBytes size of the frame's type and body
 */
public record TransferBegin(int transferId, int totalBytes) implements Frame {

    /** Checks the ranges. */
    public TransferBegin {
        FieldChecks.atLeast(1, totalBytes, "totalBytes");
    }

    static TransferBegin read(FieldReader in) {
        return new TransferBegin(in.i32("transferId"), in.i32("totalBytes"));
    }

    static void write(FieldWriter out, TransferBegin frame) {
        out.i32(frame.transferId);
        out.i32(frame.totalBytes);
    }

    @Override
    public FrameType type() {
        return FrameType.TRANSFER_BEGIN;
    }
}
