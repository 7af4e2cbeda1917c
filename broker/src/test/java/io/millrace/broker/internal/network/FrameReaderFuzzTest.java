package io.millrace.broker.internal.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.wire.frame.Frame;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * However a stream of frames is cut into reads, it is decoded as if it had come at once: the same frames, then the same refusal. No room
 * for a frame is kept after the end.
 */
class FrameReaderFuzzTest {
    private static final int MAX_BYTES = 64 * 1024;

    /** The least that a broker has, which is more than the largest frame. */
    private static final int POOL_BYTES = 1 << 20;

    private record Decoded(List<Frame> frames, Optional<String> refusal, int bytes) {}

    /**
     * The input is a script: for each frame its length and its content. How it is cut is read from the same bytes, backwards; the length in
     * front is put right, unless the script says otherwise.
     */
    @FuzzTest
    void cutStream(byte[] script) {
        if (script.length > MAX_BYTES) {
            return;
        }
        byte[] stream = stream(script);
        Decoded whole = decode(List.of(stream));
        List<byte[]> cut = cut(stream, script);

        assertThat(decode(cut)).isEqualTo(whole);
        assertThat(decode(singly(stream))).isEqualTo(whole);
    }

    private static byte[] stream(byte[] script) {
        ByteBuffer stream = ByteBuffer.allocate(4 * script.length + 8);
        for (ByteBuffer in = ByteBuffer.wrap(script); in.remaining() >= 2; ) {
            int size = Math.min(Byte.toUnsignedInt(in.get()), in.remaining());
            if (size == 0xff) {
                // The length as it comes, and a part of what it says.
                stream.putInt(in.remaining() >= 4 ? in.getInt() : in.get());
                continue;
            }
            byte[] content = new byte[size];
            in.get(content);
            stream.putInt(size).put(content);
        }
        byte[] bytes = new byte[stream.position()];
        stream.flip().get(bytes);
        return bytes;
    }

    private static List<byte[]> cut(byte[] stream, byte[] script) {
        List<byte[]> parts = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(stream);
        for (int at = script.length; in.hasRemaining(); ) {
            at = at == 0 ? script.length - 1 : at - 1;
            byte[] part = new byte[Math.min(1 + (script[at] & 0x1f), in.remaining())];
            in.get(part);
            parts.add(part);
        }
        return parts;
    }

    private static List<byte[]> singly(byte[] stream) {
        List<byte[]> parts = new ArrayList<>();
        for (byte one : stream) {
            parts.add(new byte[] {one});
        }
        return parts;
    }

    private static Decoded decode(List<byte[]> parts) {
        EmbeddedChannel channel = new EmbeddedChannel();
        TransferPool pool = new TransferPool(POOL_BYTES, () -> {});
        ReadGate gate = new ReadGate(channel);
        FrameMemory memory = new FrameMemory(pool, gate, new FakeTimeSource());
        channel.pipeline().addLast(new FrameReader(length -> length, gate, memory));
        Optional<String> refusal = Optional.empty();
        for (byte[] part : parts) {
            try {
                channel.writeInbound(Unpooled.wrappedBuffer(part));
            } catch (DecoderException refused) {
                assertThat(refusal).as("refused once").isEmpty();
                refusal = Optional.of(String.valueOf(refused.getCause()));
            }
        }
        List<Frame> frames = new ArrayList<>();
        int bytes = 0;
        for (InboundFrame in = channel.readInbound(); in != null; in = channel.readInbound()) {
            frames.add(in.frame());
            bytes += in.bytes();
        }
        channel.finishAndReleaseAll();
        assertThat(pool.reservedBytes()).isZero();
        return new Decoded(frames, refusal, bytes);
    }
}
