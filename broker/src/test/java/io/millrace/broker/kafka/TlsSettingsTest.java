package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.testkit.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which ciphers and versions of TLS are taken, and what names of certificates become. */
class TlsSettingsTest {

    private static final String STRONG = "TLS_AES_256_GCM_SHA384";
    private static final String OTHER = "TLS_AES_128_GCM_SHA256";

    @TempDir
    private static Path directory;

    private static TestCertificates server;
    private static TestCertificates alice;
    private static TestCertificates bob;
    private static EmbeddedBroker broker;

    @BeforeAll
    static void start() throws Exception {
        server = TestCertificates.create(directory, "server", "CN=localhost");
        alice = TestCertificates.create(directory, "alice", "CN=Alice, OU=Ops, O=Mill");
        bob = TestCertificates.create(directory, "bob", "CN=Bob, OU=Dev, O=Mill");
        Path trusted = directory.resolve("trusted.pem");
        Files.writeString(trusted, Files.readString(alice.certificatePem()) + Files.readString(bob.certificatePem()));
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("listeners", "CIPHERS://127.0.0.1:0,OLD://127.0.0.1:0,NAMES://127.0.0.1:0")
                .config("listener.security.protocol.map", "CIPHERS:SSL,OLD:SSL,NAMES:SSL")
                .config("ssl.keystore.type", "PEM")
                .config("ssl.keystore.location", server.keyPem().toString())
                .config("listener.name.ciphers.ssl.cipher.suites", STRONG)
                .config("listener.name.old.ssl.enabled.protocols", "TLSv1.2")
                .config("listener.name.names.ssl.client.auth", "required")
                .config("listener.name.names.ssl.truststore.type", "PEM")
                .config("listener.name.names.ssl.truststore.location", trusted.toString())
                .config(
                        "listener.name.names.ssl.principal.mapping.rules",
                        "RULE:^CN=([^,]*),\\s*OU=Ops.*$/$1/L,DEFAULT")
                .config("authorizer.enabled", "true")
                .config("super.users", "User:alice;User:ANONYMOUS")
                .start();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static Map<String, Object> of(String listener, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", "127.0.0.1:" + broker.port(listener));
        config.put("security.protocol", "SSL");
        config.put("ssl.truststore.type", "PEM");
        config.put("ssl.truststore.location", server.certificatePem().toString());
        config.put("request.timeout.ms", "10000");
        config.put("default.api.timeout.ms", "15000");
        config.putAll(more);
        return config;
    }

    private static void ask(Map<String, Object> config) throws Exception {
        try (Admin admin = Admin.create(config)) {
            assertThat(admin.describeCluster().nodes().get(20, TimeUnit.SECONDS))
                    .hasSize(1);
        }
    }

    @Test
    void shouldTakeOnlyTheCiphersThatAreNamed() throws Exception {
        ask(of("CIPHERS", Map.of("ssl.cipher.suites", STRONG)));

        assertThatThrownBy(() ->
                        ask(of("CIPHERS", Map.of("ssl.cipher.suites", OTHER, "ssl.enabled.protocols", "TLSv1.3"))))
                .hasCauseInstanceOf(SslAuthenticationException.class);
        ask(of("NAMES", with(alice, Map.of("ssl.cipher.suites", OTHER))));
    }

    @Test
    void shouldTakeOnlyTheVersionsThatAreNamed() throws Exception {
        ask(of("OLD", Map.of("ssl.enabled.protocols", "TLSv1.2", "ssl.protocol", "TLSv1.2")));

        assertThatThrownBy(() -> ask(of("OLD", Map.of("ssl.enabled.protocols", "TLSv1.3"))))
                .hasCauseInstanceOf(SslAuthenticationException.class);
    }

    private static Map<String, Object> with(TestCertificates certificate, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("ssl.keystore.type", "PEM");
        config.put("ssl.keystore.location", certificate.keyPem().toString());
        return config;
    }

    @Test
    void shouldKnowClientsByTheNamesThatTheRulesMakeOfTheirCertificates() throws Exception {
        try (Admin admin = Admin.create(of("NAMES", with(alice, Map.of())))) {
            admin.createTopics(List.of(new NewTopic("of-alice", 1, (short) 1)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
        try (Admin admin = Admin.create(of("NAMES", with(bob, Map.of())))) {
            assertThatThrownBy(() -> admin.createTopics(List.of(new NewTopic("of-bob", 1, (short) 1)))
                            .all()
                            .get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
        }
    }
}
