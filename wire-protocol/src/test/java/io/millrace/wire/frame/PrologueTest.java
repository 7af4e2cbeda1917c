package io.millrace.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrologueTest {

    @Test
    void shouldBeNegativeAsAKafkaLength() {
        assertThat(Prologue.MAGIC).isNegative();
    }

    @Test
    void shouldReadWhatItWrote() {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Prologue.BYTES);
        new Prologue.Client(1, 65_535).encode(bytes);
        new Prologue.Server(7, 9).encode(bytes);
        bytes.flip();

        assertThat(Prologue.Client.decode(bytes)).isEqualTo(new Prologue.Client(1, 65_535));
        assertThat(Prologue.Server.decode(bytes)).isEqualTo(new Prologue.Server(7, 9));
        assertThat(bytes.hasRemaining()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 9, 1", "2, 9, 0"})
    void shouldChooseTheNewestCommonVersion(int oldest, int newest, int chosen) {
        Prologue.Server answer = Prologue.Server.answerTo(new Prologue.Client(oldest, newest));

        assertThat(answer.chosenVersion()).isEqualTo(chosen);
        assertThat(answer.accepted()).isEqualTo(chosen != 0);
        assertThat(answer.newestVersion()).isEqualTo(Prologue.NEWEST_VERSION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a54d4c5300010001",
                "a54d4c5200000001",
                "a54d4c5200020001",
                "a54d4c52000100",
                "",
                "0000000a00010001"
            })
    void shouldRefuseWhatIsNoPrologueOfAClient(String hex) {
        assertThatThrownBy(() ->
                        Prologue.Client.decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex))))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("Prologue");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a54d4c5300010001", "a54d4c5200000000", "a54d4c5200020001", "a54d4c52000100"})
    void shouldRefuseWhatIsNoPrologueOfAServer(String hex) {
        assertThatThrownBy(() ->
                        Prologue.Server.decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex))))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("Prologue");
    }

    @Test
    void shouldKnowWhetherThereIsAVersionToChoose() {
        assertThat(new Prologue.Client(3, 3).isOneVersion()).isTrue();
        assertThat(new Prologue.Client(2, 3).isOneVersion()).isFalse();
    }
}
