package io.millrace.broker.kafka;

import static io.millrace.broker.kafka.AdminCalls.assertFails;
import static io.millrace.broker.kafka.AdminCalls.await;
import static io.millrace.broker.kafka.AdminCalls.get;
import static io.millrace.broker.kafka.AdminCalls.valueIn;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreatePartitionsOptions;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.LogDirNotFoundException;
import org.apache.kafka.common.errors.NoReassignmentInProgressException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicDeletionDisabledException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics, partitions and the cluster through Kafka's own administration client. */
class TopicAdminTest {

    private static EmbeddedBroker broker;
    private static Admin admin;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
    }

    @Test
    void shouldCreateATopicAndSayWhatItIs() {
        CreateTopicsResult result = admin.createTopics(
                List.of(new NewTopic("created", 3, (short) 1).configs(Map.of("retention.ms", "12345"))));

        assertThat(get(result.numPartitions("created"))).isEqualTo(3);
        assertThat(get(result.replicationFactor("created"))).isEqualTo(1);
        assertThat(get(result.config("created")).get("retention.ms").value()).isEqualTo("12345");
        assertThat(get(result.config("created")).get("retention.ms").isDefault())
                .isFalse();
        Uuid id = get(result.topicId("created"));
        TopicDescription described = describe("created");
        assertThat(described.topicId()).isEqualTo(id);
        assertThat(described.partitions()).hasSize(3).allSatisfy(partition -> {
            assertThat(partition.leader().id()).isEqualTo(1);
            assertThat(partition.replicas()).hasSize(1);
            assertThat(partition.isr()).hasSize(1);
        });
        assertThat(get(admin.listTopics().names())).contains("created");
    }

    @Test
    void shouldTakeDefaultsForWhatIsNotSaid() {
        CreateTopicsResult result =
                admin.createTopics(List.of(new NewTopic("defaults", Optional.empty(), Optional.empty())));

        assertThat(get(result.numPartitions("defaults"))).isEqualTo(1);
        assertThat(get(result.replicationFactor("defaults"))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"__mine", "__amazon_msk_canary", "__"})
    void shouldTreatATopicWithTwoUnderscoresLikeAny(String name) throws ExecutionException, InterruptedException {
        await(admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all());
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, new HashMap<>())) {
            assertThat(producer.send(new ProducerRecord<>(name, "k", "v")).get().offset())
                    .isZero();
            producer.send(new ProducerRecord<>(name, "k", "w")).get();
        }
        assertThat(describe(name).isInternal()).isFalse();
        TopicPartition partition = new TopicPartition(name, 0);
        assertThat(get(valueIn(
                                admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1)))
                                        .lowWatermarks(),
                                partition))
                        .lowWatermark())
                .isOne();
        await(admin.createPartitions(Map.of(name, NewPartitions.increaseTo(2))).all());
        assertThat(describe(name).partitions()).hasSize(2);

        await(admin.deleteTopics(List.of(name)).all());

        assertThat(get(admin.listTopics().names())).doesNotContain(name);
    }

    @Test
    void shouldCreateATopicWithTwoUnderscoresForAProducer() throws ExecutionException, InterruptedException {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, new HashMap<>())) {
            assertThat(producer.send(new ProducerRecord<>("__by_use", "k", "v"))
                            .get()
                            .offset())
                    .isZero();
        }
    }

    @Test
    void shouldKeepTheNumberOfPartitionsOfTheTopicOfGroups() {
        await(admin.createTopics(List.of(new NewTopic("of-g", 1, (short) 1))).all());
        await(admin.alterConsumerGroupOffsets("g", Map.of(new TopicPartition("of-g", 0), new OffsetAndMetadata(0)))
                .all());
        TopicDescription groups = describe("__consumer_offsets");
        int count = groups.partitions().size();

        assertFails(
                admin.createPartitions(Map.of("__consumer_offsets", NewPartitions.increaseTo(count + 1)))
                        .all(),
                InvalidRequestException.class);

        assertThat(groups.isInternal()).isTrue();
        assertThat(describe("__consumer_offsets").partitions()).hasSize(count);
    }

    @Test
    void shouldOnlyCheckWhenThatIsAskedFor() {
        CreateTopicsResult result = admin.createTopics(
                List.of(new NewTopic("checked", 2, (short) 1)), new CreateTopicsOptions().validateOnly(true));

        assertThat(get(result.numPartitions("checked"))).isEqualTo(2);
        assertThat(get(admin.listTopics().names())).doesNotContain("checked");
    }

    @Test
    void shouldCreateTheRightOnesAndRefuseTheWrongOnes() {
        create("taken.topic");
        Map<String, KafkaFuture<Void>> results = admin.createTopics(List.of(
                        new NewTopic("fine", 1, (short) 1),
                        new NewTopic("taken.topic", 1, (short) 1),
                        new NewTopic("taken_topic", 1, (short) 1),
                        new NewTopic("bad name", 1, (short) 1),
                        new NewTopic("x".repeat(250), 1, (short) 1),
                        new NewTopic("none", 0, (short) 1),
                        new NewTopic("copies", 1, (short) 2),
                        new NewTopic("nocopies", 1, (short) 0),
                        new NewTopic("many", 10_001, (short) 1),
                        new NewTopic("unknownkey", 1, (short) 1).configs(Map.of("no.such.key", "1")),
                        new NewTopic("wrongvalue", 1, (short) 1).configs(Map.of("retention.ms", "soon")),
                        new NewTopic("elsewhere", Map.of(0, List.of(7))),
                        new NewTopic("gap", Map.of(1, List.of(1))),
                        new NewTopic("assigned", Map.of(0, List.of(1), 1, List.of(1)))))
                .values();

        await(results.get("fine"));
        await(results.get("assigned"));
        assertThat(describe("assigned").partitions()).hasSize(2);
        assertFails(results.get("taken.topic"), TopicExistsException.class);
        assertFails(results.get("taken_topic"), InvalidTopicException.class);
        assertFails(results.get("bad name"), InvalidTopicException.class);
        assertFails(results.get("x".repeat(250)), InvalidTopicException.class);
        assertFails(results.get("none"), InvalidPartitionsException.class);
        assertFails(results.get("copies"), InvalidReplicationFactorException.class);
        assertFails(results.get("nocopies"), InvalidReplicationFactorException.class);
        assertFails(results.get("many"), PolicyViolationException.class);
        assertFails(results.get("unknownkey"), InvalidConfigurationException.class);
        assertFails(results.get("wrongvalue"), InvalidConfigurationException.class);
        assertFails(results.get("elsewhere"), InvalidReplicaAssignmentException.class);
        assertFails(results.get("gap"), InvalidReplicaAssignmentException.class);
    }

    @Test
    void shouldDeleteByNameAndById() {
        create("byname");
        create("byid");
        Uuid id = describe("byid").topicId();

        await(admin.deleteTopics(List.of("byname")).all());
        await(admin.deleteTopics(TopicCollection.ofTopicIds(List.of(id))).all());

        assertThat(get(admin.listTopics().names())).doesNotContain("byname", "byid");
        assertFails(admin.deleteTopics(List.of("byname")).all(), UnknownTopicOrPartitionException.class);
        assertFails(admin.deleteTopics(TopicCollection.ofTopicIds(List.of(id))).all(), UnknownTopicIdException.class);
    }

    @Test
    void shouldNotDeleteWhereThatIsSwitchedOff() {
        try (EmbeddedBroker careful = EmbeddedBroker.builder()
                        .temporaryDirectory()
                        .config("delete.topic.enable", "false")
                        .start();
                Admin client = Admin.create(KafkaClients.config(careful, Map.of()))) {
            await(client.createTopics(List.of(new NewTopic("kept", 1, (short) 1)))
                    .all());

            assertFails(client.deleteTopics(List.of("kept")).all(), TopicDeletionDisabledException.class);
            assertThat(get(client.listTopics().names())).contains("kept");
        }
    }

    @Test
    void shouldAddPartitionsThatCanBeUsedAtOnce() {
        create("growing");

        await(admin.createPartitions(
                        Map.of("growing", NewPartitions.increaseTo(4)),
                        new CreatePartitionsOptions().validateOnly(true))
                .all());
        assertThat(describe("growing").partitions()).hasSize(1);
        await(admin.createPartitions(Map.of("growing", NewPartitions.increaseTo(4)))
                .all());

        assertThat(describe("growing").partitions()).hasSize(4);
        assertThat(send("growing", 3, "a")).isZero();
        Map<String, KafkaFuture<Void>> refused = admin.createPartitions(Map.of(
                        "growing", NewPartitions.increaseTo(4),
                        "no-such", NewPartitions.increaseTo(4)))
                .values();
        assertFails(refused.get("growing"), InvalidPartitionsException.class);
        assertFails(refused.get("no-such"), UnknownTopicOrPartitionException.class);
        assertFails(
                admin.createPartitions(Map.of("growing", NewPartitions.increaseTo(2)))
                        .all(),
                InvalidPartitionsException.class);
        assertFails(
                admin.createPartitions(Map.of("growing", NewPartitions.increaseTo(5, List.of(List.of(9)))))
                        .all(),
                InvalidReplicaAssignmentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 2_000})
    void shouldDescribePageByPage(int limit) {
        await(admin.createTopics(List.of(
                        new NewTopic("page-a-" + limit, 3, (short) 1), new NewTopic("page-b-" + limit, 2, (short) 1)))
                .all());

        Map<String, TopicDescription> described = get(admin.describeTopics(
                        List.of("page-a-" + limit, "page-b-" + limit),
                        new DescribeTopicsOptions().partitionSizeLimitPerResponse(limit))
                .allTopicNames());

        assertThat(valueIn(described, "page-a-" + limit).partitions()).hasSize(3);
        assertThat(valueIn(described, "page-b-" + limit).partitions()).hasSize(2);
        assertFails(admin.describeTopics(List.of("no-such")).allTopicNames(), UnknownTopicOrPartitionException.class);
    }

    @Test
    void shouldDeleteRecordsBelowAnOffset() {
        create("trimmed");
        TopicPartition partition = new TopicPartition("trimmed", 0);
        for (int i = 0; i < 10; i++) {
            send("trimmed", 0, "m" + i);
        }

        assertThat(lowWatermark(partition, 4)).isEqualTo(4);
        assertThat(lowWatermark(partition, 2)).isEqualTo(4);
        assertThat(offset(partition, OffsetSpec.earliest())).isEqualTo(4);
        assertFails(
                admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(11)))
                        .all(),
                OffsetOutOfRangeException.class);
        assertThat(lowWatermark(partition, -1)).isEqualTo(10);
        assertThat(offset(partition, OffsetSpec.latest())).isEqualTo(10);
        assertThat(send("trimmed", 0, "next")).isEqualTo(10);
    }

    @Test
    void shouldTellWhereLogsAre() {
        create("placed");
        send("placed", 0, "x");

        Map<String, LogDirDescription> directories =
                valueIn(get(admin.describeLogDirs(List.of(1)).allDescriptions()), 1);

        assertThat(directories).hasSize(1);
        LogDirDescription directory = directories.values().iterator().next();
        assertThat(directory.error()).isNull();
        assertThat(valueIn(directory.replicaInfos(), new TopicPartition("placed", 0))
                        .size())
                .isPositive();
        assertThat(directory.totalBytes().orElse(0)).isPositive();
        assertThat(directory.usableBytes().orElse(0)).isPositive();
        String path = directories.keySet().iterator().next();
        TopicPartitionReplica replica = new TopicPartitionReplica("placed", 0, 1);
        await(admin.alterReplicaLogDirs(Map.of(replica, path)).all());
        assertFails(admin.alterReplicaLogDirs(Map.of(replica, "/elsewhere")).all(), LogDirNotFoundException.class);
    }

    @Test
    void shouldElectAndMoveNothing() {
        create("still");
        TopicPartition partition = new TopicPartition("still", 0);

        Optional<Throwable> result = get(admin.electLeaders(ElectionType.PREFERRED, Set.of(partition))
                        .partitions())
                .get(partition);
        assertThat(result).containsInstanceOf(ElectionNotNeededException.class);
        assertThat(get(admin.electLeaders(ElectionType.PREFERRED, null).partitions()))
                .isEmpty();
        assertThat(get(admin.listPartitionReassignments().reassignments())).isEmpty();
        await(admin.alterPartitionReassignments(
                        Map.of(partition, Optional.of(new NewPartitionReassignment(List.of(1)))))
                .all());
        assertFails(
                admin.alterPartitionReassignments(
                                Map.of(partition, Optional.of(new NewPartitionReassignment(List.of(2)))))
                        .all(),
                InvalidReplicaAssignmentException.class);
        assertFails(
                admin.alterPartitionReassignments(Map.of(partition, Optional.empty()))
                        .all(),
                NoReassignmentInProgressException.class);
    }

    @Test
    void shouldTellProducersAndThatThereAreNoTransactions() {
        create("written");
        send("written", 0, "x");
        TopicPartition partition = new TopicPartition("written", 0);

        PartitionProducerState state =
                get(admin.describeProducers(List.of(partition)).partitionResult(partition));

        assertThat(state.activeProducers()).singleElement().satisfies(producer -> {
            assertThat(producer.lastSequence()).isZero();
            assertThat(producer.currentTransactionStartOffset()).isEmpty();
        });
        assertThat(get(admin.listTransactions().all())).isEmpty();
        assertFails(admin.describeTransactions(List.of("t")).all(), TransactionalIdNotFoundException.class);
    }

    @Test
    void shouldTellTheQuorum() {
        QuorumInfo quorum = get(admin.describeMetadataQuorum().quorumInfo());

        assertThat(quorum.leaderId()).isEqualTo(1);
        assertThat(quorum.highWatermark()).isPositive();
        assertThat(quorum.voters())
                .singleElement()
                .satisfies(voter -> assertThat(voter.logEndOffset()).isEqualTo(quorum.highWatermark()));
    }

    private static void create(String topic) {
        await(admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all());
    }

    private static TopicDescription describe(String topic) {
        return valueIn(get(admin.describeTopics(List.of(topic)).allTopicNames()), topic);
    }

    private static long lowWatermark(TopicPartition partition, long offset) {
        return get(valueIn(
                        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                                .lowWatermarks(),
                        partition))
                .lowWatermark();
    }

    private static long offset(TopicPartition partition, OffsetSpec spec) {
        return get(admin.listOffsets(Map.of(partition, spec)).partitionResult(partition))
                .offset();
    }

    private static long send(String topic, int partition, String value) {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, new HashMap<>())) {
            return producer.send(new ProducerRecord<>(topic, partition, null, value))
                    .get()
                    .offset();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }
}
