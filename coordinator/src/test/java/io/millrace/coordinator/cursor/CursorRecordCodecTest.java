package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the format to the test vectors that {@code docs/cursor-log-format.md} names. */
class CursorRecordCodecTest {

    /** One line of a file of vectors: key and value in hexadecimal, and what to expect. */
    record Vector(ByteBuffer key, ByteBuffer value, String expected) {
        @Override
        public String toString() {
            return expected;
        }
    }

    static List<Vector> wellFormed() {
        return vectors("cursor-records.txt");
    }

    static List<Vector> malformed() {
        return vectors("malformed-cursor-records.txt");
    }

    @ParameterizedTest
    @MethodSource("wellFormed")
    void shouldReadAndWriteEachVector(Vector vector) {
        CursorRecord record = CursorRecordCodec.decode(vector.key(), vector.value());

        assertThat(record).hasToString(vector.expected());
        assertThat(ByteBuffer.wrap(CursorRecordCodec.encodeKey(record))).isEqualTo(vector.key());
        assertThat(ByteBuffer.wrap(CursorRecordCodec.encodeValue(record))).isEqualTo(vector.value());
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void shouldRefuseEachMalformedVector(Vector vector) {
        assertThatThrownBy(() -> CursorRecordCodec.decode(vector.key(), vector.value()))
                .isInstanceOf(MalformedCursorRecordException.class)
                .hasMessageContaining(vector.expected());
    }

    @Test
    void shouldHaveAVectorOfEachKind() {
        Set<Class<?>> kinds = new HashSet<>();
        for (Vector vector : wellFormed()) {
            kinds.add(CursorRecordCodec.decode(vector.key(), vector.value()).getClass());
        }

        assertThat(kinds).containsExactlyInAnyOrder(CursorRecord.class.getPermittedSubclasses());
    }

    @Test
    void shouldLeaveTheBuffersWhereTheyAre() {
        CursorRecord record = new CursorRecord.Moved(CursorId.QUEUE, 77);
        ByteBuffer key = ByteBuffer.wrap(CursorRecordCodec.encodeKey(record));
        ByteBuffer value = ByteBuffer.allocate(10)
                .position(3)
                .put(CursorRecordCodec.encodeValue(record))
                .flip()
                .position(3);

        assertThat(CursorRecordCodec.decode(key, value)).isEqualTo(record);
        assertThat(key.position()).isZero();
        assertThat(value.position()).isEqualTo(3);
    }

    private static List<Vector> vectors(String file) {
        try (InputStream in = Objects.requireNonNull(CursorRecordCodecTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(CursorRecordCodecTest::vector)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Vector vector(String line) {
        String[] fields = line.split(" +", 3);
        return new Vector(hex(fields[0]), hex(fields[1]), fields[2]);
    }

    /** A minus stands for no bytes. */
    private static ByteBuffer hex(String digits) {
        return ByteBuffer.wrap(digits.equals("-") ? new byte[0] : HexFormat.of().parseHex(digits));
    }
}
