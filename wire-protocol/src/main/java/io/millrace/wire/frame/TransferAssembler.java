package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the chunks of transfers together again, within bounds.
 *
 * <p>Memory for a transfer is taken when its first chunk comes, so on a server, which grants transfers out of a bounded pool, a waiting
 * transfer costs nothing. Confined to the thread that reads the connection.
 */
public final class TransferAssembler {

    private final int maxTransferBytes;
    private final int maxOpenTransfers;
    private final Map<Integer, Transfer> open = new HashMap<>();

    /**
     * Creates an assembler for one connection.
     *
     * @param maxTransferBytes largest frame that is taken
     * @param maxOpenTransfers most transfers at the same time
     */
    public TransferAssembler(int maxTransferBytes, int maxOpenTransfers) {
        this.maxTransferBytes = maxTransferBytes;
        this.maxOpenTransfers = maxOpenTransfers;
    }

    /**
     * Notes an announced transfer.
     *
     * @param begin the announcement
     * @param granted whether chunks may come at once; a server passes false and calls {@link #grant} when it sends the grant
     * @throws MalformedFrameException if the transfer is above the limits, or its id is in use
     */
    public void onBegin(TransferBegin begin, boolean granted) {
        if (begin.totalBytes() > maxTransferBytes) {
            throw new MalformedFrameException(
                    begin.type(), "totalBytes", begin.totalBytes() + " is above the limit of " + maxTransferBytes);
        }
        if (open.size() >= maxOpenTransfers) {
            throw new MalformedFrameException(
                    begin.type(), "transferId", "more than " + maxOpenTransfers + " transfers at the same time");
        }
        if (open.putIfAbsent(begin.transferId(), new Transfer(begin.totalBytes(), granted)) != null) {
            throw new MalformedFrameException(
                    begin.type(), "transferId", begin.transferId() + " belongs to a transfer that is not complete");
        }
    }

    /**
     * Permits the chunks of an announced transfer.
     *
     * @param transferId its id
     * @return whether the transfer is known
     */
    public boolean grant(int transferId) {
        return open.computeIfPresent(transferId, (id, transfer) -> transfer.asGranted()) != null;
    }

    /**
     * Takes a chunk.
     *
     * @param chunk its bytes are copied
     * @return the whole content if this was the last chunk, for {@link FrameCodec#decodeTransferred}
     * @throws MalformedFrameException if the transfer is unknown, not granted, or has more bytes than announced
     */
    public Optional<ByteBuffer> onChunk(TransferChunk chunk) {
        Transfer transfer = open.get(chunk.transferId());
        if (transfer == null) {
            throw new MalformedFrameException(chunk.type(), "transferId", chunk.transferId() + " was not begun");
        }
        if (!transfer.granted()) {
            throw new MalformedFrameException(chunk.type(), "transferId", chunk.transferId() + " was not granted");
        }
        ByteBuffer content = transfer.content().orElseGet(() -> ByteBuffer.allocate(transfer.totalBytes()));
        ByteBuffer bytes = chunk.payload();
        if (bytes.remaining() > content.remaining()) {
            throw new MalformedFrameException(
                    chunk.type(),
                    "payload",
                    bytes.remaining() + " bytes, but transfer " + chunk.transferId() + " lacks only "
                            + content.remaining());
        }
        content.put(bytes);
        if (content.hasRemaining()) {
            open.put(chunk.transferId(), transfer.with(content));
            return Optional.empty();
        }
        open.remove(chunk.transferId());
        content.flip();
        return Optional.of(content);
    }

    /** Returns how many transfers are not complete. */
    public int openTransfers() {
        return open.size();
    }

    private record Transfer(int totalBytes, boolean granted, Optional<ByteBuffer> content) {

        Transfer(int totalBytes, boolean granted) {
            this(totalBytes, granted, Optional.empty());
        }

        Transfer asGranted() {
            return new Transfer(totalBytes, true, content);
        }

        Transfer with(ByteBuffer filled) {
            return new Transfer(totalBytes, granted, Optional.of(filled));
        }
    }
}
