package io.millrace.broker.kafka;

import static io.millrace.coordinator.access.AclOperation.CREATE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.READ;
import static io.millrace.coordinator.access.AclOperation.WRITE;
import static io.millrace.coordinator.access.AclResourceType.CLUSTER;
import static io.millrace.coordinator.access.AclResourceType.GROUP;
import static io.millrace.coordinator.access.AclResourceType.TOPIC;
import static io.millrace.coordinator.access.AclResourceType.TRANSACTIONAL_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.Administrator;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.coordinator.access.AclEntry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ShareFetchRequest;
import org.apache.kafka.common.requests.ShareFetchResponse;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may do what, through Kafka's own clients. */
class AuthorizationTest {

    private static EmbeddedBroker broker;
    private static Administrator admin;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0")
                .config("sasl.enabled.mechanisms", "PLAIN")
                .config(
                        "plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_root=\"r\""
                                + " user_writer=\"w\" user_reader=\"r\" user_nobody=\"n\";")
                .config("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .config("super.users", "User:root;User:other")
                .start();
        admin = new Administrator(broker);
        admin.allow("User:writer", WRITE, TOPIC, "shared").allow("User:reader", READ, TOPIC, "shared");
        send("root", "shared");
        send("root", "hidden");
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static Map<String, Object> as(String user, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(KafkaClients.config(broker, more));
        config.put("security.protocol", "SASL_PLAINTEXT");
        config.put("sasl.mechanism", "PLAIN");
        config.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user + "\" password=\""
                        + user.charAt(0) + "\";");
        config.put("max.block.ms", "15000");
        return config;
    }

    private static void send(String user, String topic) throws ExecutionException, InterruptedException {
        send(user, topic, Map.of());
    }

