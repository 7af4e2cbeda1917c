package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access control lists as kafka-acls writes them, felt by Kafka's clients. */
class AclBehaviourTest {

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private Admin root;

    @BeforeEach
    void begin() {
        start("false");
    }

    private void start(String allowIfNoAcl) {
        broker = EmbeddedBroker.builder()
                .directory(directory)
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0")
                .config("sasl.enabled.mechanisms", "PLAIN")
                .config(
                        "plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_root=\"p\" user_ann=\"p\""
                                + " user_bob=\"p\";")
                .config("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .config("allow.everyone.if.no.acl.found", allowIfNoAcl)
                .config("super.users", "User:root")
                .start();
        root = Admin.create(as("root", Map.of()));
    }

    @AfterEach
    void stop() {
        root.close();
        broker.close();
    }

    private Map<String, Object> as(String user, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(KafkaClients.config(broker, more));
        config.put("security.protocol", "SASL_PLAINTEXT");
        config.put("sasl.mechanism", "PLAIN");
        config.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user
                        + "\" password=\"p\";");
        config.put("max.block.ms", "15000");
        return config;
    }

    private AclBinding acl(
            ResourceType type,
            PatternType pattern,
            String name,
            String user,
            String host,
            AclOperation operation,
            AclPermissionType permission) {
        return new AclBinding(
                new ResourcePattern(type, name, pattern),
                new AccessControlEntry("User:" + user, host, operation, permission));
    }

    private AclBinding allow(ResourceType type, PatternType pattern, String name, String user, AclOperation operation) {
        return acl(type, pattern, name, user, "*", operation, AclPermissionType.ALLOW);
    }

    private void create(AclBinding... acls) {
        AdminCalls.await(root.createAcls(List.of(acls)).all());
    }

