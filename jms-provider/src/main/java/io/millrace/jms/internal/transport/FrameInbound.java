package io.millrace.jms.internal.transport;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.MalformedFrameException;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.Prologue;
import io.millrace.wire.frame.TransferAssembler;
import io.millrace.wire.frame.TransferBegin;
import io.millrace.wire.frame.TransferChunk;
import io.millrace.wire.frame.TransferGrant;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads a socket: the server's prologue, then frames. Each frame is copied once out of the socket's buffer, so that whoever gets it may keep
 * its payload.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // Netty returns a future from everything; failures arrive as the end of the channel
final class FrameInbound extends ByteToMessageDecoder {

    /** The server needs no grant to send; what it may send at once is bounded by our own requests and credit. */
    private static final int MAX_OPEN_TRANSFERS = 1_024;

    private static final int MAX_TRANSFER_BYTES = 256 << 20;

    private final NettyFrameChannel channel;
    private final FrameChannel.Listener listener;
    private final Function<String, ConnectException> early;
    private final TransferAssembler transfers = new TransferAssembler(MAX_TRANSFER_BYTES, MAX_OPEN_TRANSFERS);
    private Optional<LinkException> failure = Optional.empty();
    private boolean opened;
    private boolean agreed;

    /**
     * Creates a reader.
     *
     * @param early makes the failure of a connection that ends before the server has answered at all, of what happened
     */
    FrameInbound(NettyFrameChannel channel, FrameChannel.Listener listener, Function<String, ConnectException> early) {
        this.channel = channel;
        this.listener = listener;
        this.early = early;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        ByteBuffer prologue = ByteBuffer.allocate(Prologue.BYTES);
        Prologue.Client ours = Prologue.Client.current();
        ours.encode(prologue);
        channel.writeRaw(prologue.flip());
        if (ours.isOneVersion()) {
            // There is nothing to agree on: the first frames go with the prologue.
            open();
        }
    }

    private void open() {
        if (!opened) {
            opened = true;
            listener.onOpen(channel);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (failure.isPresent()) {
            in.skipBytes(in.readableBytes());
            return;
        }
        try {
            if (agreed) {
                readFrame(in);
            } else {
                readPrologue(in);
            }
        } catch (MalformedFrameException malformed) {
            String reason = malformed.getMessage();
            if (!agreed) {
                fail(early.apply("it answered in another protocol (" + reason + ")"));
                return;
            }
            channel.send(new Goodbye(ErrorCode.MALFORMED_FRAME, reason), () -> {});
            fail(new LinkLostException("The server sent what is no frame of the protocol: " + reason, malformed));
        }
    }

    private void readPrologue(ByteBuf in) {
        if (in.readableBytes() < Prologue.BYTES) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(Prologue.BYTES);
        in.readBytes(bytes);
        Prologue.Server server = Prologue.Server.decode(bytes.flip());
        if (!server.accepted()) {
            fail(new ConnectException(
                    ErrorCode.UNSUPPORTED_VERSION,
                    "The server speaks protocol version " + server.newestVersion() + " at most, this client "
                            + Prologue.OLDEST_VERSION + " to " + Prologue.NEWEST_VERSION
                            + ": take a client of the same release"));
            return;
        }
        agreed = true;
        open();
    }

    private void readFrame(ByteBuf in) {
        if (in.readableBytes() < FrameCodec.LENGTH_BYTES) {
            return;
        }
        int length = FrameCodec.checkLength(in.getInt(in.readerIndex()));
        if (in.readableBytes() < FrameCodec.LENGTH_BYTES + length) {
            return;
        }
        in.skipBytes(FrameCodec.LENGTH_BYTES);
        ByteBuffer content = ByteBuffer.allocate(length);
        in.readBytes(content);
        onFrame(FrameCodec.decode(content.flip(), Peer.SERVER));
    }

    private void onFrame(Frame frame) {
        if (frame instanceof TransferGrant grant) {
            channel.onGrant(grant.transferId());
        } else if (frame instanceof TransferBegin begin) {
            transfers.onBegin(begin, true);
        } else if (frame instanceof TransferChunk chunk) {
            Optional<ByteBuffer> content = transfers.onChunk(chunk);
            if (content.isPresent()) {
                listener.onFrame(FrameCodec.decodeTransferred(content.get(), Peer.SERVER));
            }
        } else {
            listener.onFrame(frame);
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        // Runs when the channel closes, after the last bytes were decoded; also if it was closed before it opened.
        listener.onClosed(failure.orElseGet(() -> agreed
                ? new LinkLostException("The connection to the server was closed")
                : early.apply("it closed the connection before it answered")));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(reason(cause));
    }

    private LinkException reason(Throwable cause) {
        if (cause instanceof ConnectException connecting) {
            return connecting;
        }
        if (cause instanceof MillraceException ours) {
            return new LinkLostException(ours.getMessage(), ours);
        }
        return agreed
                ? new LinkLostException("The connection to the server broke: " + cause, cause)
                : early.apply("the connection broke before it answered (" + cause + ")");
    }

    private void fail(LinkException why) {
        if (failure.isEmpty()) {
            failure = Optional.of(why);
            channel.close();
        }
    }
}
