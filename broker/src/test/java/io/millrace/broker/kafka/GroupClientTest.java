package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups as Kafka's own consumer and admin client use them, by both protocols. */
class GroupClientTest {

    @TempDir
    Path directory;

    private EmbeddedBroker start() {
        return EmbeddedBroker.builder()
                .directory(directory)
                .port(0)
                .config("num.partitions", "4")
                .config("group.initial.rebalance.delay.ms", "0")
                .config("group.consumer.min.heartbeat.interval.ms", "100")
                .config("group.consumer.heartbeat.interval.ms", "100")
                .config("group.consumer.assignment.interval.ms", "0")
                .start();
    }

    private static Map<String, Object> member(String group, String protocol) {
        return Map.of("group.id", group, "group.protocol", protocol, "enable.auto.commit", "false");
    }

    private static void produce(EmbeddedBroker broker, String topic, int count) throws Exception {
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

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void shouldGoOnWhereTheGroupHasCommitted(String protocol) throws Exception {
        try (EmbeddedBroker broker = start()) {
            produce(broker, "t", 40);
            try (KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, member("g", protocol))) {
                consumer.subscribe(List.of("t"));
                assertThat(KafkaClients.poll(consumer, 40)).hasSize(40);
                consumer.commitSync(Map.of(
                        new TopicPartition("t", 0), new OffsetAndMetadata(10, "to the end"),
                        new TopicPartition("t", 1), new OffsetAndMetadata(10),
                        new TopicPartition("t", 2), new OffsetAndMetadata(10),
                        new TopicPartition("t", 3), new OffsetAndMetadata(4)));
            }
            broker.kill();
        }

        try (EmbeddedBroker broker = start();
                KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, member("g", protocol))) {
            consumer.subscribe(List.of("t"));
            List<ConsumerRecord<String, String>> records = KafkaClients.poll(consumer, 6);

            assertThat(records).extracting(ConsumerRecord::partition).containsOnly(3);
            assertThat(records).extracting(ConsumerRecord::offset).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
            assertThat(consumer.committed(Set.of(new TopicPartition("t", 0))))
                    .containsEntry(new TopicPartition("t", 0), new OffsetAndMetadata(10, "to the end"));
        }
    }
}
