package io.millrace.wire.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Wtf8Test {
    @Property
    void shouldBringBackAnyString(
            @ForAll @StringLength(max = 12) @CharRange(from = '\uD7F0', to = '\uE010') @CharRange(from = 'a', to = 'f')
                    String text) {
        assertThat(Wtf8.tryDecode(ByteBuffer.wrap(Wtf8.encode(text)))).isEqualTo(text);
    }

    @Property
    void shouldWriteProperTextAsUtf8(@ForAll String text) {
        if (UTF_8.newEncoder().canEncode(text)) {
            assertThat(Wtf8.encode(text)).isEqualTo(text.getBytes(UTF_8));
        }
    }

    @Property
    void shouldReadNothingThatItWouldNotWrite(@ForAll byte[] bytes) {
        String text = Wtf8.tryDecode(ByteBuffer.wrap(bytes));

        if (text != null) {
            assertThat(Wtf8.encode(text)).isEqualTo(bytes);
        }
    }

    @Test
    void shouldWriteHalfAPairAsThreeBytes() {
        assertThat(Wtf8.encode("a\uD83Db\uDE00")).isEqualTo(HexFormat.of().parseHex("61eda0bd62edb880"));
    }

    @Test
    void shouldKeepReplacementCharactersOfTheTextItself() {
        assertThat(Wtf8.tryDecode(ByteBuffer.wrap("a\uFFFDb".getBytes(UTF_8)))).isEqualTo("a\uFFFDb");
    }

    @Test
    void shouldNotTakeHalfAPairForUtf8() {
        ByteBuffer half = ByteBuffer.wrap(Wtf8.encode("x\uD83D"));

        assertThat(Wtf8.tryDecodeUtf8(half)).isNull();
        assertThat(Wtf8.tryDecode(half)).isEqualTo("x\uD83D");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "c3", "e282", "c0af", "eda0bdedb880", "f4908080", "80", "eda0", "61eda0bd80"})
    void shouldRefuseWhatIsNoText(String hex) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));

        assertThat(Wtf8.tryDecode(bytes)).isNull();
        assertThat(Wtf8.tryDecodeUtf8(bytes)).isNull();
        assertThat(Wtf8.decodeOrReplace(bytes)).contains("\uFFFD");
    }

    @Test
    void shouldReadReadOnlyBuffersFromTheirPosition() {
        ByteBuffer bytes = ByteBuffer.wrap("xxhelloyy".getBytes(UTF_8))
                .asReadOnlyBuffer()
                .position(2)
                .limit(7);

        assertThat(Wtf8.tryDecode(bytes)).isEqualTo("hello");
        assertThat(bytes.position()).isEqualTo(2);
    }
}
