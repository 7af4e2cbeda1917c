package io.millrace.broker.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The dead letter topics of share groups (KIP-1191), through Kafka's own clients. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShareDeadLetterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String ENABLE = "errors.deadletterqueue.group.enable";
    private static final String AUTO_CREATE = "errors.deadletterqueue.auto.create.topics.enable";
    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");

    private EmbeddedBroker broker;
    private Admin admin;
    private String topic = "";
    private int topics;

    @BeforeAll
    void startBroker() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("group.share.min.heartbeat.interval.ms", "300")
                .config("group.share.heartbeat.interval.ms", "300")
                .config("group.share.assignment.interval.ms", "0")
                .start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
    }

    @AfterAll
    void stopBroker() {
        admin.close();
        broker.close();
    }

    /** A topic with two records, and a group of the same name that begins at the first. */
    @BeforeEach
    void begin() {
        topic = "orders-" + topics++;
        AdminCalls.await(
                admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all());
        set("share.auto.offset.reset", "earliest");
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of("linger.ms", 50))) {
            for (int i = 0; i < 2; i++) {
                ProducerRecord<String, String> record = new ProducerRecord<>(topic, "k" + i, "v" + i);
                record.headers().add("colour", "blue".getBytes(UTF_8));
                var _ = producer.send(record);
            }
        }
    }

    private void set(String key, String value) {
        alter(new ConfigResource(ConfigResource.Type.GROUP, topic), key, value, OpType.SET);
    }

    private void alter(ConfigResource of, String key, String value, OpType how) {
        AdminCalls.await(admin.incrementalAlterConfigs(
                        Map.of(of, List.of(new AlterConfigOp(new ConfigEntry(key, value), how))))
                .all());
    }

    private String deadLetterTopic(int partitions, Map<String, String> config) {
        String name = "dlq." + topic;
        AdminCalls.await(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(config)))
                .all());
        set("errors.deadletterqueue.topic.name", name);
        return name;
    }

    /** Polls both records, rejects the first, and accepts the second. */
    private void rejectTheFirst() {
        try (KafkaShareConsumer<String, String> member = member()) {
            for (ConsumerRecord<String, String> record : poll(member, 2)) {
                member.acknowledge(record, record.offset() == 0 ? AcknowledgeType.REJECT : AcknowledgeType.ACCEPT);
            }
            assertThat(member.commitSync().values()).allMatch(Optional::isEmpty);
        }
    }

    private KafkaShareConsumer<String, String> member() {
        Map<String, Object> config = new HashMap<>(KafkaClients.config(broker, Map.of("group.id", topic)));
        config.put("share.acknowledgement.mode", "explicit");
        KafkaShareConsumer<String, String> member =
                new KafkaShareConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        member.subscribe(List.of(topic));
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

    private List<ConsumerRecord<String, String>> letters(String from, int count) {
        try (KafkaConsumer<String, String> reader = KafkaClients.consumer(broker, Map.of())) {
            reader.assign(List.of(new TopicPartition(from, 0)));
            reader.seekToBeginning(reader.assignment());
            assertThat(reader.endOffsets(reader.assignment()).values()).containsExactly((long) count);
            return count == 0 ? List.of() : KafkaClients.poll(reader, count);
        }
    }

    private static Map<String, String> headers(ConsumerRecord<String, String> record) {
        Map<String, String> headers = new TreeMap<>();
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return headers;
    }

    @Test
    void shouldSayInALetterWhichRecordWasRejected() {
        String dead = deadLetterTopic(1, Map.of(ENABLE, "true"));

        rejectTheFirst();

        // The rejection is answered when the letter is there.
        ConsumerRecord<String, String> letter = letters(dead, 1).getFirst();
        assertThat(letter.key()).isNull();
        assertThat(letter.value()).isNull();
        assertThat(headers(letter))
                .containsEntry("__dlq.errors.topic", topic)
                .containsEntry("__dlq.errors.partition", "0")
                .containsEntry("__dlq.errors.offset", "0")
                .containsEntry("__dlq.errors.group", topic)
                .containsEntry("__dlq.errors.delivery.count", "1")
                .containsKey("__dlq.errors.message")
                .hasSize(6);
    }

    @Test
    void shouldCopyTheRecordIfTheGroupWantsThat() {
        String dead = deadLetterTopic(1, Map.of(ENABLE, "true"));
        set("errors.deadletterqueue.copy.record.enable", "true");

        rejectTheFirst();

        ConsumerRecord<String, String> letter = letters(dead, 1).getFirst();
        assertThat(letter.key()).isEqualTo("k0");
        assertThat(letter.value()).isEqualTo("v0");
        assertThat(headers(letter)).containsEntry("colour", "blue").containsEntry("__dlq.errors.offset", "0");
    }

    @Test
    void shouldWriteAboutWhatWasDeliveredOftenEnough() {
        String dead = deadLetterTopic(1, Map.of(ENABLE, "true"));
        set("share.delivery.count.limit", "2");
        try (KafkaShareConsumer<String, String> member = member()) {
            for (int delivery = 1; delivery <= 2; delivery++) {
                poll(member, 2).forEach(record -> member.acknowledge(record, AcknowledgeType.RELEASE));
                member.commitSync();
            }
        }

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(letters(dead, 2))
                        .extracting(letter -> headers(letter).get("__dlq.errors.delivery.count"))
                        .containsExactly("2", "2"));
    }

    @Test
    void shouldCopyNothingThatIsTooLargeForTheTopicOfTheLetters() {
        String dead = deadLetterTopic(1, Map.of(ENABLE, "true", "max.message.bytes", "400"));
        set("errors.deadletterqueue.copy.record.enable", "true");
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            var _ = producer.send(new ProducerRecord<>(topic, "x".repeat(1_000)));
        }
        try (KafkaShareConsumer<String, String> member = member()) {
            poll(member, 3).forEach(record -> member.acknowledge(record, AcknowledgeType.REJECT));
            member.commitSync();
        }

        assertThat(letters(dead, 3)).extracting(ConsumerRecord::value).containsExactly("v0", "v1", null);
    }

    @Test
    void shouldGoOnWithoutALetterWhereThereIsNoTopicForIt() {
        set("errors.deadletterqueue.topic.name", "dlq.of-nobody");

        rejectTheFirst();

        assertThat(AdminCalls.get(admin.listTopics().names())).doesNotContain("dlq.of-nobody");
        assertIsDone();
    }

    @Test
    void shouldGoOnWithoutALetterWhereTheTopicIsNotMeantForThem() {
        String dead = deadLetterTopic(1, Map.of());

        rejectTheFirst();

        assertThat(letters(dead, 0)).isEmpty();
        assertIsDone();
    }

    @Test
    void shouldGoOnWithoutALetterWhereTheNameIsNotAllowed() {
        AdminCalls.await(admin.createTopics(
                        List.of(new NewTopic("precious" + topic, 1, (short) 1).configs(Map.of(ENABLE, "true"))))
                .all());
        set("errors.deadletterqueue.topic.name", "precious" + topic);

        rejectTheFirst();

        assertThat(letters("precious" + topic, 0)).isEmpty();
        AdminCalls.assertFails(
                admin.incrementalAlterConfigs(Map.of(
                                new ConfigResource(ConfigResource.Type.GROUP, topic),
                                List.of(new AlterConfigOp(
                                        new ConfigEntry("errors.deadletterqueue.topic.name", "__mine"), OpType.SET))))
                        .all(),
                InvalidConfigurationException.class);
    }

    @Test
    void shouldGoOnWithoutALetterWhereTheTopicRefusesIt() {
        // It keeps records by their keys, and letters have none.
        String dead = deadLetterTopic(1, Map.of(ENABLE, "true", "cleanup.policy", "compact"));

        rejectTheFirst();

        assertThat(letters(dead, 0)).isEmpty();
        assertIsDone();
    }

    @Test
    void shouldSpreadLettersAsTheRecordsAre() {
        AdminCalls.await(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3)))
                .all());
        String dead = deadLetterTopic(2, Map.of(ENABLE, "true"));
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            var _ = producer.send(new ProducerRecord<>(topic, 2, null, "in 2"));
        }
        try (KafkaShareConsumer<String, String> member = member()) {
            int rejected = 0;
            long endNs = System.nanoTime() + PATIENCE.toNanos();
            while (rejected < 3 && System.nanoTime() - endNs < 0) {
                for (ConsumerRecord<String, String> record : member.poll(Duration.ofMillis(200))) {
                    member.acknowledge(record, AcknowledgeType.REJECT);
                    rejected++;
                }
                member.commitSync();
            }
        }

        assertThat(letters(dead, 3))
                .extracting(letter -> headers(letter).get("__dlq.errors.partition"))
                .containsExactlyInAnyOrder("0", "0", "2");
    }

    @Test
    void shouldCreateTheTopicIfTheBrokerMay() {
        set("errors.deadletterqueue.topic.name", "dlq." + topic);
        alter(ALL_BROKERS, AUTO_CREATE, "true", OpType.SET);
        try {
            rejectTheFirst();
        } finally {
            alter(ALL_BROKERS, AUTO_CREATE, "", OpType.DELETE);
        }

        assertThat(letters("dlq." + topic, 1)).hasSize(1);
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, "dlq." + topic);
        Config config = AdminCalls.valueIn(
                AdminCalls.get(admin.describeConfigs(List.of(resource)).all()), resource);
        assertThat(config.get(ENABLE).value()).isEqualTo("true");
        assertThat(config.get("message.timestamp.type").value()).isEqualTo("CreateTime");
    }

    @Test
    void shouldWriteNoLettersWhereTheClusterHasNone() {
        String dead = deadLetterTopic(1, Map.of(ENABLE, "true"));
        shareVersion(1);
        try {
            rejectTheFirst();
        } finally {
            shareVersion(2);
        }

        assertThat(letters(dead, 0)).isEmpty();
        assertIsDone();
    }

    private void shareVersion(int level) {
        AdminCalls.await(admin.updateFeatures(
                        Map.of(
                                "share.version",
                                new FeatureUpdate(
                                        (short) level, level == 1 ? UpgradeType.SAFE_DOWNGRADE : UpgradeType.UPGRADE)),
                        new UpdateFeaturesOptions())
                .all());
    }

    /** Both records are behind the group. */
    private void assertIsDone() {
        var offsets = AdminCalls.get(admin.listShareGroupOffsets(Map.of(topic, new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo(topic));
        assertThat(AdminCalls.valueIn(offsets, new TopicPartition(topic, 0)).startOffset())
                .isEqualTo(2);
    }
}
