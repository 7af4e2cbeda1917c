package io.millrace.broker.internal.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What came in one read is looked at request by request, and only as far as there is room for the answers. */
class KafkaFrameReaderTest {

    private static final int REQUEST_BYTES = 8;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final FakeTimeSource time = new FakeTimeSource();
    private final ReadGate gate = new ReadGate(channel, this::resume);
    private final KafkaFrameReader reader = new KafkaFrameReader(
            length -> length, gate, new FrameMemory(new TransferPool(1 << 20, () -> {}), gate, time), time);

    @BeforeEach
    void addReader() {
        channel.pipeline().addLast(reader);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void resume() {
        try {
            reader.resume();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static ByteBuf requests(int count) {
        ByteBuf bytes = Unpooled.buffer();
        for (int i = 0; i < count; i++) {
            bytes.writeInt(REQUEST_BYTES).writeLong(i);
        }
        return bytes;
    }

    private void assertNextIs(long number) {
        assertThat(channel.<ByteBuffer>readInbound().getLong()).isEqualTo(number);
    }

    @Test
    void shouldCutNoRequestWhileTheGateIsClosed() {
        gate.close(ReadGate.Reason.OUTBOUND);
        channel.writeInbound(requests(3));
        assertThat(channel.inboundMessages()).isEmpty();

        gate.open(ReadGate.Reason.OUTBOUND);
        channel.runPendingTasks();
        assertNextIs(0);
        assertNextIs(1);
        assertNextIs(2);
    }

    @Test
    void shouldStopWithinOneReadWhenTheGateCloses() {
        channel.pipeline().addLast(new CloseAfterEach());
        channel.writeInbound(requests(2));
        assertNextIs(0);
        assertThat(channel.inboundMessages()).isEmpty();

        gate.open(ReadGate.Reason.PENDING);
        channel.runPendingTasks();
        assertNextIs(1);
    }

    @Test
    void shouldNotBlameTheClientForWhatWaitsHere() {
        gate.close(ReadGate.Reason.OUTBOUND);
        channel.writeInbound(requests(1));
        time.advanceMs(3_600_000);
        assertThat(reader.stalledNs(time.nanoTime())).isZero();
    }

    private final class CloseAfterEach extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            gate.close(ReadGate.Reason.PENDING);
            ctx.fireChannelRead(message);
        }
    }
}
