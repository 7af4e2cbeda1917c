package io.millrace.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.frame.SampleFrames.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bytes of every sample frame, length included, as they were when the protocol version was published. A failure means that two
 * releases would not understand each other.
 */
class FrameVectorsTest {

    private static final String RESOURCE = "/vectors/native-frames-v1.txt";

    static List<Sample> samples() {
        return SampleFrames.all();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldWriteTheBytesOfTheVector(Sample sample) {
        assertThat(HexFormat.of()
                        .formatHex(FrameCodecTest.encoded(sample.frame()).array()))
                .isEqualTo(vectors().get(sample.name()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldReadTheBytesOfTheVector(Sample sample) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(vectors().getOrDefault(sample.name(), "")));

        assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
        assertThat(FrameCodec.decode(bytes, sample.frame().type().sentBy(Peer.CLIENT) ? Peer.CLIENT : Peer.SERVER))
                .isEqualTo(sample.frame());
    }

    @Test
    void shouldHaveNoVectorWithoutASample() {
        assertThat(vectors().keySet())
                .containsExactlyElementsOf(samples().stream().map(Sample::name).toList());
    }

    private static Map<String, String> vectors() {
        Map<String, String> vectors = new LinkedHashMap<>();
        try (InputStream in = FrameVectorsTest.class.getResourceAsStream(RESOURCE)) {
            assertThat(in).as(RESOURCE).isNotNull();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] nameAndHex = line.trim().split("\\s+", -1);
                    vectors.put(nameAndHex[0], nameAndHex[1]);
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return vectors;
    }
}
