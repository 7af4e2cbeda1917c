package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import io.millrace.log.config.ConfigType;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How listeners let clients in: TLS and logins. Each is set for all listeners, or for one of them as {@code listener.name.<name>.<key>}, with
 * the listener's name in lower case.
 */
public final class ListenerKeys {

    private static final Set<String> STORE_TYPES = Set.of("PEM", "JKS", "PKCS12");
    private static final Set<String> TLS_VERSIONS = Set.of("TLSv1.2", "TLSv1.3");
    private static final Set<String> MECHANISMS = Set.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512");
    private static final Set<String> CLIENT_AUTH = Set.of("none", "requested", "required");

    private static final Set<String> ANONYMOUS_ACCESS = Set.of("loopback", "true", "false");

    private static final String JAAS =
            " Users are listed as options user_NAME=\"password\" of Kafka's PlainLoginModule; users that the cluster keeps"
                    + " (kafka-configs --entity-type users) may log in as well.";

    public static final ConfigKey<String> KEYSTORE_TYPE =
            store("ssl.keystore.type").describedAs("Form of the server's key and certificates: PEM, JKS or PKCS12.");

    public static final ConfigKey<String> KEYSTORE_LOCATION = ConfigKey.ofString("ssl.keystore.location")
            .withoutDefault("none; a listener with TLS needs this or ssl.keystore.certificate.chain")
            .describedAs(
                    "File with the server's private key and certificates. It is read again when it changes; if it cannot be, what"
                            + " was read before stays in use and the log says why.");

    public static final ConfigKey<String> KEYSTORE_PASSWORD =
            secret("ssl.keystore.password").describedAs("Password of the key store file. Not for PEM.");

    public static final ConfigKey<String> KEY_PASSWORD = secret("ssl.key.password")
            .describedAs("Password of the private key in the key store, or of an encrypted PEM key.");

    public static final ConfigKey<String> KEYSTORE_KEY = secret("ssl.keystore.key")
            .describedAs("The server's private key itself in PEM form (PKCS#8), instead of a file.");

    public static final ConfigKey<String> KEYSTORE_CERTIFICATES = secret("ssl.keystore.certificate.chain")
            .describedAs("The server's certificate and those above it, in PEM form, instead of a file.");

    public static final ConfigKey<String> TRUSTSTORE_TYPE =
            store("ssl.truststore.type").describedAs("Form of the certificates that are trusted: PEM, JKS or PKCS12.");

    public static final ConfigKey<String> TRUSTSTORE_LOCATION = ConfigKey.ofString("ssl.truststore.location")
            .withoutDefault("the certificates that come with Java")
            .describedAs(
                    "File with the certificates by which clients' certificates are trusted. Read again when it changes.");

    public static final ConfigKey<String> TRUSTSTORE_PASSWORD =
            secret("ssl.truststore.password").describedAs("Password of the trust store file. Not for PEM.");

    public static final ConfigKey<String> TRUSTSTORE_CERTIFICATES = secret("ssl.truststore.certificates")
            .describedAs("The trusted certificates themselves in PEM form, instead of a file.");

    public static final ConfigKey<String> CLIENT_AUTH_MODE = ConfigKey.ofString("ssl.client.auth")
            .withDefault("none")
            .mustBe("none, requested or required", CLIENT_AUTH::contains)
            .describedAs(
                    "Whether clients must show a certificate (mutual TLS). Where there is no other login, its name is who they are.");

    public static final ConfigKey<List<String>> ENABLED_PROTOCOLS = ConfigKey.ofList("ssl.enabled.protocols")
            .withDefault(List.of("TLSv1.2", "TLSv1.3"))
            .mustBe("of TLSv1.2 and TLSv1.3", TLS_VERSIONS::containsAll)
            .describedAs("Versions of TLS that clients may use; the newest of both sides is used.");

    public static final ConfigKey<String> PROTOCOL = ConfigKey.ofString("ssl.protocol")
            .withDefault("TLSv1.3")
            .mustBe("TLSv1.2 or TLSv1.3", TLS_VERSIONS::contains)
            .describedAs("Version of TLS that the context is made for. ssl.enabled.protocols says which are used.");

    public static final ConfigKey<List<String>> CIPHER_SUITES = ConfigKey.ofList("ssl.cipher.suites")
            .withDefault(List.of())
            .describedAs("Cipher suites that may be used, by their standard names; none stands for those of Java.");

