package io.millrace.wire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageBodyTest {
    private static final List<@Nullable Object> VALUES = Arrays.asList(
            null,
            true,
            false,
            Byte.MIN_VALUE,
            Short.MIN_VALUE,
            '\uD800',
            Integer.MIN_VALUE,
            Integer.MAX_VALUE,
            -1,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            Float.MIN_VALUE,
            -0.0f,
            Float.NaN,
            Double.MAX_VALUE,
            Double.NEGATIVE_INFINITY,
            "",
            "half \uDC00 a pair",
            new byte[0],
            new byte[] {1, -1});

    @Test
    void shouldBringBackEveryTypeInAStream() {
        List<@Nullable Object> read = MessageBody.stream(VALUES).stream();

        assertThat(read.toArray()).isEqualTo(VALUES.toArray());
    }

    @Test
    void shouldBringBackEveryTypeAndTheOrderInAMap() {
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        for (int i = VALUES.size() - 1; i >= 0; i--) {
            entries.put("entry " + i, VALUES.get(i));
        }

        Map<String, @Nullable Object> read = MessageBody.map(entries).map();

        assertThat(read.keySet()).containsExactlyElementsOf(entries.keySet());
        assertThat(read.values().toArray()).isEqualTo(entries.values().toArray());
    }

    @Test
    void shouldTellAbsentFromEmpty() {
        assertThat(MessageBody.absentText().text()).isEmpty();
        assertThat(MessageBody.text("").text()).contains("");
        assertThat(MessageBody.absentText()).isNotEqualTo(MessageBody.text(""));
        assertThat(MessageBody.absentObject().isAbsent()).isTrue();
        assertThat(MessageBody.map(Map.of()).map()).isEmpty();
        assertThat(MessageBody.stream(List.of()).stream()).isEmpty();
    }

    @Test
    void shouldReadAnAbsentValueOfAnyTypeAsEmpty() {
        assertThat(MessageBody.of(BodyType.MAP, null).map()).isEmpty();
        assertThat(MessageBody.of(BodyType.STREAM, null).stream()).isEmpty();
        assertThat(MessageBody.of(BodyType.BYTES, null).bytes().remaining()).isZero();
    }

    @Test
    void shouldNotLetCallersChangeIt() {
        byte[] inside = {1};
        MessageBody body = MessageBody.stream(List.of(inside));

        inside[0] = 2;
        ((byte[]) body.stream().get(0))[0] = 3;
        body.bytes().position(1);

        assertThat(body.stream()).singleElement().isEqualTo(new byte[] {1});
        assertThat(body.bytes().isReadOnly()).isTrue();
        assertThat(body.bytes().position()).isZero();
    }

    @Test
    void shouldRefuseValuesThatAreNoMessageValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageBody.stream(List.of(new Object())))
                .withMessageContaining("java.lang.Object");
    }

    @Test
    void shouldRefuseToReadAnotherType() {
        assertThatIllegalStateException().isThrownBy(() -> MessageBody.text("x").map());
        assertThatIllegalStateException().isThrownBy(() -> MessageBody.plain().text());
    }

    @Test
    void shouldSayThatATextIsNoText() {
        MessageBody body = MessageBody.of(BodyType.TEXT, ByteBuffer.wrap(new byte[] {'a', (byte) 0xFF}));

        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(body::text)
                .withMessageContaining("not UTF-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''               | it ends within version",
                "02               | version is 2",
                "01               | it ends within number of items",
                "01 01            | number of items is 1, but only 0 bytes follow",
                "01 ffffffff0f 00 | number of items is 4294967295, but only 1 bytes follow",
                "01 ffffffffffffffffff01 00 | number of items is 18446744073709551615",
                "01 ffffffffffffffffff02 00 | does not fit 64 bits",
                "01 01 0b         | type of an item is 11",
                "01 01 0102       | a boolean is 0 or 1",
                "01 01 05ffffffff1f | no 32-bit integer",
                "01 01 09ffffff7f61 | length of an item is 268435455, but only 1 bytes follow",
                "01 01 0901ff     | an item is not UTF-8",
                "01 01 08000000   | it ends within an item",
                "01 00 00         | bytes left after its end: 1",
            })
    void shouldNameTheDamageInAStream(String hex, String expected) {
        byte[] value = HexFormat.of().parseHex(hex.replace(" ", ""));

        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> MessageBody.of(BodyType.STREAM, ByteBuffer.wrap(value)).stream())
                .withMessageStartingWith("malformed stream body: ")
                .withMessageContaining(expected);
    }

    @Test
    void shouldRefuseTwoEntriesOfOneName() {
        byte[] value = HexFormat.of().parseHex("0102" + "016100" + "016100");

        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() ->
                        MessageBody.of(BodyType.MAP, ByteBuffer.wrap(value)).map())
                .withMessageContaining("two entries 'a'");
    }

    @Test
    void shouldFindEveryTruncation() {
        ByteBuffer map = MessageBody.map(Map.of("a", 1L << 40, "b", "text", "c", new byte[3]))
                .bytes();

        for (int length = 0; length < map.limit(); length++) {
            MessageBody cut = MessageBody.of(BodyType.MAP, map.slice(0, length));
            assertThatExceptionOfType(MalformedMessageException.class)
                    .as("first %s bytes", length)
                    .isThrownBy(cut::map);
        }
    }
}
