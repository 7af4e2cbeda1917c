package io.millrace.wire.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationNameTest {

    @ParameterizedTest
    @CsvSource({
        "orders, orders",
        "a.b-c_D9, a.b-c_D9",
        "a/b, a_x002F_b",
        "gr\u00FC\u00DFe, gr_x00FC__x00DF_e",
        "\uD83D\uDE00, _xD83D__xDE00_",
        "a b, a_x0020_b",
        // looks like an escape
        "_x00FC_, _x005F_x00FC_",
        "_x00FC\u00FC, _x005F_x00FC_x00FC_",
        "_x005F_x00FC_, _x005F_x005F_x005F_x00FC_",
        // only resembles one
        "_x0041_, _x0041_",
        "_x00fc_, _x00fc_",
        "_x005F_b, _x005F_b",
        "_x00FC, _x00FC",
        "._, ._",
    })
    void shouldMapReversibly(String jmsName, String logName) {
        assertThat(DestinationName.of(jmsName).logName()).isEqualTo(logName);
        assertThat(DestinationName.fromLogName(logName).jmsName()).isEqualTo(jmsName);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../etc",
                "a/..",
                "a/../b",
                "__x",
                "a\u0000b",
                "a\nb",
                "\u007F",
                "a\u0085",
                "\uD83D",
                "\uDE00x",
                "a\uD83Db",
                "log::cursor"
            })
    void shouldRefuseNamesThatAreNone(String name) {
        assertThatThrownBy(() -> DestinationName.of(name)).isInstanceOf(InvalidDestinationNameException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a..b", "...", "a/.b", "a/...", "/", "a//b", "a:b", "x__y"})
    void shouldTakeNamesThatOnlyLookDangerous(String name) {
        DestinationName taken = DestinationName.of(name);

        assertThat(taken.jmsName()).isEqualTo(name);
        assertThat(taken.logName()).matches("[A-Za-z0-9._-]+").isNotIn(".", "..");
    }

    @Test
    void shouldCountTheLengthAfterMapping() {
        assertThat(DestinationName.of("a".repeat(249)).logName()).hasSize(249);
        assertThatThrownBy(() -> DestinationName.of("a".repeat(250)))
                .isInstanceOf(InvalidDestinationNameException.class)
                .hasMessageContaining("250 characters, more than 249");
        assertThat(DestinationName.of("\u00FC".repeat(35)).logName()).hasSize(245);
        assertThatThrownBy(() -> DestinationName.of("\u00FC".repeat(36)))
                .isInstanceOf(InvalidDestinationNameException.class)
                .hasMessageContaining("252 characters, more than 249");
    }

    @Test
    void shouldRefuseAHugeNameWithoutWorkOnIt() {
        assertThatThrownBy(() -> DestinationName.of("_x005F".repeat(1_000_000)))
                .isInstanceOf(InvalidDestinationNameException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(1_000));
    }

    @Test
    void shouldKnowTheServersOwnLogs() {
        assertThat(DestinationName.fromLogName("__cluster_metadata").internal()).isTrue();
        assertThat(DestinationName.of("orders").internal()).isFalse();
    }

    @Test
    void shouldRefuseFormsThatDoNotBelongTogether() {
        assertThatThrownBy(() -> new DestinationName("a", "b"))
                .isInstanceOf(InvalidDestinationNameException.class)
                .hasMessage("The log of destination 'a' cannot be called 'b'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", ".", "a/b", "\u00FC", "a b"})
    void shouldRefuseLogNamesThatKafkaRefuses(String logName) {
        assertThatThrownBy(() -> DestinationName.fromLogName(logName))
                .isInstanceOf(InvalidDestinationNameException.class);
    }

    @Property
    void shouldComeBackFromTheLogName(@ForAll("jmsNames") String name) {
        String logName = LogNameMapping.toLogName(name);

        assertThat(logName).matches("[A-Za-z0-9._-]*");
        assertThat(LogNameMapping.toJmsName(logName)).isEqualTo(name);
    }

    @Property
    void shouldComeBackFromTheJmsName(@ForAll("logNames") String logName) {
        assertThat(LogNameMapping.toLogName(LogNameMapping.toJmsName(logName))).isEqualTo(logName);
    }

    /** Made of the characters that escapes are made of, so that most of them nearly are escapes. */
    @Provide
    Arbitrary<String> jmsNames() {
        return Arbitraries.of(
                        "_", "_x", "x", "005F", "00FC", "0041", "D83D", "\u00FC", "\uD83D\uDE00", "/", "A", "_x00FC_")
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<String> logNames() {
        return Arbitraries.of("_", "_x", "x", "005F", "00FC", "0041", "0000", "D83D", "A", "_x00FC_", "_x005F_")
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
    }
}