    public static final ConfigKey<String> PRINCIPAL_MAPPING = ConfigKey.ofString("ssl.principal.mapping.rules")
            .withDefault("DEFAULT")
            .describedAs("How the distinguished name of a client's certificate becomes a user's name: rules of the form"
                    + " RULE:pattern/replacement/[LU], separated by commas; the first that fits is used. DEFAULT takes the"
                    + " whole name.");

    public static final ConfigKey<List<String>> SASL_MECHANISMS = ConfigKey.ofList("sasl.enabled.mechanisms")
            .withDefault(List.of("SCRAM-SHA-512", "SCRAM-SHA-256"))
            .mustBe(
                    "of PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512, at least one",
                    mechanisms -> !mechanisms.isEmpty() && MECHANISMS.containsAll(mechanisms))
            .describedAs(
                    "How clients of listeners with SASL may log in. PLAIN sends the password: use it with TLS only.");

    public static final ConfigKey<String> ANONYMOUS = ConfigKey.ofString("anonymous.enabled")
            .withDefault("loopback")
            .mustBe("loopback, true or false", ANONYMOUS_ACCESS::contains)
            .describedAs(
                    "Who is let in on a listener without logins who shows no certificate either. loopback: JMS clients of the broker's own"
                            + " machine, and Kafka clients of any, as Kafka's brokers do; true: JMS clients of any machine too; false: nobody.");

    public static final ConfigKey<Long> MAX_REAUTH_MS = ConfigKey.ofLong("connections.max.reauth.ms")
            .withDefault(0L)
            .atLeast(0)
            .describedAs(
                    "A client that logged in must do so again within this time, or its connection is closed; 0 stands for never."
                            + " Only clients that know of it (SaslAuthenticate version 1 and newer) are held to it.");

    public static final ConfigKey<String> JAAS_CONFIG = secret("sasl.jaas.config")
            .describedAs("Login modules in Kafka's form, for all mechanisms that have no setting of their own." + JAAS);

    public static final ConfigKey<String> PLAIN_JAAS_CONFIG =
            secret("plain.sasl.jaas.config").describedAs("Users who may log in with PLAIN, in Kafka's form." + JAAS);

    public static final ConfigKey<String> SCRAM_256_JAAS_CONFIG = secret("scram-sha-256.sasl.jaas.config")
            .describedAs("Accepted as Kafka has it. The users are those that the cluster keeps.");

    public static final ConfigKey<String> SCRAM_512_JAAS_CONFIG = secret("scram-sha-512.sasl.jaas.config")
            .describedAs("Accepted as Kafka has it. The users are those that the cluster keeps.");

    /** Settings that every listener can have for itself. */
    static final ConfigKeys PER_LISTENER = ConfigKeys.of(List.of(
            KEYSTORE_TYPE,
            KEYSTORE_LOCATION,
            KEYSTORE_PASSWORD,
            KEY_PASSWORD,
            KEYSTORE_KEY,
            KEYSTORE_CERTIFICATES,
            TRUSTSTORE_TYPE,
            TRUSTSTORE_LOCATION,
            TRUSTSTORE_PASSWORD,
            TRUSTSTORE_CERTIFICATES,
            CLIENT_AUTH_MODE,
            ENABLED_PROTOCOLS,
            PROTOCOL,
            CIPHER_SUITES,
            PRINCIPAL_MAPPING,
            SASL_MECHANISMS,
            ANONYMOUS,
            MAX_REAUTH_MS,
            JAAS_CONFIG,
            PLAIN_JAAS_CONFIG,
            SCRAM_256_JAAS_CONFIG,
            SCRAM_512_JAAS_CONFIG));

    /** The names of settings whose values nobody may see. */
    static final Set<String> SECRETS = Set.copyOf(Stream.of(
                    KEYSTORE_PASSWORD,
                    KEY_PASSWORD,
                    KEYSTORE_KEY,
                    TRUSTSTORE_PASSWORD,
                    JAAS_CONFIG,
                    PLAIN_JAAS_CONFIG,
                    SCRAM_256_JAAS_CONFIG,
                    SCRAM_512_JAAS_CONFIG)
            .map(ConfigKey::name)
            .toList());

    private ListenerKeys() {}

    private static ConfigKey<String> store(String name) {
        return ConfigKey.of(name, ConfigType.STRING)
                .withDefault("JKS")
                .mustBe("PEM, JKS or PKCS12", STORE_TYPES::contains);
    }

    private static ConfigKey<String> secret(String name) {
        return ConfigKey.ofString(name).withoutDefault("none");
    }
}