    private static void send(String user, String topic, Map<String, Object> more)
            throws ExecutionException, InterruptedException {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, as(user, more))) {
            producer.send(new ProducerRecord<>(topic, "value")).get();
        }
    }

    private static KafkaConsumer<String, String> consumer(String user, String group) {
        return KafkaClients.consumer(broker, as(user, Map.of("group.id", group)));
    }

    @Test
    void shouldLetWriteWhoMayAndNobodyElse() throws Exception {
        send("writer", "shared");

        // It may write nothing, so that it gets no identity of a producer either.
        assertThatThrownBy(() -> send("reader", "shared")).hasCauseInstanceOf(ClusterAuthorizationException.class);
        assertThatThrownBy(() -> send("reader", "shared", Map.of("enable.idempotence", false)))
                .hasCauseInstanceOf(TopicAuthorizationException.class);
        assertThatThrownBy(() -> send("writer", "hidden")).hasCauseInstanceOf(TopicAuthorizationException.class);
    }

    @Test
    void shouldLetReadWhoMayAndNobodyElse() {
        List<TopicPartition> partition = List.of(new TopicPartition("shared", 0));
        try (KafkaConsumer<String, String> reader = consumer("reader", "unused");
                KafkaConsumer<String, String> writer = consumer("writer", "unused")) {
            reader.assign(partition);
            reader.seekToBeginning(partition);
            assertThat(KafkaClients.poll(reader, 1)).isNotEmpty();
            assertThat(reader.endOffsets(partition)).isNotEmpty();

            writer.assign(partition);
            writer.seek(partition.getFirst(), 0);
            assertThatThrownBy(() -> poll(writer)).isInstanceOf(TopicAuthorizationException.class);
            // Also by the fetch session that has begun.
            assertThatThrownBy(() -> poll(writer)).isInstanceOf(TopicAuthorizationException.class);
        }
    }

    private static void poll(KafkaConsumer<String, String> consumer) {
        long endNs = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (System.nanoTime() - endNs < 0) {
            consumer.poll(Duration.ofMillis(200));
        }
    }

    @Test
    void shouldNeedTheGroupToo() {
        admin.allow("User:reader", READ, GROUP, "allowed");
        try (KafkaConsumer<String, String> in = consumer("reader", "allowed");
                KafkaConsumer<String, String> out = consumer("reader", "forbidden")) {
            in.subscribe(List.of("shared"));
            assertThat(KafkaClients.poll(in, 1)).isNotEmpty();
            in.commitSync();

            out.subscribe(List.of("shared"));
            assertThatThrownBy(() -> poll(out)).isInstanceOf(GroupAuthorizationException.class);
        }
    }

    @Test
    void shouldAssignOnlyTopicsThatTheMemberMaySeeByARegularExpression() {
        admin.allow("User:reader", READ, GROUP, "by-pattern");
        Map<String, Object> settings = Map.of("group.id", "by-pattern", "group.protocol", "consumer");
        try (KafkaConsumer<String, String> reader = KafkaClients.consumer(broker, as("reader", settings))) {
            reader.subscribe(new SubscriptionPattern("shared|hidden"));

            assertThat(KafkaClients.poll(reader, 1)).isNotEmpty();

            assertThat(reader.assignment()).containsExactly(new TopicPartition("shared", 0));
        }
    }

    /** The session of the member goes on; what it may read is looked at each time. */
    @Test
    void shouldLendNothingMoreOfATopicThatAMemberMayNotReadAnyMore() throws Exception {
        admin.allow("User:reader", READ, GROUP, "revoked").allow("User:reader", READ, TOPIC, "revoked");
        send("root", "revoked");
        try (Admin root = Admin.create(as("root", Map.of()));
                RawKafka reader = new RawKafka(broker.port())) {
            reader.login("reader", "r");
            root.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.GROUP, "revoked"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get(15, TimeUnit.SECONDS);
            Uuid topic = root.describeTopics(List.of("revoked"))
                    .allTopicNames()
                    .get(15, TimeUnit.SECONDS)
                    .values()
                    .iterator()
                    .next()
                    .topicId();
            ShareFetchRequestData first = shareFetch(0);
            ShareFetchRequestData.FetchTopic wanted = new ShareFetchRequestData.FetchTopic().setTopicId(topic);
            wanted.partitions().add(new ShareFetchRequestData.FetchPartition().setPartitionIndex(0));
            first.topics().add(wanted);
            assertThat(partition(reader, first).acquiredRecords()).hasSize(1);

            root.deleteAcls(List.of(new AclBindingFilter(
                            new ResourcePatternFilter(ResourceType.TOPIC, "revoked", PatternType.LITERAL),
                            AccessControlEntryFilter.ANY)))
                    .all()
                    .get(15, TimeUnit.SECONDS);
            send("root", "revoked");

            PartitionData denied = partition(reader, shareFetch(1));
            assertThat(Errors.forCode(denied.errorCode())).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED);
            assertThat(denied.acquiredRecords()).isEmpty();
        }
    }

    private static ShareFetchRequestData shareFetch(int epoch) {
        return new ShareFetchRequestData()
                .setGroupId("revoked")
                .setMemberId("member")
                .setShareSessionEpoch(epoch)
                .setMaxWaitMs(15_000)
                .setMinBytes(1)
                .setMaxBytes(1 << 20)
                .setMaxRecords(10);
    }

    private static PartitionData partition(RawKafka reader, ShareFetchRequestData data) {
        short version = 2;
        ShareFetchResponse answer = (ShareFetchResponse)
                reader.ask(ApiKeys.SHARE_FETCH, version, new ShareFetchRequest.Builder(data).build(version));
        return answer.data().responses().iterator().next().partitions().getFirst();
    }

    @Test
    void shouldHideTopicsThatNobodyMaySee() throws Exception {
        try (Admin reader = Admin.create(as("reader", Map.of()))) {
            assertThat(reader.listTopics().names().get(15, TimeUnit.SECONDS)).containsExactly("shared");
            assertThatThrownBy(() -> reader.describeTopics(List.of("hidden"))
                            .allTopicNames()
                            .get(15, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            assertThatThrownBy(() -> reader.describeTopics(List.of("not-there"))
                            .allTopicNames()
                            .get(15, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
        }
    }

    @Test
    void shouldNeedTheTransactionalIdToo() throws Exception {
        TopicPartition partition = new TopicPartition("shared", 0);
        Map<String, Object> settings = Map.of("transactional.id", "payments");
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, as("writer", settings))) {
            assertThatThrownBy(producer::initTransactions).isInstanceOf(TransactionalIdAuthorizationException.class);
        }
        admin.allow("User:writer", WRITE, TRANSACTIONAL_ID, "payments");
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, as("writer", settings));
                KafkaConsumer<String, String> group = consumer("root", "of-payments")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("shared", "paid")).get();
            producer.commitTransaction();

            producer.beginTransaction();
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("hidden", "paid"))
                            .get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            producer.abortTransaction();

            producer.beginTransaction();
            assertThatThrownBy(() -> producer.sendOffsetsToTransaction(
                            Map.of(partition, new OffsetAndMetadata(1)), group.groupMetadata()))
                    .isInstanceOf(GroupAuthorizationException.class);
            producer.abortTransaction();
        }
        try (Admin reader = Admin.create(as("reader", Map.of()));
                Admin root = Admin.create(as("root", Map.of()))) {
            assertThat(root.listTransactions().all().get(15, TimeUnit.SECONDS)).isNotEmpty();
            assertThat(reader.listTransactions().all().get(15, TimeUnit.SECONDS))
                    .isEmpty();
        }
    }

    @Test
    void shouldTellWhatAClientMayDo() throws Exception {
        assertThat(operationsOf("reader")).containsExactlyInAnyOrder(AclOperation.READ, AclOperation.DESCRIBE);
        assertThat(operationsOf("writer")).containsExactlyInAnyOrder(AclOperation.WRITE, AclOperation.DESCRIBE);
        assertThat(operationsOf("root")).contains(AclOperation.DELETE, AclOperation.ALTER_CONFIGS);
    }

    private static Set<AclOperation> operationsOf(String user)
            throws ExecutionException, InterruptedException, TimeoutException {
        try (Admin client = Admin.create(as(user, Map.of()))) {
            Map<String, TopicDescription> described = client.describeTopics(
                            List.of("shared"), new DescribeTopicsOptions().includeAuthorizedOperations(true))
                    .allTopicNames()
                    .get(15, TimeUnit.SECONDS);
            return described.values().iterator().next().authorizedOperations();
        }
    }

    @Test
    void shouldCreateATopicByUseOnlyForWhoMayCreateIt() throws Exception {
        admin.allow("User:nobody", WRITE, TOPIC, "mine")
                .allow("User:nobody", WRITE, TOPIC, "made")
                .allow("User:nobody", CREATE, TOPIC, "made");

        assertThatThrownBy(() -> send("nobody", "mine")).hasCauseInstanceOf(TopicAuthorizationException.class);
        send("nobody", "made");
    }

    @Test
    void shouldListGroupsThatAClientMaySee() throws Exception {
        try (KafkaConsumer<String, String> root = consumer("root", "of-root")) {
            TopicPartition partition = new TopicPartition("shared", 0);
            root.assign(List.of(partition));
            root.seek(partition, 0);
            root.commitSync();
        }
        try (Admin writer = Admin.create(as("writer", Map.of()));
                Admin root = Admin.create(as("root", Map.of()))) {
            assertThat(root.listGroups().all().get(15, TimeUnit.SECONDS)).isNotEmpty();
            assertThat(writer.listGroups().all().get(15, TimeUnit.SECONDS)).isEmpty();

            admin.allow("User:writer", DESCRIBE, CLUSTER, AclEntry.CLUSTER_NAME);
            assertThat(writer.listGroups().all().get(15, TimeUnit.SECONDS)).isNotEmpty();
        }
    }
}