    private void send(String user, String topic) throws ExecutionException, InterruptedException {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, as(user, Map.of()))) {
            producer.send(new ProducerRecord<>(topic, "value")).get();
        }
    }

    private void read(String user, String topic, String group) {
        try (KafkaConsumer<String, String> consumer =
                KafkaClients.consumer(broker, as(user, Map.of("group.id", group, "enable.auto.commit", false)))) {
            consumer.subscribe(List.of(topic));
            assertThat(KafkaClients.poll(consumer, 1)).isNotEmpty();
            consumer.commitSync();
        }
    }

    /** What kafka-acls --producer and --consumer write, for a prefix. */
    @Test
    void shouldLetProduceAndConsumeWithWhatTheToolsConveniencesWrite() throws Exception {
        List<AclBinding> producer = new ArrayList<>();
        for (AclOperation operation : List.of(AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.CREATE)) {
            producer.add(allow(ResourceType.TOPIC, PatternType.PREFIXED, "ann-", "ann", operation));
        }
        create(producer.toArray(AclBinding[]::new));
        send("ann", "ann-made-by-use");
        assertThatThrownBy(() -> send("ann", "bob-topic")).hasCauseInstanceOf(TopicAuthorizationException.class);
        assertThatThrownBy(() -> read("ann", "ann-made-by-use", "g")).isInstanceOf(GroupAuthorizationException.class);

        create(
                allow(ResourceType.TOPIC, PatternType.PREFIXED, "ann-", "bob", AclOperation.READ),
                allow(ResourceType.TOPIC, PatternType.PREFIXED, "ann-", "bob", AclOperation.DESCRIBE),
                allow(ResourceType.GROUP, PatternType.LITERAL, "*", "bob", AclOperation.READ));
        read("bob", "ann-made-by-use", "any-group");
        assertThatThrownBy(() -> send("bob", "ann-made-by-use")).hasRootCauseInstanceOf(AuthorizationException.class);
    }

    @Test
    void shouldLetADenialGoBeforeAllThatIsAllowedAndCountHosts() throws Exception {
        create(
                allow(ResourceType.TOPIC, PatternType.LITERAL, "*", "*", AclOperation.ALL),
                allow(ResourceType.CLUSTER, PatternType.LITERAL, "kafka-cluster", "*", AclOperation.ALL));
        send("ann", "open");

        AclBinding denial = acl(
                ResourceType.TOPIC, PatternType.PREFIXED, "op", "ann", "*", AclOperation.WRITE, AclPermissionType.DENY);
        create(denial);
        assertThatThrownBy(() -> send("ann", "open")).hasCauseInstanceOf(TopicAuthorizationException.class);
        send("bob", "open");
        AdminCalls.get(root.deleteAcls(List.of(denial.toFilter())).all());
        send("ann", "open");

        create(acl(
                ResourceType.TOPIC,
                PatternType.LITERAL,
                "open",
                "ann",
                "127.0.0.1",
                AclOperation.WRITE,
                AclPermissionType.DENY));
        create(acl(
                ResourceType.TOPIC,
                PatternType.LITERAL,
                "open",
                "bob",
                "10.1.2.3",
                AclOperation.WRITE,
                AclPermissionType.DENY));
        assertThatThrownBy(() -> send("ann", "open")).hasCauseInstanceOf(TopicAuthorizationException.class);
        send("bob", "open");
    }

    @Test
    void shouldKeepAclsThroughARestart() throws Exception {
        create(
                allow(ResourceType.TOPIC, PatternType.LITERAL, "kept", "ann", AclOperation.WRITE),
                allow(ResourceType.TOPIC, PatternType.LITERAL, "kept", "ann", AclOperation.CREATE));
        send("ann", "kept");
        Collection<AclBinding> before =
                AdminCalls.get(root.describeAcls(AclBindingFilter.ANY).values());
        stop();
        start("false");

        assertThat(AdminCalls.get(root.describeAcls(AclBindingFilter.ANY).values()))
                .containsExactlyInAnyOrderElementsOf(before);
        send("ann", "kept");
        assertThatThrownBy(() -> send("bob", "kept")).hasRootCauseInstanceOf(AuthorizationException.class);
    }

    @Test
    void shouldAllowEverybodyWhatNoListIsAboutWhereToldSo() throws Exception {
        stop();
        start("true");
        send("ann", "nobodys");
        create(allow(ResourceType.TOPIC, PatternType.LITERAL, "anns", "ann", AclOperation.ALL));

        send("ann", "anns");
        send("bob", "nobodys");
        assertThatThrownBy(() -> send("bob", "anns")).hasCauseInstanceOf(TopicAuthorizationException.class);
    }

    @Test
    void shouldCreateAndDeleteByTheRightsForIt() throws Exception {
        create(
                allow(ResourceType.TOPIC, PatternType.PREFIXED, "ann-", "ann", AclOperation.CREATE),
                allow(ResourceType.CLUSTER, PatternType.LITERAL, "kafka-cluster", "bob", AclOperation.CREATE));
        try (Admin ann = Admin.create(as("ann", Map.of()));
                Admin bob = Admin.create(as("bob", Map.of()))) {
            ann.createTopics(List.of(new NewTopic("ann-1", 1, (short) 1))).all().get(20, TimeUnit.SECONDS);
            assertThatThrownBy(() -> ann.createTopics(List.of(new NewTopic("other", 1, (short) 1)))
                            .all()
                            .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            bob.createTopics(List.of(new NewTopic("other", 1, (short) 1))).all().get(20, TimeUnit.SECONDS);
            assertThatThrownBy(() -> bob.deleteTopics(List.of("other")).all().get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);

            create(allow(ResourceType.GROUP, PatternType.PREFIXED, "ann", "ann", AclOperation.DELETE));
            try (KafkaConsumer<String, String> consumer =
                    KafkaClients.consumer(broker, as("root", Map.of("group.id", "anns-group")))) {
                consumer.assign(List.of(new TopicPartition("other", 0)));
                consumer.seekToBeginning(consumer.assignment());
                consumer.position(consumer.assignment().iterator().next());
                consumer.commitSync();
            }
            assertThatThrownBy(() -> bob.deleteConsumerGroups(List.of("anns-group"))
                            .all()
                            .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(GroupAuthorizationException.class);
            ann.deleteConsumerGroups(List.of("anns-group")).all().get(20, TimeUnit.SECONDS);
        }
    }
}
