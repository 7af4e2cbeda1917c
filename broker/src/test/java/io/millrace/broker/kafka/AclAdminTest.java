package io.millrace.broker.kafka;

import static io.millrace.broker.kafka.AdminCalls.assertFails;
import static io.millrace.broker.kafka.AdminCalls.await;
import static io.millrace.broker.kafka.AdminCalls.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ACLs through Kafka's own administration client: that they are kept, found and deleted. */
class AclAdminTest {

    private EmbeddedBroker broker;
    private Admin admin;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("authorizer.enabled", "true")
                .config("super.users", "User:ANONYMOUS")
                .start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
    }

    @AfterEach
    void stop() {
        admin.close();
        broker.close();
    }

    @Test
    void shouldKeepAclsAndFindThemByFilters() {
        AclBinding literal = acl("orders", PatternType.LITERAL, "User:alice");
        AclBinding prefixed = acl("ord", PatternType.PREFIXED, "User:bob");
        AclBinding other = acl("news", PatternType.LITERAL, "User:alice");
        await(admin.createAcls(List.of(literal, prefixed, other)).all());
        await(admin.createAcls(List.of(literal)).all());

        assertThat(get(admin.describeAcls(AclBindingFilter.ANY).values()))
                .containsExactlyInAnyOrder(literal, prefixed, other);
        assertThat(get(admin.describeAcls(matching("orders")).values())).containsExactlyInAnyOrder(literal, prefixed);

        assertThat(get(admin.deleteAcls(List.of(matching("orders"))).all()))
                .containsExactlyInAnyOrder(literal, prefixed);
        assertThat(get(admin.describeAcls(AclBindingFilter.ANY).values())).containsExactly(other);
        assertThat(get(admin.deleteAcls(List.of(matching("orders"))).all())).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNoAclAndCreateTheOthers() {
        AclBinding fine = acl("orders", PatternType.LITERAL, "User:alice");
        AclBinding nobody = acl("orders", PatternType.LITERAL, "alice");
        AclBinding long64k = acl("orders", PatternType.LITERAL, "User:" + "x".repeat(30_000));
        AclBinding cluster =
                new AclBinding(new ResourcePattern(ResourceType.CLUSTER, "mine", PatternType.LITERAL), fine.entry());

        Map<AclBinding, KafkaFuture<Void>> results =
                admin.createAcls(List.of(fine, nobody, long64k, cluster)).values();

        await(results.get(fine));
        assertFails(results.get(nobody), InvalidRequestException.class);
        assertFails(results.get(long64k), InvalidRequestException.class);
        assertFails(results.get(cluster), InvalidRequestException.class);
        assertThat(get(admin.describeAcls(AclBindingFilter.ANY).values())).containsExactly(fine);
    }

    private static AclBindingFilter matching(String topic) {
        return new AclBindingFilter(
                new ResourcePatternFilter(ResourceType.TOPIC, topic, PatternType.MATCH), AccessControlEntryFilter.ANY);
    }

    private static AclBinding acl(String name, PatternType pattern, String principal) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, name, pattern),
                new AccessControlEntry(principal, "*", AclOperation.READ, AclPermissionType.ALLOW));
    }
}
