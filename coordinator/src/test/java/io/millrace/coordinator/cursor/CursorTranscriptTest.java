package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the commands of each transcript, lines that start with {@code >}, and compares the whole file with what came of them: a change of
 * behaviour is read as a difference of the file.
 */
class CursorTranscriptTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acknowledging-out-of-order",
                "competing-consumers",
                "kill-and-power-cut",
                "rewind-and-skip",
                "image-and-cut-of-the-data-log",
                "transactions"
            })
    void shouldAnswerAsInTheTranscript(String name) {
        String expected = read("transcripts/" + name + ".txt");
        CursorTranscript transcript = new CursorTranscript();
        StringBuilder actual = new StringBuilder();
        for (String line : expected.lines().toList()) {
            if (line.startsWith("> ")) {
                actual.append(line).append('\n');
                transcript
                        .run(line.substring(2))
                        .forEach(answer -> actual.append("  ").append(answer).append('\n'));
            } else if (line.startsWith("#") || line.isEmpty()) {
                actual.append(line).append('\n');
            }
        }

        assertThat(actual.toString()).isEqualTo(expected);
    }

    private static String read(String resource) {
        try (InputStream in =
                Objects.requireNonNull(CursorTranscriptTest.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
