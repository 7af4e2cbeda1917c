package io.millrace.wire.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VarintsTest {
    private final Random random = new Random(42);
    private final ByteBuffer buffer = ByteBuffer.allocate(16);

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "-1, 01",
        "1, 02",
        "63, 7e",
        "-64, 7f",
        "64, 8001",
        "300, d804",
        "2147483647, feffffff0f",
        "-2147483648, ffffffff0f"
    })
    void shouldCodeKnownInts(int value, String hex) {
        Varints.writeInt(value, buffer);

        assertThat(HexFormat.of().formatHex(TestBytes.copy(buffer.flip()))).isEqualTo(hex);
        assertThat(Varints.sizeOfInt(value)).isEqualTo(hex.length() / 2);
        assertThat(Varints.readInt(buffer)).isEqualTo(value);
        assertThat(buffer.hasRemaining()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "-1, 01",
        "9223372036854775807, feffffffffffffffff01",
        "-9223372036854775808, ffffffffffffffffff01"
    })
    void shouldCodeKnownLongs(long value, String hex) {
        Varints.writeLong(value, buffer);

        assertThat(HexFormat.of().formatHex(TestBytes.copy(buffer.flip()))).isEqualTo(hex);
        assertThat(Varints.sizeOfLong(value)).isEqualTo(hex.length() / 2);
        assertThat(Varints.readLong(buffer)).isEqualTo(value);
    }

    @Test
    void shouldCodeIntsLikeKafka() {
        IntStream.range(0, 50_000)
                .map(i -> random.nextInt() >> random.nextInt(32))
                .forEach(value -> {
                    Varints.writeInt(value, buffer.clear());
                    ByteBuffer kafkas = ByteBuffer.allocate(16);
                    ByteUtils.writeVarint(value, kafkas);
                    assertThat(buffer.flip()).as("%d", value).isEqualTo(kafkas.flip());
                    assertThat(Varints.sizeOfInt(value)).isEqualTo(ByteUtils.sizeOfVarint(value));
                    assertThat(Varints.readInt(kafkas)).isEqualTo(value);
                });
    }

    @Test
    void shouldCodeLongsLikeKafka() {
        LongStream.range(0, 50_000)
                .map(i -> random.nextLong() >> random.nextInt(64))
                .forEach(value -> {
                    Varints.writeLong(value, buffer.clear());
                    ByteBuffer kafkas = ByteBuffer.allocate(16);
                    ByteUtils.writeVarlong(value, kafkas);
                    assertThat(buffer.flip()).as("%d", value).isEqualTo(kafkas.flip());
                    assertThat(Varints.sizeOfLong(value)).isEqualTo(ByteUtils.sizeOfVarlong(value));
                    assertThat(Varints.readLong(kafkas)).isEqualTo(value);
                });
    }

    @Test
    void shouldReadALongerCodingThanNecessary() {
        assertThat(Varints.readInt(hex("8000"))).isZero();
        assertThat(Varints.readInt(hex("8280808000"))).isEqualTo(1);
        assertThat(Varints.readLong(hex("82808080808080808000"))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8080808080", "808080808000", "ffffffffff01", "ffffffff10", "ffffffff7f"})
    void shouldRefuseWhatIsNoInt(String hex) {
        assertThatThrownBy(() -> Varints.readInt(hex(hex)))
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("32 bits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"80808080808080808080", "8080808080808080808000", "ffffffffffffffffff02"})
    void shouldRefuseWhatIsNoLong(String hex) {
        assertThatThrownBy(() -> Varints.readLong(hex(hex)))
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("64 bits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "80", "ffffff"})
    void shouldRefuseANumberThatTheBufferCuts(String hex) {
        assertThatThrownBy(() -> Varints.readInt(hex(hex)))
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("runs over the end");
        assertThatThrownBy(() -> Varints.readLong(hex(hex))).isInstanceOf(CorruptBatchException.class);
    }

    private static ByteBuffer hex(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }
}
