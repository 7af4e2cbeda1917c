package io.millrace.broker.internal.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Heartbeat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What came in one read is looked at frame by frame, and only as far as there is room for the answers. */
class FrameReaderTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ReadGate gate = new ReadGate(channel, this::resume);
    private final FrameReader reader = new FrameReader(
            length -> length, gate, new FrameMemory(new TransferPool(1 << 20, () -> {}), gate, new FakeTimeSource()));

    @BeforeEach
    void addReader() {
        channel.pipeline().addLast(reader);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void resume() {
        reader.resume();
    }

    private static ByteBuf heartbeats(int count) {
        ByteBuffer bytes = ByteBuffer.allocate(64 * count);
        for (int i = 0; i < count; i++) {
            FrameCodec.encode(new Heartbeat(i), bytes);
        }
        return Unpooled.wrappedBuffer(bytes.flip());
    }

    private void assertNextIs(long number) {
        assertThat(channel.<InboundFrame>readInbound().frame()).isEqualTo(new Heartbeat(number));
    }

    @Test
    void shouldCutNoFrameWhileTheGateIsClosed() {
        gate.close(ReadGate.Reason.OUTBOUND);
        channel.writeInbound(heartbeats(2));
        assertThat(channel.inboundMessages()).isEmpty();

        gate.open(ReadGate.Reason.OUTBOUND);
        channel.runPendingTasks();
        assertNextIs(0);
        assertNextIs(1);
    }

    @Test
    void shouldStopWithinOneReadWhenTheGateCloses() {
        channel.pipeline().addLast(new CloseAfterEach());
        channel.writeInbound(heartbeats(3));
        assertNextIs(0);
        assertThat(channel.inboundMessages()).isEmpty();

        gate.open(ReadGate.Reason.IN_FLIGHT);
        channel.runPendingTasks();
        assertNextIs(1);
        assertThat(channel.inboundMessages()).isEmpty();
    }

    private final class CloseAfterEach extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            gate.close(ReadGate.Reason.IN_FLIGHT);
            ctx.fireChannelRead(message);
        }
    }
}
