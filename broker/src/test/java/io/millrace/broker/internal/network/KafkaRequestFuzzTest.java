package io.millrace.broker.internal.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.testkit.FakeTimeSource;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;

/** Whatever a Kafka client sends is cut into the same requests however it arrives, and is decoded or refused: never with an error of the JVM. */
class KafkaRequestFuzzTest {

    private static final int MAX_BYTES = 64 * 1024;
    private static final int MOST_FIELDS = 10_000;

    /** The first two bytes choose kind and version, the rest is the body. */
    @FuzzTest
    void parse(byte[] script) {
        if (script.length < 2 || script.length > MAX_BYTES) {
            return;
        }
        List<ApiKeys> kinds = List.copyOf(ApiKeys.clientApis());
        ApiKeys kind = kinds.get(Byte.toUnsignedInt(script[0]) % kinds.size());
        int versions = kind.latestVersion() - kind.oldestVersion() + 1;
        short version = (short) (kind.oldestVersion() + Byte.toUnsignedInt(script[1]) % versions);
        RequestFields fields = new RequestFields(ByteBuffer.wrap(script, 2, script.length - 2), MOST_FIELDS);
        try {
            assertThat(AbstractRequest.parseRequest(kind, version, fields)
                            .request
                            .apiKey())
                    .isEqualTo(kind);
        } catch (RuntimeException refused) {
            assertThat(fields.heapBytes()).isNotNegative();
        }
    }

    /** How a stream is cut into reads does not matter. */
    @FuzzTest
    void cut(byte[] stream) {
        if (stream.length > MAX_BYTES) {
            return;
        }
        assertThat(frames(stream, 1)).isEqualTo(frames(stream, Math.max(1, stream.length)));
    }

    private static List<Object> frames(byte[] stream, int pieceBytes) {
        EmbeddedChannel channel = new EmbeddedChannel();
        ReadGate gate = new ReadGate(channel);
        FrameMemory memory = new FrameMemory(new TransferPool(1 << 20, () -> {}), gate, new FakeTimeSource());
        KafkaFrameReader reader = new KafkaFrameReader(
                length -> {
                    if (length < 8 || length > MAX_BYTES) {
                        throw KafkaFrameReader.badLength(length, MAX_BYTES, "here");
                    }
                    return length;
                },
                gate,
                memory,
                new FakeTimeSource());
        channel.pipeline().addLast(reader);
        List<Object> frames = new ArrayList<>();
        try {
            for (int at = 0; at < stream.length; at += pieceBytes) {
                channel.writeInbound(Unpooled.copiedBuffer(stream, at, Math.min(pieceBytes, stream.length - at)));
            }
        } catch (RuntimeException refused) {
            frames.add("refused");
        }
        for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
            frames.add(next);
        }
        channel.finishAndReleaseAll();
        return frames;
    }
}
