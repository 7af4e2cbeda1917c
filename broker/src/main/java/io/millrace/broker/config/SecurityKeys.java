package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import java.util.List;

/** Who may do what on a broker, and how much of it. */
public final class SecurityKeys {

    /** The class name that Kafka's own authorizer has. */
    private static final String KAFKAS_AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer";

    public static final ConfigKey<List<String>> PROTOCOL_MAP = ConfigKey.ofList("listener.security.protocol.map")
            .withDefault(List.of())
            .describedAs(
                    "Protocol of each listener as NAME:PROTOCOL, where PROTOCOL is PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL. A"
                            + " listener named like a protocol needs no entry.");

    public static final ConfigKey<List<String>> CONTROLLER_LISTENERS = ConfigKey.ofList("controller.listener.names")
            .withDefault(List.of())
            .describedAs(
                    "Names of listeners that a file made for Kafka has for its controllers. This broker needs none and does not open"
                            + " them.");

    public static final ConfigKey<Integer> FAILED_LOGIN_DELAY_MS = ConfigKey.ofInt(
                    "connection.failed.authentication.delay.ms")
            .withDefault(100)
            .atLeast(0)
            .describedAs(
                    "Time from a wrong login to its answer, after which the connection is closed: guessing passwords becomes slow, and"
                            + " the time tells nothing. Must be less than connection.login.timeout.ms.");

    public static final ConfigKey<Integer> SASL_MAX_RECEIVE_BYTES = ConfigKey.ofInt("sasl.server.max.receive.size")
            .withDefault(512 * 1024)
            .atLeast(1_024)
            .describedAs("Largest request of a Kafka client that has not logged in yet, in bytes.");

    public static final ConfigKey<Boolean> AUTHORIZER_ENABLED = ConfigKey.ofBoolean("authorizer.enabled")
            .withDefault(false)
            .describedAs(
                    "Whether access control lists (kafka-acls) decide who may do what. Once on, what no list allows is forbidden, except"
                            + " to super.users.");

    public static final ConfigKey<String> AUTHORIZER_CLASS = ConfigKey.ofString("authorizer.class.name")
            .withDefault("")
            .mustBe("empty or " + KAFKAS_AUTHORIZER, name -> name.isEmpty() || name.equals(KAFKAS_AUTHORIZER))
            .describedAs("Kafka's way to say authorizer.enabled=true: the name of its own authorizer.");

    public static final ConfigKey<String> SUPER_USERS = ConfigKey.ofString("super.users")
            .withDefault("")
            .describedAs("Principals that may do everything, as User:name, separated by semicolons.");

    public static final ConfigKey<Boolean> ALLOW_IF_NO_ACL = ConfigKey.ofBoolean("allow.everyone.if.no.acl.found")
            .withDefault(false)
            .describedAs("Whether everybody may do everything with a resource that no access control list is about.");

    public static final ConfigKey<Integer> QUOTA_WINDOW_NUM = ConfigKey.ofInt("quota.window.num")
            .withDefault(11)
            .atLeast(1)
            .describedAs("Samples of time over which the rates of client quotas are measured.");

    public static final ConfigKey<Integer> QUOTA_WINDOW_SECONDS = ConfigKey.ofInt("quota.window.size.seconds")
            .withDefault(1)
            .atLeast(1)
            .describedAs("Length of each of these samples in seconds.");

    /** These settings, and what listeners have. */
    static final ConfigKeys ALL = ConfigKeys.of(List.of(
                    PROTOCOL_MAP,
                    CONTROLLER_LISTENERS,
                    FAILED_LOGIN_DELAY_MS,
                    SASL_MAX_RECEIVE_BYTES,
                    AUTHORIZER_ENABLED,
                    AUTHORIZER_CLASS,
                    SUPER_USERS,
                    ALLOW_IF_NO_ACL,
                    QUOTA_WINDOW_NUM,
                    QUOTA_WINDOW_SECONDS))
            .and(ListenerKeys.PER_LISTENER)
            .withObsolete(
                    "security.inter.broker.protocol",
                    "brokers of this version do not talk to each other; clients use listeners")
            .withObsolete(
                    "inter.broker.listener.name",
                    "brokers of this version do not talk to each other; clients use listeners")
            .withObsolete(
                    "sasl.mechanism.inter.broker.protocol",
                    "brokers of this version do not talk to each other; sasl.enabled.mechanisms is for clients")
            .withObsolete("ssl.endpoint.identification.algorithm", "a server checks no names of servers; clients do")
            .withObsolete("ssl.secure.random.implementation", "Java's default is used")
            .withObsolete("principal.builder.class", "ssl.principal.mapping.rules makes names of certificates");

    private SecurityKeys() {}
}
