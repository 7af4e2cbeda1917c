package io.millrace.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.SampleFrames.Sample;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Code and docs/protocol.md must not drift apart. */
class ProtocolDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "protocol.md");

    static List<Sample> samples() {
        return SampleFrames.all();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldListTheFieldsOfEachFrameInOrder(Sample sample) throws IOException {
        Class<?> frame = sample.frame().getClass();
        int id = sample.frame().type().id();
        List<String> lines = Files.readAllLines(DOCUMENT);

        int heading = indexOfLineStarting(lines, "### " + frame.getSimpleName() + " (" + id + "), sent by ");
        List<String> documented = new ArrayList<>();
        for (int i = heading + 1; i < lines.size() && !lines.get(i).startsWith("#"); i++) {
            if (lines.get(i).startsWith("| `")) {
                documented.add(lines.get(i).substring(3, lines.get(i).indexOf('`', 3)));
            }
        }

        assertThat(documented)
                .containsExactlyElementsOf(List.of(frame.getRecordComponents()).stream()
                        .map(RecordComponent::getName)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void shouldListEachErrorCode(ErrorCode code) throws IOException {
        indexOfLineStarting(
                Files.readAllLines(DOCUMENT),
                "| " + code.id() + " | " + code + " | " + code.category().name().toLowerCase(Locale.ROOT) + " | ");
    }

    @Test
    void shouldQuoteVectorsAsTheyAre() throws IOException {
        String quoted = Files.readString(DOCUMENT);
        quoted = quoted.substring(quoted.indexOf("## 17. Examples"));

        assertThat(hexOfBlock(quoted, "`send` of the vectors")).isEqualTo(hexOf("send"));
        assertThat(hexOfBlock(quoted, "`deliver-records`")).isEqualTo(hexOf("deliver-records"));
    }

    private static String hexOfBlock(String text, String before) {
        int start = text.indexOf("```\n", text.indexOf(before)) + 4;
        StringBuilder hex = new StringBuilder();
        for (String line : text.substring(start, text.indexOf("```", start)).split("\n", -1)) {
            // two spaces end the bytes of a line
            hex.append(line.split(" {2,}", 2)[0].replace(" ", "").toLowerCase(Locale.ROOT));
        }
        return hex.toString();
    }

    private static String hexOf(String sampleName) {
        Frame frame = samples().stream()
                .filter(sample -> sample.name().equals(sampleName))
                .findFirst()
                .orElseThrow()
                .frame();
        byte[] bytes = new byte[FrameCodec.sizeOf(frame)];
        FrameCodecTest.encoded(frame).get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static int indexOfLineStarting(List<String> lines, String start) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(start)) {
                return i;
            }
        }
        throw new AssertionError(DOCUMENT + " has no line that starts with: " + start);
    }
}
