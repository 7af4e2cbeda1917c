package io.millrace.wire.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.wire.record.Record;
import io.millrace.wire.record.RecordHeader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The records in {@code vectors/messages} read as the messages that are spelt out there, and those messages are written as these
 * records. The files are the format, fixed: a change of them is a change of what is on people's disks.
 *
 * <p>A file has the record (timestamp, key, value, headers in order; bytes in hexadecimal, {@code null} for none), a line
 * {@code ---}, and the message. {@code read only} above the line: we would write it otherwise. {@code malformed: TEXT} in place of
 * the message: what the exception says.
 */
class MessageVectorsTest {
    /** A vector as it stands in its file. */
    private record Vector(Record record, boolean readOnly, List<String> message) {}

    static Stream<String> vectors() throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    private static Path directory() throws URISyntaxException {
        return Path.of(Objects.requireNonNull(MessageVectorsTest.class.getResource("/vectors/messages"))
                .toURI());
    }

    @Test
    void shouldHaveVectorsOfEveryKind() throws IOException, URISyntaxException {
        assertThat(vectors())
                .contains(
                        "text.txt",
                        "everything.txt",
                        "map.txt",
                        "stream.txt",
                        "kafka-text.txt",
                        "malformed-version.txt")
                .hasSizeGreaterThanOrEqualTo(20);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldReadWhatTheTextSays(String file) throws IOException, URISyntaxException {
        Vector vector = parse(file);
        String first = vector.message().get(0);

        if (first.startsWith("malformed: ")) {
            assertThatExceptionOfType(MalformedMessageException.class)
                    .isThrownBy(() -> MessageRecords.read(vector.record(), TestRecords.TEXT_ORIGIN)
                            .toMessage())
                    .withMessage(first.substring("malformed: ".length()));
        } else {
            assertThat(MessageText.of(MessageRecords.read(vector.record(), TestRecords.TEXT_ORIGIN)))
                    .isEqualTo(vector.message());
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldWriteTheSameBytes(String file) throws IOException, URISyntaxException {
        Vector vector = parse(file);
        if (vector.readOnly()) {
            assertThat(file).matches("(kafka|malformed|changed|extension)-?.*");
            return;
        }

        Message message =
                MessageRecords.read(vector.record(), TestRecords.TEXT_ORIGIN).toMessage();
        EncodedMessage encoded = MessageRecords.encode(message);

        assertThat(new Record(
                        vector.record().offset(),
                        encoded.timestampMs(),
                        encoded.key().map(TestRecords::bytes).orElse(null),
                        encoded.value().map(TestRecords::bytes).orElse(null),
                        encoded.headers()))
                .isEqualTo(vector.record());
    }

    @Test
    void shouldWriteTheExampleOfTheDocument() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "message-format.md"));
        String example = document.substring(document.indexOf("## An example"));
        String block = example.substring(example.indexOf("```\n") + 4, example.lastIndexOf("```"));
        List<String> quoted = new ArrayList<>();
        for (String line : block.split("\n", -1)) {
            String bytes =
                    line.replaceAll("\\[.*", "").replaceAll("^[a-z ]+:", "").replace(" ", "");
            if (line.startsWith(" ")) {
                quoted.add(quoted.remove(quoted.size() - 1) + bytes);
            } else if (!line.isEmpty()) {
                quoted.add(bytes);
            }
        }

        EncodedMessage encoded = MessageRecords.encode(Message.builder(MessageBody.text("Grüße"))
                .id(MessageId.parse("ID:01234567-89ab-cdef-0123-456789abcdef:1"))
                .property("count", 5)
                .build());

        assertThat(quoted)
                .containsExactly(
                        upperHex(encoded.value().map(TestRecords::bytes).orElse(null)),
                        upperHex(encoded.headers().get(0).value()),
                        upperHex(encoded.headers().get(1).value()));
    }

    private static String upperHex(byte @Nullable [] bytes) {
        return bytes == null ? "null" : HexFormat.of().withUpperCase().formatHex(bytes);
    }

    private static Vector parse(String file) throws IOException, URISyntaxException {
        long timestamp = 0;
        byte @Nullable [] key = null;
        byte @Nullable [] value = null;
        boolean readOnly = false;
        List<RecordHeader> headers = new ArrayList<>();
        List<String> lines = Files.readAllLines(directory().resolve(file), UTF_8);
        int border = lines.indexOf("---");
        for (String line : lines.subList(0, border)) {
            if (line.startsWith("timestamp: ")) {
                timestamp = Long.parseLong(line.substring(11));
            } else if (line.startsWith("key: ")) {
                key = hex(line.substring(5));
            } else if (line.startsWith("value: ")) {
                value = hex(line.substring(7));
            } else if (line.startsWith("header ")) {
                String[] nameAndValue = line.substring(7).split(": ", 2);
                headers.add(new RecordHeader(nameAndValue[0], hex(nameAndValue[1])));
            } else if (line.equals("read only")) {
                readOnly = true;
            } else {
                assertThat(line).startsWith("#");
            }
        }
        return new Vector(
                new Record(7, timestamp, key, value, headers), readOnly, lines.subList(border + 1, lines.size()));
    }

    private static byte @Nullable [] hex(String text) {
        return text.equals("null")
                ? null
                : HexFormat.of().parseHex(text.replace(" ", "").replace("empty", ""));
    }
}
