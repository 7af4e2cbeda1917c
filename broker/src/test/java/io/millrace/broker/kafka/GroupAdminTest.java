package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.GroupSubscribedToTopicException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups as administrators see and change them, by Kafka's admin client. */
class GroupAdminTest {

    private static final TopicPartition T0 = new TopicPartition("t", 0);
    private static final TopicPartition T1 = new TopicPartition("t", 1);

    private EmbeddedBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .port(0)
                .config("num.partitions", "2")
                .config("group.initial.rebalance.delay.ms", "0")
                .config("group.consumer.min.heartbeat.interval.ms", "100")
                .config("group.consumer.heartbeat.interval.ms", "100")
                .config("group.consumer.assignment.interval.ms", "0")
                .start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            done(producer.send(new ProducerRecord<>("t", 0, "k", "v")));
            done(producer.send(new ProducerRecord<>("other", 0, "k", "v")));
        }
    }

    @AfterEach
    void close() {
        admin.close();
        broker.close();
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    private KafkaConsumer<String, String> member(String group, String protocol, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(
                Map.of("group.id", group, "group.protocol", protocol, "client.id", "c", "enable.auto.commit", "false"));
        if (protocol.equals("classic")) {
            config.put("heartbeat.interval.ms", 100);
            // Who leaves before it was told its name is remembered for so long.
            config.put("session.timeout.ms", 6_000);
        }
        config.putAll(more);
        KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, config);
        consumer.subscribe(List.of("t"));
        return consumer;
    }

    private ConsumerGroupDescription describe(String group) throws Exception {
        return Objects.requireNonNull(done(admin.describeConsumerGroups(
                                List.of(group), new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true))
                        .all())
                .get(group));
    }

    private static void pollUntilAssigned(KafkaConsumer<String, String> consumer) {
        await().atMost(20, TimeUnit.SECONDS).until(() -> {
            consumer.poll(Duration.ofMillis(20));
            return consumer.assignment().size() == 2;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void shouldDescribeAndListAGroup(String protocol) throws Exception {
        GroupType type = protocol.equals("classic") ? GroupType.CLASSIC : GroupType.CONSUMER;
        try (KafkaConsumer<String, String> consumer = member("g", protocol, Map.of("group.instance.id", "i"))) {
            pollUntilAssigned(consumer);

            ConsumerGroupDescription group = describe("g");
            assertThat(group.groupState()).isEqualTo(GroupState.STABLE);
            assertThat(group.type()).isEqualTo(type);
            assertThat(group.coordinator().port()).isEqualTo(broker.port());
            MemberDescription member = group.members().iterator().next();
            assertThat(member.clientId()).isEqualTo("c");
            assertThat(member.host()).isEqualTo("/127.0.0.1");
            assertThat(member.groupInstanceId()).contains("i");
            assertThat(member.assignment().topicPartitions()).containsExactlyInAnyOrder(T0, T1);
            assertThat(done(admin.listGroups(ListGroupsOptions.forConsumerGroups())
                            .all()))
                    .extracting(
                            GroupListing::groupId,
                            listing -> listing.type().orElseThrow(),
                            listing -> listing.groupState().orElseThrow())
                    .containsExactly(tuple("g", type, GroupState.STABLE));
        }
    }

    @Test
    void shouldSayWhatMayBeDoneWithAGroup() throws Exception {
        done(admin.alterConsumerGroupOffsets("g", Map.of(T0, new OffsetAndMetadata(1)))
                .all());

        ConsumerGroupDescription group = describe("g");

        assertThat(group.groupState()).isEqualTo(GroupState.EMPTY);
        assertThat(group.authorizedOperations())
                .containsExactlyInAnyOrder(
                        AclOperation.READ,
                        AclOperation.DELETE,
                        AclOperation.DESCRIBE,
                        AclOperation.DESCRIBE_CONFIGS,
                        AclOperation.ALTER_CONFIGS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void shouldResetDeleteAndForgetOffsetsOfAGroupOnlyWhenNobodyIsInIt(String protocol) throws Exception {
        try (KafkaConsumer<String, String> consumer = member("g", protocol, Map.of())) {
            pollUntilAssigned(consumer);
            consumer.commitSync(Map.of(T0, new OffsetAndMetadata(1), T1, new OffsetAndMetadata(0)));

            assertThatThrownBy(
                            () -> done(admin.deleteConsumerGroups(List.of("g")).all()))
                    .hasCauseInstanceOf(GroupNotEmptyException.class);
            assertThatThrownBy(() -> done(
                            admin.deleteConsumerGroupOffsets("g", Set.of(T0)).all()))
                    .hasCauseInstanceOf(GroupSubscribedToTopicException.class);
        }

        done(admin.alterConsumerGroupOffsets("g", Map.of(T0, new OffsetAndMetadata(0, "again")))
                .all());
        assertThat(offsets("g")).containsEntry(T0, new OffsetAndMetadata(0, "again"));
        done(admin.deleteConsumerGroupOffsets("g", Set.of(T0)).all());
        assertThat(offsets("g")).containsOnlyKeys(T1);
        done(admin.deleteConsumerGroups(List.of("g")).all());
        assertThat(done(admin.listGroups().all())).isEmpty();
        assertThatThrownBy(() -> describe("g")).hasCauseInstanceOf(GroupIdNotFoundException.class);
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(String group) throws Exception {
        return done(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    }

    @Test
    void shouldAnswerForSeveralGroupsAtATime() throws Exception {
        done(admin.alterConsumerGroupOffsets("a", Map.of(T0, new OffsetAndMetadata(1)))
                .all());
        done(admin.alterConsumerGroupOffsets("b", Map.of(T1, new OffsetAndMetadata(2)))
                .all());

        Map<String, Map<TopicPartition, OffsetAndMetadata>> found = done(admin.listConsumerGroupOffsets(Map.of(
                        "a",
                        new ListConsumerGroupOffsetsSpec(),
                        "b",
                        new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(T1))))
                .all());

        assertThat(found.get("a")).containsOnly(Map.entry(T0, new OffsetAndMetadata(1)));
        assertThat(found.get("b")).containsOnly(Map.entry(T1, new OffsetAndMetadata(2)));
    }

    @Test
    void shouldPutOutAMember() throws Exception {
        try (KafkaConsumer<String, String> consumer = member("g", "classic", Map.of())) {
            pollUntilAssigned(consumer);

            done(admin.removeMembersFromConsumerGroup("g", new RemoveMembersFromConsumerGroupOptions())
                    .all());

            await().until(() -> describe("g").groupState() == GroupState.EMPTY);
        }
    }

    @Test
    void shouldRefuseOffsetsOfPartitionsThatDoNotExistAndTooMuchMetadata() {
        assertThatThrownBy(() -> done(admin.alterConsumerGroupOffsets(
                                "g", Map.of(new TopicPartition("t", 7), new OffsetAndMetadata(1)))
                        .all()))
                .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
        assertThatThrownBy(() -> done(admin.alterConsumerGroupOffsets(
                                "g", Map.of(T0, new OffsetAndMetadata(1, "x".repeat(4_097))))
                        .all()))
                .hasCauseInstanceOf(OffsetMetadataTooLarge.class);
    }

    @Test
    void shouldLetNobodyWriteToTheTopicOfGroups() throws Exception {
        done(admin.alterConsumerGroupOffsets("g", Map.of(T0, new OffsetAndMetadata(1)))
                .all());

        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            assertThatThrownBy(() -> done(producer.send(new ProducerRecord<>("__consumer_offsets", 0, "k", "v"))))
                    .hasCauseInstanceOf(InvalidTopicException.class);
        }
        assertThat(offsets("g")).containsEntry(T0, new OffsetAndMetadata(1));
    }

    @Test
    void shouldForgetTheOffsetsOfADeletedTopic() throws Exception {
        TopicPartition other = new TopicPartition("other", 0);
        Map<TopicPartition, OffsetAndMetadata> both =
                Map.of(other, new OffsetAndMetadata(1), T0, new OffsetAndMetadata(1));
        done(admin.alterConsumerGroupOffsets("g", both).all());

        done(admin.deleteTopics(List.of("other")).all());

        await().until(() -> offsets("g").keySet().equals(Set.of(T0)));
    }

    @Test
    void shouldHoldWhatAGroupSetsForItselfWithinTheBoundsOfTheBroker() throws Exception {
        done(alter("share.session.timeout.ms", "50000"));

        assertThatThrownBy(() -> done(alter("share.session.timeout.ms", "5")))
                .hasCauseInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("45000 to 60000");
    }

    private KafkaFuture<Void> alter(String key, String value) {
        return admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.GROUP, "g"),
                        List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
                .all();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void shouldEndStableAfterAStormOfMembers(String protocol) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> members = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                boolean stays = i < 2;
                members.add(threads.submit(() -> {
                    try (KafkaConsumer<String, String> consumer = member("storm", protocol, Map.of())) {
                        int polls = 0;
                        while (stays ? !over.get() : polls++ < 5) {
                            consumer.poll(Duration.ofMillis(20));
                        }
                    }
                }));
            }
            for (Future<?> member : members.subList(2, 50)) {
                done(member);
            }

            await().atMost(10, TimeUnit.SECONDS).until(() -> {
                ConsumerGroupDescription group = describe("storm");
                Set<TopicPartition> assigned = new HashSet<>();
                group.members()
                        .forEach(member -> assigned.addAll(member.assignment().topicPartitions()));
                return group.groupState() == GroupState.STABLE
                        && group.members().size() == 2
                        && assigned.size() == 2;
            });
            over.set(true);
            done(members.get(0));
            done(members.get(1));
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
    }
}
