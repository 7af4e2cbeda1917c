package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ShareGroupDescription;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Share groups as administrators see and change them, also after a restart; the answers are those of Kafka 4.4. */
class ShareAdminTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String GROUP = "workers";
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private Admin admin;

    @BeforeEach
    void start() {
        startBroker();
        AdminCalls.await(admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1)))
                .all());
        AdminCalls.await(admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.GROUP, GROUP),
                        List.of(new AlterConfigOp(
                                new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET))))
                .all());
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of("linger.ms", 50))) {
            for (int i = 0; i < 5; i++) {
                var _ = producer.send(new ProducerRecord<>("orders", "v" + i));
            }
        }
    }

    private void startBroker() {
        broker = EmbeddedBroker.builder()
                .directory(directory)
                .config("group.share.min.heartbeat.interval.ms", "300")
                .config("group.share.heartbeat.interval.ms", "300")
                .config("group.share.assignment.interval.ms", "0")
                .start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
    }

    @AfterEach
    void stop() {
        admin.close();
        broker.close();
    }

    private void restart(boolean kill) {
        admin.close();
        if (kill) {
            broker.kill();
        } else {
            broker.close();
        }
        startBroker();
    }

    private KafkaShareConsumer<String, String> member() {
        Map<String, Object> config = new HashMap<>(KafkaClients.config(broker, Map.of("group.id", GROUP)));
        config.put("share.acknowledgement.mode", "explicit");
        KafkaShareConsumer<String, String> member =
                new KafkaShareConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        member.subscribe(List.of("orders"));
        return member;
    }

    private static List<ConsumerRecord<String, String>> poll(KafkaShareConsumer<String, String> member, int count) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (records.size() < count && System.nanoTime() - endNs < 0) {
            member.poll(Duration.ofMillis(200)).forEach(records::add);
        }
        assertThat(records).hasSize(count);
        return records;
    }

    /** Accepts the first two records and the fourth, and leaves. */
    private void consumeThree() {
        try (KafkaShareConsumer<String, String> member = member()) {
            poll(member, 5)
                    .forEach(record -> member.acknowledge(
                            record,
                            record.offset() == 2 || record.offset() == 4
                                    ? AcknowledgeType.RELEASE
                                    : AcknowledgeType.ACCEPT));
            member.commitSync();
        }
    }

    private List<Long> offsetsConsumed(int count) {
        try (KafkaShareConsumer<String, String> member = member()) {
            List<ConsumerRecord<String, String>> records = poll(member, count);
            records.forEach(member::acknowledge);
            member.commitSync();
            return records.stream().map(ConsumerRecord::offset).toList();
        }
    }

    private @Nullable SharePartitionOffsetInfo offsets() {
        return AdminCalls.get(admin.listShareGroupOffsets(Map.of(GROUP, new ListShareGroupOffsetsSpec()))
                        .partitionsToOffsetInfo(GROUP))
                .get(PARTITION);
    }

    private void assertOffsets(long start, long lag) {
        SharePartitionOffsetInfo offsets = offsets();
        assertThat(offsets).isNotNull();
        assertThat(offsets.startOffset()).isEqualTo(start);
        assertThat(offsets.lag()).isEqualTo(Optional.of(lag));
    }

    private ShareGroupDescription describe() {
        return AdminCalls.valueIn(
                AdminCalls.get(admin.describeShareGroups(List.of(GROUP)).all()), GROUP);
    }

    private void alterTo(long offset) {
        AdminCalls.await(
                admin.alterShareGroupOffsets(GROUP, Map.of(PARTITION, offset)).partitionResult(PARTITION));
    }

    private void deleteOffsets() {
        AdminCalls.await(admin.deleteShareGroupOffsets(GROUP, Set.of("orders")).topicResult("orders"));
    }

    @Test
    void shouldDescribeAGroupWithAMemberAndLetNobodyChangeIt() {
        try (KafkaShareConsumer<String, String> member = member()) {
            poll(member, 5).forEach(record -> member.acknowledge(record, AcknowledgeType.RELEASE));
            member.commitSync();

            ShareGroupDescription group = describe();
            assertThat(group.groupState()).isEqualTo(GroupState.STABLE);
            assertThat(group.members()).hasSize(1);
            assertThat(group.members().iterator().next().assignment().topicPartitions())
                    .containsExactly(PARTITION);
            assertOffsets(0, 5);
            AdminCalls.assertFails(
                    admin.alterShareGroupOffsets(GROUP, Map.of(PARTITION, 1L)).partitionResult(PARTITION),
                    GroupNotEmptyException.class);
            AdminCalls.assertFails(
                    admin.deleteShareGroupOffsets(GROUP, Set.of("orders")).topicResult("orders"),
                    GroupNotEmptyException.class);
            AdminCalls.assertFails(admin.deleteShareGroups(List.of(GROUP)).all(), GroupNotEmptyException.class);
        }
        await().atMost(PATIENCE).until(() -> describe().groupState() == GroupState.EMPTY);
    }

    @Test
    void shouldKnowAfterARestartHowFarTheGroupIs() {
        consumeThree();
        assertOffsets(2, 2);

        restart(false);
        assertThat(describe().groupState()).isEqualTo(GroupState.EMPTY);
        assertOffsets(2, 2);

        restart(true);
        assertOffsets(2, 2);
        assertThat(offsetsConsumed(2)).containsExactly(2L, 4L);
    }

    @Test
    void shouldAlterOffsetsForGood() {
        consumeThree();

        alterTo(1);
        assertOffsets(1, 4);
        restart(true);
        assertOffsets(1, 4);
        alterTo(3);
        assertOffsets(3, 2);
        assertThat(offsetsConsumed(2)).containsExactly(3L, 4L);

        // Kafka takes any offset; here it is brought into the range of what is there.
        alterTo(100);
        assertOffsets(5, 0);
    }

    @Test
    void shouldBeginAnewByTheGroupsSettingWhereNoOffsetIsGiven() {
        consumeThree();

        alterTo(-1);

        assertThat(offsetsConsumed(5)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void shouldAlterOffsetsOfAGroupThatNobodyHasSeenYet() {
        alterTo(3);

        assertThat(describe().groupState()).isEqualTo(GroupState.EMPTY);
        assertOffsets(3, 2);
        restart(true);
        assertOffsets(3, 2);
        assertThat(offsetsConsumed(2)).containsExactly(3L, 4L);
    }

    @Test
    void shouldRefuseToAlterWhatIsNotThere() {
        consumeThree();

        for (TopicPartition wrong : List.of(new TopicPartition("orders", 9), new TopicPartition("nothing", 0))) {
            AdminCalls.assertFails(
                    admin.alterShareGroupOffsets(GROUP, Map.of(wrong, 1L)).partitionResult(wrong),
                    UnknownTopicOrPartitionException.class);
        }
        AdminCalls.assertFails(
                admin.deleteShareGroupOffsets(GROUP, Set.of("nothing")).topicResult("nothing"),
                UnknownTopicOrPartitionException.class);
    }

    @Test
    void shouldForgetOffsetsForGood() {
        consumeThree();

        deleteOffsets();

        assertThat(offsets()).isNull();
        AdminCalls.assertFails(
                admin.deleteShareGroupOffsets(GROUP, Set.of("orders")).topicResult("orders"),
                UnknownTopicOrPartitionException.class);
        restart(true);
        assertThat(offsets()).isNull();
        assertThat(offsetsConsumed(5)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void shouldDeleteAGroupForGood() {
        consumeThree();

        AdminCalls.await(admin.deleteShareGroups(List.of(GROUP)).all());

        AdminCalls.assertFails(admin.describeShareGroups(List.of(GROUP)).all(), GroupIdNotFoundException.class);
        AdminCalls.assertFails(admin.deleteShareGroups(List.of(GROUP)).all(), GroupIdNotFoundException.class);
        restart(true);
        AdminCalls.assertFails(admin.describeShareGroups(List.of(GROUP)).all(), GroupIdNotFoundException.class);
        // A new one of the same name begins where groups begin.
        assertThat(offsetsConsumed(5)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }
}
