/**
 * The frames of the native protocol, specified byte by byte in {@code docs/protocol.md}.
 *
 * <p>Read {@link io.millrace.wire.frame.FrameType} first: it lists every frame with its number and who sends it. One frame is one
 * record with its fields' codec beside it; {@link io.millrace.wire.frame.FrameCodec} turns frames into bytes and back, {@link
 * io.millrace.wire.frame.Prologue} opens the connection, and {@link io.millrace.wire.frame.TransferSplitter} and {@link
 * io.millrace.wire.frame.TransferAssembler} carry frames that are too large for one piece.
 *
 * <p>Nothing here has a thread or a socket. Frames are immutable and usable from any thread; a payload is a view of the buffer that it
 * was decoded from, which must stay untouched as long as the frame is used.
 */
@NullMarked
package io.millrace.wire.frame;

import org.jspecify.annotations.NullMarked;
