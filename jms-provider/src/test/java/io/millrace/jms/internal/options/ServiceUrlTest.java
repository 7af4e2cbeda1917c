package io.millrace.jms.internal.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jms.internal.transport.ServerAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceUrlTest {

    @Test
    void shouldReadHostsPortsAndOptions() {
        ServiceUrl url =
                ServiceUrl.parse("millrace://one:1,two,[::1]:3,[fe80::2]?user=ann&password=a%26b%3D%2F&prefetch=7");

        assertThat(url.addresses())
                .containsExactly(
                        new ServerAddress("one", 1),
                        new ServerAddress("two", 9092),
                        new ServerAddress("::1", 3),
                        new ServerAddress("fe80::2", 9092));
        assertThat(url.get(Option.USER)).isEqualTo("ann");
        assertThat(url.get(Option.PASSWORD)).isEqualTo("a&b=/");
        assertThat(url.number(Option.PREFETCH)).isEqualTo(7);
        assertThat(url.number(Option.SEND_TIMEOUT)).isEqualTo(30_000);
    }

    @Test
    void shouldComeBackFromItsText() {
        String text = "millrace://one:1,[::1]:3?password=a%26b&prefetch=7";

        assertThat(ServiceUrl.parse(text).toUrl()).isEqualTo(text);
        assertThat(ServiceUrl.parse(ServiceUrl.parse(text).toUrl()).get(Option.PASSWORD))
                .isEqualTo("a&b");
    }

    @Test
    void shouldNotShowThePassword() {
        assertThat(ServiceUrl.parse("millrace://one:1?password=secret").toString())
                .isEqualTo("millrace://one:1?password=***");
        assertThat(ServiceUrl.parse("millrace://one:1?tlsKeyPassword=secret").toString())
                .isEqualTo("millrace://one:1?tlsKeyPassword=***");
        assertThatThrownBy(() -> ServiceUrl.parse("http://ann:secret@one:1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("begins with 'http://'")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "prefech, prefetch",
        "clientId, clientID",
        "timeout, sendTimeout",
        "reconnectdelay, reconnectDelay",
        "trusted, trustedPackages"
    })
    void shouldSuggestAnOptionForAnUnknownOne(String unknown, String similar) {
        assertThatThrownBy(() -> ServiceUrl.parse("millrace://one:1?" + unknown + "=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Unknown option '" + unknown + "'")
                .satisfies(refused -> assertThat(refused.getMessage()).contains(similar));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "millrace:one",
                "millrace://",
                "millrace://one:0",
                "millrace://one:70000",
                "millrace://one:port",
                "millrace://one,,two",
                "millrace://one?prefetch",
                "millrace://one?prefetch=0",
                "millrace://one?prefetch=many",
                "millrace://one?sendTimeout=-1",
                "millrace://one?compression=best",
                "millrace://one?tls=yes"
            })
    void shouldRefuseWhatIsNoUrl(String text) {
        assertThatThrownBy(() -> ServiceUrl.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeTheDefaultOfEachOption(Option option) {
        ServiceUrl url = ServiceUrl.parse("millrace://one");

        url.set(option, option.defaultValue());

        assertThat(url.get(option)).isEqualTo(option.defaultValue());
        assertThat(Option.named(option.optionName())).isEqualTo(option);
    }
}
