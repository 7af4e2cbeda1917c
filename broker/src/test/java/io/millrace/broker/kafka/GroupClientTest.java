package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups as Kafka's own consumer uses them, by both of its protocols. */
class GroupClientTest {

    @TempDir
    Path directory;

    private EmbeddedBroker broker;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.builder()
                .directory(directory)
                .port(0)
                .config("num.partitions", "4")
                .config("group.initial.rebalance.delay.ms", "0")
                .config("group.consumer.min.heartbeat.interval.ms", "100")
                .config("group.consumer.heartbeat.interval.ms", "100")
                .config("group.consumer.assignment.interval.ms", "0")
                .start();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private KafkaConsumer<String, String> member(String protocol, Map<String, Object> more) {
        Map<String, Object> config =
                new HashMap<>(Map.of("group.id", "g", "group.protocol", protocol, "enable.auto.commit", "false"));
        if (protocol.equals("classic")) {
            config.put("heartbeat.interval.ms", 100);
        }
        config.putAll(more);
        return KafkaClients.consumer(broker, config);
    }

    private void produce(String topic, int count) throws Exception {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, i % 4, "k" + i, "v" + i)));
            }
            for (Future<RecordMetadata> send : sent) {
                send.get(20, TimeUnit.SECONDS);
            }
        }
    }

    /** Polls all members until they share the partitions out in this way. */
    private static void pollUntilSharedOut(List<KafkaConsumer<String, String>> members, Integer... counts) {
        await().atMost(20, TimeUnit.SECONDS).pollInterval(Duration.ZERO).until(() -> {
            members.forEach(member -> member.poll(Duration.ofMillis(20)));
            Set<TopicPartition> all = new HashSet<>();
            members.forEach(member -> all.addAll(member.assignment()));
            List<Integer> sizes =
                    members.stream().map(member -> member.assignment().size()).toList();
            return all.size() == 4 && sizes.equals(List.of(counts));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void shouldGoOnWhereTheGroupHasCommitted(String protocol) throws Exception {
        TopicPartition first = new TopicPartition("t", 0);
        produce("t", 40);
        try (KafkaConsumer<String, String> consumer = member(protocol, Map.of())) {
            consumer.subscribe(List.of("t"));
            assertThat(KafkaClients.poll(consumer, 40)).hasSize(40);
            consumer.commitSync(Map.of(
                    first,
                    new OffsetAndMetadata(10, "to the end"),
                    new TopicPartition("t", 1),
                    new OffsetAndMetadata(10),
                    new TopicPartition("t", 2),
                    new OffsetAndMetadata(10),
                    new TopicPartition("t", 3),
                    new OffsetAndMetadata(4)));
        }
        broker.kill();
        start();

        try (KafkaConsumer<String, String> consumer = member(protocol, Map.of())) {
            consumer.subscribe(List.of("t"));
            List<ConsumerRecord<String, String>> records = KafkaClients.poll(consumer, 6);

            assertThat(records).extracting(ConsumerRecord::partition).containsOnly(3);
            assertThat(records).extracting(ConsumerRecord::offset).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
            assertThat(consumer.committed(Set.of(first))).containsEntry(first, new OffsetAndMetadata(10, "to the end"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "classic cooperative", "consumer", "consumer range"})
    void shouldShareOutPartitionsAsMembersComeAndGo(String how) throws Exception {
        produce("t", 4);
        String protocol = how.startsWith("classic") ? "classic" : "consumer";
        Map<String, Object> more = switch (how) {
            case "classic cooperative" ->
                Map.of("partition.assignment.strategy", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
            case "consumer range" -> Map.of("group.remote.assignor", "range");
            default -> Map.of();
        };
        try (KafkaConsumer<String, String> one = member(protocol, more)) {
            one.subscribe(List.of("t"));
            pollUntilSharedOut(List.of(one), 4);
            try (KafkaConsumer<String, String> two = member(protocol, more)) {
                two.subscribe(List.of("t"));

                pollUntilSharedOut(List.of(one, two), 2, 2);
            }

            pollUntilSharedOut(List.of(one), 4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void shouldKeepThePartitionsOfAStaticMemberThatIsAway(String protocol) throws Exception {
        produce("t", 4);
        Map<String, Object> stays = Map.of("group.instance.id", "one");
        Map<String, Object> goes = Map.of("group.instance.id", "two");
        try (KafkaConsumer<String, String> one = member(protocol, stays)) {
            one.subscribe(List.of("t"));
            Set<TopicPartition> before;
            try (KafkaConsumer<String, String> two = member(protocol, goes)) {
                two.subscribe(List.of("t"));
                pollUntilSharedOut(List.of(one, two), 2, 2);
                before = two.assignment();
            }

            try (KafkaConsumer<String, String> two = member(protocol, goes)) {
                two.subscribe(List.of("t"));
                pollUntilSharedOut(List.of(one, two), 2, 2);

                assertThat(two.assignment()).isEqualTo(before);
            }
        }
    }

    @Test
    void shouldRefuseASecondStaticMemberUnderTheSameInstance() throws Exception {
        produce("t", 4);
        Map<String, Object> instance = Map.of("group.instance.id", "one");
        try (KafkaConsumer<String, String> holder = member("consumer", instance);
                KafkaConsumer<String, String> rival = member("consumer", instance)) {
            holder.subscribe(List.of("t"));
            pollUntilSharedOut(List.of(holder), 4);
            rival.subscribe(List.of("t"));

            assertThatThrownBy(() -> await().until(
                                    () -> rival.poll(Duration.ofMillis(50)).count() > 1_000))
                    .isInstanceOf(UnreleasedInstanceIdException.class);
        }
    }

    @Test
    void shouldFenceTheOlderOfTwoStaticMembersOfAClassicGroup() throws Exception {
        produce("t", 4);
        Map<String, Object> instance = Map.of("group.instance.id", "one");
        try (KafkaConsumer<String, String> older = member("classic", instance);
                KafkaConsumer<String, String> newer = member("classic", instance)) {
            older.subscribe(List.of("t"));
            pollUntilSharedOut(List.of(older), 4);
            newer.subscribe(List.of("t"));
            pollUntilSharedOut(List.of(newer), 4);

            assertThatThrownBy(() -> await().until(
                                    () -> older.poll(Duration.ofMillis(50)).count() > 1_000))
                    .isInstanceOf(FencedInstanceIdException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void shouldRefuseTheCommitOfAMemberThatWasPutOut(String protocol) throws Exception {
        produce("t", 4);
        try (KafkaConsumer<String, String> slow = member(protocol, Map.of("max.poll.interval.ms", 500));
                KafkaConsumer<String, String> other = member(protocol, Map.of())) {
            slow.subscribe(List.of("t"));
            pollUntilSharedOut(List.of(slow), 4);
            other.subscribe(List.of("t"));
            pollUntilSharedOut(List.of(other), 4);

            assertThatThrownBy(() -> slow.commitSync(Map.of(new TopicPartition("t", 0), new OffsetAndMetadata(1))))
                    .isInstanceOf(CommitFailedException.class);
        }
    }

    @Test
    void shouldFindTopicsByARegularExpression() throws Exception {
        produce("news.home", 4);
        produce("weather", 4);
        try (KafkaConsumer<String, String> consumer = member("consumer", Map.of())) {
            consumer.subscribe(new SubscriptionPattern("news\\..*"));

            assertThat(KafkaClients.poll(consumer, 4))
                    .extracting(ConsumerRecord::topic)
                    .containsOnly("news.home");
        }
    }

    /** The coordinator looks for new topics every ten seconds at most. */
    @Test
    @Tag("long")
    void shouldFindTopicsByARegularExpressionThatComeLater() throws Exception {
        produce("news.home", 4);
        try (KafkaConsumer<String, String> consumer = member("consumer", Map.of())) {
            consumer.subscribe(new SubscriptionPattern("news\\..*"));
            KafkaClients.poll(consumer, 4);

            produce("news.abroad", 4);

            assertThat(KafkaClients.poll(consumer, 4))
                    .extracting(ConsumerRecord::topic)
                    .containsOnly("news.abroad");
        }
    }
}
