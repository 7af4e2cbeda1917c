package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Cuts one large frame into the chunks of a transfer. The payload is not copied: the first chunk carries the other fields, the following
 * ones are views of the payload.
 *
 * <p>The frame counts as sent with its last chunk. Who sends frames whose order matters (batches of one producer to one partition,
 * deliveries to one consumer) must hold the later ones back until then. Confined to the thread that sends.
 */
public final class TransferSplitter implements Iterator<TransferChunk> {

    /** Most bytes in one chunk: the chunk's frame then has the largest size permitted. */
    static final int MAX_CHUNK_BYTES = FrameCodec.MAX_FRAME_BYTES - 1 - Integer.BYTES;

    private final int transferId;
    private final int totalBytes;
    private final ByteBuffer payload;
    private Optional<ByteBuffer> head;

    /**
     * Starts with the first byte.
     *
     * @param transferId unique among the sender's open transfers on the connection
     * @param frame a frame of a type that may travel in a transfer
     * @throws FrameTooLargeException if the frame may not travel in a transfer
     */
    public TransferSplitter(int transferId, Frame frame) {
        int size = FrameCodec.contentSizeOf(frame);
        if (!frame.type().transferable()) {
            throw new FrameTooLargeException(frame.type(), size, FrameCodec.MAX_FRAME_BYTES);
        }
        ByteBuffer encoded = ByteBuffer.allocate(FrameCodec.headSizeOf(frame));
        FrameCodec.encodeContentHead(frame, encoded);
        encoded.flip();
        this.transferId = transferId;
        this.totalBytes = size;
        if (frame instanceof PayloadFrame carrier) {
            this.head = Optional.of(encoded);
            this.payload = carrier.payload();
        } else {
            this.head = Optional.empty();
            this.payload = encoded;
        }
    }

    /** Returns the frame that must precede the chunks; a client then waits for the grant. */
    public TransferBegin begin() {
        return new TransferBegin(transferId, totalBytes);
    }

    @Override
    public boolean hasNext() {
        return head.isPresent() || payload.hasRemaining();
    }

    @Override
    public TransferChunk next() {
        if (!hasNext()) {
            throw new NoSuchElementException("transfer " + transferId + " is complete");
        }
        ByteBuffer source = head.orElse(payload);
        int length = Math.min(source.remaining(), MAX_CHUNK_BYTES);
        ByteBuffer piece = source.slice(source.position(), length);
        source.position(source.position() + length);
        if (head.isPresent() && !source.hasRemaining()) {
            head = Optional.empty();
        }
        return new TransferChunk(transferId, piece);
    }
}
