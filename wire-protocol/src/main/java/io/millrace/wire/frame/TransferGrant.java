package io.millrace.wire.frame;

/**
 * The server has reserved the memory for a transfer: its chunks may come.
 *
 * @param transferId of the {@link TransferBegin}
 */
public record TransferGrant(int transferId) implements Frame {

    static TransferGrant read(FieldReader in) {
        return new TransferGrant(in.i32("transferId"));
    }

    static void write(FieldWriter out, TransferGrant frame) {
        out.i32(frame.transferId);
    }

    @Override
    public FrameType type() {
        return FrameType.TRANSFER_GRANT;
    }
}
