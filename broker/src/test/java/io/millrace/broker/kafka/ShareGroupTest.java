package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Share groups (KIP-932) through Kafka's own share consumer. */
class ShareGroupTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static EmbeddedBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("group.share.min.record.lock.duration.ms", "1000")
                .config("group.share.record.lock.duration.ms", "1000")
                .config("group.share.delivery.count.limit", "3")
                .config("group.share.min.heartbeat.interval.ms", "300")
                .config("group.share.heartbeat.interval.ms", "300")
                .start();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void shouldGiveEachRecordToOneMemberAndToNobodyAfterItWasAccepted() {
        try (KafkaShareConsumer<String, String> first = member("both", Map.of("max.poll.records", 5));
                KafkaShareConsumer<String, String> second = member("both", Map.of("max.poll.records", 5))) {
            begin(first, "shared", false);
            second.subscribe(List.of("shared"));
            write("shared", 0, 40);
            Set<String> seen = new TreeSet<>();
            int count = 0;
            long endNs = System.nanoTime() + PATIENCE.toNanos();
            while (count < 40 && System.nanoTime() - endNs < 0) {
                for (KafkaShareConsumer<String, String> member : List.of(first, second)) {
                    for (ConsumerRecord<String, String> record : member.poll(Duration.ofMillis(100))) {
                        seen.add(record.value());
                        count++;
                    }
                    member.commitSync();
                }
            }

            assertThat(count).isEqualTo(40);
            assertThat(seen).hasSize(40);
        }
        try (KafkaShareConsumer<String, String> third = member("both", Map.of())) {
            third.subscribe(List.of("shared"));
            write("shared", 40, 41);
            assertThat(poll(third, 1)).extracting(ConsumerRecord::value).containsExactly("m40");
        }
    }

    @Test
    void shouldGiveAgainWhatWasReleasedAndNotWhatWasRejected() {
        try (KafkaShareConsumer<String, String> member =
                member("explicit", Map.of("share.acknowledgement.mode", "explicit"))) {
            begin(member, "verdicts", true);
            write("verdicts", 0, 4);
            List<ConsumerRecord<String, String>> records = poll(member, 4);
            member.acknowledge(records.get(0), AcknowledgeType.ACCEPT);
            member.acknowledge(records.get(1), AcknowledgeType.RELEASE);
            member.acknowledge(records.get(2), AcknowledgeType.REJECT);
            member.acknowledge(records.get(3), AcknowledgeType.RELEASE);
            member.commitSync();

            List<ConsumerRecord<String, String>> again = poll(member, 2);

            assertThat(again).extracting(ConsumerRecord::value).containsExactly("m1", "m3");
            assertThat(again)
                    .extracting(record -> record.deliveryCount().orElseThrow())
                    .containsOnly((short) 2);
            again.forEach(record -> member.acknowledge(record, AcknowledgeType.ACCEPT));
            member.commitSync();
        }
    }

    @Test
    void shouldGiveUpARecordThatWasDeliveredOftenEnough() {
        try (KafkaShareConsumer<String, String> member =
                member("limited", Map.of("share.acknowledgement.mode", "explicit"))) {
            begin(member, "poison", true);
            write("poison", 0, 1);
            for (int delivery = 1; delivery <= 3; delivery++) {
                ConsumerRecord<String, String> record = poll(member, 1).getFirst();
                assertThat(record.deliveryCount()).contains((short) delivery);
                member.acknowledge(record, AcknowledgeType.RELEASE);
                member.commitSync();
            }
            write("poison", 1, 2);

            ConsumerRecord<String, String> next = poll(member, 1).getFirst();

            assertThat(next.value()).isEqualTo("m1");
            member.acknowledge(next);
            member.commitSync();
        }
    }

    @Test
    void shouldGiveToOthersWhatAMemberKeptForTooLong() {
        try (KafkaShareConsumer<String, String> slow =
                        member("locks", Map.of("share.acknowledgement.mode", "explicit"));
                KafkaShareConsumer<String, String> other = member("locks", Map.of())) {
            begin(slow, "kept", true);
            write("kept", 0, 1);
            assertThat(poll(slow, 1)).hasSize(1);
            other.subscribe(List.of("kept"));

            ConsumerRecord<String, String> record = poll(other, 1).getFirst();

            assertThat(record.value()).isEqualTo("m0");
            // The slow member's client goes on fetching behind its program's back, and may be given it once more;
            // ShareProtocolTest
            // counts exactly.
            assertThat(record.deliveryCount().orElseThrow()).isGreaterThanOrEqualTo((short) 2);
        }
    }

    private static KafkaShareConsumer<String, String> member(String group, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(KafkaClients.config(broker, Map.of("group.id", group)));
        config.putAll(more);
        return new KafkaShareConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    /** A group begins at the end: it has to be there before what it shall read. */
    private static void begin(KafkaShareConsumer<String, String> member, String topic, boolean explicit) {
        write(topic, -1, 0);
        member.subscribe(List.of(topic));
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        // Whatever comes proves that the group has begun.
        for (int i = 1; System.nanoTime() - endNs < 0; i++) {
            write(topic, -i, -i + 1);
            boolean began = false;
            for (ConsumerRecord<String, String> record : member.poll(Duration.ofMillis(200))) {
                began = true;
                if (explicit) {
                    member.acknowledge(record);
                }
            }
            if (began) {
                member.commitSync();
                drain(member, explicit);
                return;
            }
        }
        throw new AssertionError("the group did not begin to consume " + topic);
    }

    private static void drain(KafkaShareConsumer<String, String> member, boolean explicit) {
        int empty = 0;
        while (empty < 2) {
            var records = member.poll(Duration.ofMillis(300));
            if (explicit) {
                records.forEach(member::acknowledge);
            }
            member.commitSync();
            empty = records.isEmpty() ? empty + 1 : 0;
        }
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

    private static void write(String topic, int from, int end) {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            IntStream.range(from, end).forEach(i -> {
                var _ = producer.send(new ProducerRecord<>(topic, "m" + i));
            });
        }
    }
}
