package io.millrace.wire.frame;

import java.nio.ByteBuffer;

/** A frame that ends with bytes which are passed on as they are: never copied by the codec, in neither direction. */
public sealed interface PayloadFrame extends Frame permits TransferChunk, Send, Deliver, LogRead, QueueBrowsed {

    /** Returns the bytes after the other fields: a view with a position of its own of memory that the frame does not own. */
    ByteBuffer payload();
}
