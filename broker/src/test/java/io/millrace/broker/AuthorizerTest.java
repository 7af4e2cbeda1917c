package io.millrace.broker;

import static io.millrace.coordinator.access.AclOperation.ALL;
import static io.millrace.coordinator.access.AclOperation.ALTER;
import static io.millrace.coordinator.access.AclOperation.ALTER_CONFIGS;
import static io.millrace.coordinator.access.AclOperation.CREATE;
import static io.millrace.coordinator.access.AclOperation.DELETE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE_CONFIGS;
import static io.millrace.coordinator.access.AclOperation.READ;
import static io.millrace.coordinator.access.AclOperation.WRITE;
import static io.millrace.coordinator.access.AclPatternType.PREFIXED;
import static io.millrace.coordinator.access.AclResourceType.GROUP;
import static io.millrace.coordinator.access.AclResourceType.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclOperation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AuthorizerTest {

    private static EmbeddedBroker broker;
    private static Administrator admin;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        admin = new Administrator(broker);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static Access of(String principal) {
        return admin.access(principal, false);
    }

    @Test
    void shouldForbidWhatNothingAllowsExceptToSuperUsers() {
        assertThat(of("User:ann").mayTopic(READ, "unlisted")).isFalse();
        assertThat(admin.access("User:root", false, "User:root").mayTopic(READ, "unlisted"))
                .isTrue();
    }

    @Test
    void shouldAllowEverybodyWhatNoListIsAboutWhereToldSo() {
        admin.allow("User:ann", READ, TOPIC, "listed");

        assertThat(admin.access("User:bob", true).mayTopic(READ, "never-listed"))
                .isTrue();
        assertThat(admin.access("User:bob", true).mayTopic(READ, "listed")).isFalse();
    }

    @Test
    void shouldMatchNamesAsThePatternSays() {
        admin.allow("User:carl", READ, TOPIC, "exact")
                .allow("User:carl", READ, TOPIC, PREFIXED, "pre-")
                .allow("User:dora", READ, GROUP, "*")
                .allow("User:*", READ, TOPIC, "for-all");

        Access carl = of("User:carl");
        assertThat(carl.mayTopic(READ, "exact")).isTrue();
        assertThat(carl.mayTopic(READ, "exactly")).isFalse();
        assertThat(carl.mayTopic(READ, "pre-fix")).isTrue();
        assertThat(carl.mayTopic(READ, "pre")).isFalse();
        assertThat(carl.mayTopic(READ, "for-all")).isTrue();
        assertThat(carl.mayGroup(READ, "exact")).isFalse();
        assertThat(of("User:dora").mayGroup(READ, "whatever")).isTrue();
        assertThat(of("User:dora").mayTopic(READ, "whatever")).isFalse();
    }

    @Test
    void shouldLetWhatIsForbiddenGoBeforeWhatIsAllowed() {
        admin.allow("User:fred", ALL, TOPIC, PREFIXED, "f-").deny("User:fred", WRITE, TOPIC, "f-1");

        Access fred = of("User:fred");
        assertThat(fred.mayTopic(WRITE, "f-2")).isTrue();
        assertThat(fred.mayTopic(WRITE, "f-1")).isFalse();
        assertThat(fred.mayTopic(READ, "f-1")).isTrue();
        // What is forbidden implies nothing.
        assertThat(fred.mayTopic(DESCRIBE, "f-1")).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = AclOperation.class,
            names = {"READ", "WRITE", "DELETE", "ALTER", "ALL"})
    void shouldLetWhoMayUseATopicSeeIt(AclOperation operation) {
        String topic = "implied-by-" + operation;
        admin.allow("User:gina", operation, TOPIC, topic);

        assertThat(of("User:gina").mayTopic(DESCRIBE, topic)).isTrue();
        assertThat(of("User:gina").mayTopic(CREATE, topic)).isEqualTo(operation == ALL);
    }

    @Test
    void shouldLetWhoMayAlterSettingsSeeThem() {
        admin.allow("User:hugo", ALTER_CONFIGS, TOPIC, "settings").allow("User:hugo", ALTER, TOPIC, "other");

        assertThat(of("User:hugo").mayTopic(DESCRIBE_CONFIGS, "settings")).isTrue();
        assertThat(of("User:hugo").mayTopic(DESCRIBE_CONFIGS, "other")).isFalse();
    }

    @Test
    void shouldTellWhetherThereIsAnythingThatSomebodyMayWrite() {
        admin.allow("User:ida", WRITE, TOPIC, PREFIXED, "ida-")
                .allow("User:jon", WRITE, TOPIC, "jon-1")
                .denyPrefix("User:jon", WRITE, TOPIC, "jon")
                .allow("User:kim", DELETE, TOPIC, "kim-1");

        assertThat(of("User:ida").mayAny(WRITE, TOPIC)).isTrue();
        assertThat(of("User:jon").mayAny(WRITE, TOPIC)).isFalse();
        assertThat(of("User:kim").mayAny(WRITE, TOPIC)).isFalse();
    }
}
