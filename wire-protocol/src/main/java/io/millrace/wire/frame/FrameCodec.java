package io.millrace.wire.frame;

import java.nio.ByteBuffer;

/**
 * Frames to bytes and back.
 *
 * <p>On the wire a frame is a length (i32, counting what follows), its type (u8) and its fields. Type and fields together are called the
 * frame's <em>content</em>: it is at most {@link #MAX_FRAME_BYTES}, except inside a transfer. Stateless, usable from any thread.
 */
public final class FrameCodec {

    /** Largest content of a frame that travels in one piece. */
    public static final int MAX_FRAME_BYTES = 262_144;

    /** Size of the length in front of the content. */
    public static final int LENGTH_BYTES = Integer.BYTES;

    private static final int TYPE_BYTES = 1;

    private FrameCodec() {}

    /**
     * Returns the size of type and fields, payload included.
     *
     * @throws FrameTooLargeException if that is more than an int can hold
     */
    public static int contentSizeOf(Frame frame) {
        long size = (long) headSizeOf(frame) + payloadSizeOf(frame);
        if (size > Integer.MAX_VALUE) {
            throw new FrameTooLargeException(frame.type(), size, Integer.MAX_VALUE);
        }
        return (int) size;
    }

    /** Returns the size on the wire: length, type, fields and payload. */
    public static int sizeOf(Frame frame) {
        return LENGTH_BYTES + checkedContentSize(frame);
    }

    /** Returns the size on the wire without the payload: what {@link #encodeHead} writes. */
    public static int sizeOfHead(Frame frame) {
        return LENGTH_BYTES + headSizeOf(frame);
    }

    /**
     * Writes a whole frame.
     *
     * @param frame the frame
     * @param target has at least {@link #sizeOf} bytes left; its position moves behind the frame
     * @throws FrameTooLargeException if the content is larger than {@link #MAX_FRAME_BYTES}: use a {@link TransferSplitter}
     */
    public static void encode(Frame frame, ByteBuffer target) {
        encodeHead(frame, target);
        if (frame instanceof PayloadFrame carrier) {
            target.put(carrier.payload());
        }
    }

    /**
     * Writes a frame up to its payload, so that the payload can be handed to the socket without a copy. For other frames the same as
     * {@link #encode}.
     *
     * @param frame the frame
     * @param target has at least {@link #sizeOfHead} bytes left; its position moves behind what was written
     * @throws FrameTooLargeException if the content is larger than {@link #MAX_FRAME_BYTES}: use a {@link TransferSplitter}
     */
    public static void encodeHead(Frame frame, ByteBuffer target) {
        target.putInt(checkedContentSize(frame));
        encodeContentHead(frame, target);
    }

    /** Writes type and fields without length and payload, whatever their size: the first bytes of a transfer. */
    static void encodeContentHead(Frame frame, ByteBuffer target) {
        target.put((byte) frame.type().id());
        frame.type().writeFields(new BufferFieldWriter(target), frame);
    }

    static int headSizeOf(Frame frame) {
        SizingFieldWriter size = new SizingFieldWriter();
        frame.type().writeFields(size, frame);
        return TYPE_BYTES + size.bytes();
    }

    /**
     * Checks the length in front of a frame before anything is allocated for it.
     *
     * @param length the i32 as read
     * @return the same
     * @throws MalformedFrameException if it is not within 1 to {@link #MAX_FRAME_BYTES}: the stream cannot be followed any further
     */
    public static int checkLength(int length) {
        if (length < 1 || length > MAX_FRAME_BYTES) {
            throw new MalformedFrameException(
                    "Frame length", "must be within 1 to " + MAX_FRAME_BYTES + " bytes, is " + length);
        }
        return length;
    }

    /**
     * Reads a frame that came in one piece.
     *
     * @param content type and fields, exactly: as many bytes as the length said. The position moves to the limit; a payload shares the
     *     memory.
     * @param sender who sent it
     * @return the frame
     * @throws MalformedFrameException if the bytes are no frame that this peer may send
     */
    public static Frame decode(ByteBuffer content, Peer sender) {
        checkLength(content.remaining());
        return decodeContent(content, sender);
    }

    /**
     * Reads a frame that came in a transfer.
     *
     * @param content what {@link TransferAssembler#onChunk} returned
     * @param sender who sent it
     * @return the frame
     * @throws MalformedFrameException if the bytes are no frame that this peer may send in a transfer
     */
    public static Frame decodeTransferred(ByteBuffer content, Peer sender) {
        Frame frame = decodeContent(content, sender);
        if (!frame.type().transferable()) {
            throw new MalformedFrameException(frame.type(), "type", "cannot travel in a transfer");
        }
        return frame;
    }

    private static Frame decodeContent(ByteBuffer content, Peer sender) {
        int id = Byte.toUnsignedInt(content.get());
        FrameType type =
                FrameType.fromId(id).orElseThrow(() -> new MalformedFrameException("Frame type", "is unknown: " + id));
        if (!type.sentBy(sender)) {
            throw new MalformedFrameException(
                    type, "type", "cannot be sent by the " + (sender == Peer.CLIENT ? "client" : "server"));
        }
        FieldReader in = new FieldReader(type, content);
        Frame frame;
        try {
            frame = type.readFields(in);
        } catch (InvalidFieldException invalid) {
            throw new MalformedFrameException(type, invalid);
        }
        in.expectEnd();
        return frame;
    }

    private static int checkedContentSize(Frame frame) {
        int size = contentSizeOf(frame);
        if (size > MAX_FRAME_BYTES) {
            throw new FrameTooLargeException(frame.type(), size, MAX_FRAME_BYTES);
        }
        return size;
    }

    private static int payloadSizeOf(Frame frame) {
        return frame instanceof PayloadFrame carrier ? carrier.payload().remaining() : 0;
    }
}
