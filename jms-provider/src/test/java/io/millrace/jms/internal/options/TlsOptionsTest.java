package io.millrace.jms.internal.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jms.internal.transport.ConnectException;
import io.millrace.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsOptionsTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "'', false",
        "tls=false, false",
        "tls=true, true",
        "tlsTrust=a.pem, true",
        "tlsCertificate=a.pem, true",
        "tlsVerifyHost=false, true",
        "tlsTrust=, false",
        "tls=false&tlsTrust=a.pem, false"
    })
    void shouldBeImpliedByEachOfItsOptions(String options, boolean chosen) {
        assertThat(TlsOptions.chosen(ServiceUrl.parse("millrace://one?" + options)))
                .isEqualTo(chosen);
    }

    @Test
    void shouldTrustWhatTheJvmTrustsUnlessToldOtherwise() {
        assertThat(TlsOptions.read(ServiceUrl.parse("millrace://one?tls=true"))).isPresent();
        assertThat(TlsOptions.read(ServiceUrl.parse("millrace://one"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls=false&tlsTrust=a.pem", "tls=false&tlsVerifyHost=true"})
    void shouldNotLeaveOutTlsThatSomeoneReliesOn(String options) {
        assertThatThrownBy(() -> TlsOptions.read(ServiceUrl.parse("millrace://one?" + options)))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("tls=false contradicts tls");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tlsKey", "tlsKeyPassword"})
    void shouldRefuseAKeyWithoutACertificate(String option) {
        assertThatThrownBy(() -> TlsOptions.read(ServiceUrl.parse("millrace://one?" + option + "=x")))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining(option + " has no certificate");
    }

    @Test
    void shouldSayHowAKeyOfAnotherFormIsConverted() throws Exception {
        TestCertificates made = TestCertificates.create(directory, "client", "CN=carla");
        Path other = Files.writeString(
                directory.resolve("key.pem"), "-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----\n");
        ServiceUrl url = ServiceUrl.parse("millrace://one");
        url.set(Option.TLS_CERTIFICATE, made.certificatePem().toString());
        url.set(Option.TLS_KEY, other.toString());

        assertThatThrownBy(() -> TlsOptions.read(url))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("openssl pkcs8 -topk8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tlsTrust", "tlsCertificate"})
    void shouldSayWhichFileCannotBeUsed(String option) throws IOException {
        Path file = directory.resolve("a.pem");
        ServiceUrl url = ServiceUrl.parse("millrace://one");
        url.set(Option.named(option), file.toString());
        assertThatThrownBy(() -> TlsOptions.read(url))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining(option + ", " + file + ", does not exist");

        Files.writeString(file, "no certificate");
        assertThatThrownBy(() -> TlsOptions.read(url))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining(option)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("-----BEGIN ");
    }
}
