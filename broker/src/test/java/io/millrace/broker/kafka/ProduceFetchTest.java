package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProduceFetchTest {

    private static EmbeddedBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({"all,none,true", "1,lz4,false", "0,none,false", "all,zstd,true", "all,gzip,true", "1,snappy,false"})
    void shouldGiveBackWhatAProducerWrote(String acks, String compression, boolean idempotent) throws Exception {
        String topic = "written-" + acks + "-" + compression;
        try (KafkaProducer<String, String> producer = KafkaClients.producer(
                        broker,
                        Map.of(
                                "acks", acks,
                                "compression.type", compression,
                                "enable.idempotence", idempotent,
                                "linger.ms", 1));
                KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, "key-" + i, "value-" + i)));
            }
            for (int i = 0; i < sent.size(); i++) {
                RecordMetadata stored = sent.get(i).get();
                assertThat(stored.offset()).isEqualTo(acks.equals("0") ? -1 : i);
            }
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));

            List<ConsumerRecord<String, String>> read = KafkaClients.poll(consumer, 1000);

            assertThat(read)
                    .extracting(ConsumerRecord::value)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 1000).mapToObj(i -> "value-" + i).toList());
            assertThat(read).extracting(ConsumerRecord::offset).first().isEqualTo(0L);
            assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, 1000L);
        }
    }

    @Test
    void shouldGiveAConsumerThatWaitsWhatComesLater() throws Exception {
        TopicPartition partition = new TopicPartition("later", 0);
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of());
                KafkaConsumer<String, String> consumer =
                        KafkaClients.consumer(broker, Map.of("fetch.max.wait.ms", 30_000))) {
            producer.send(new ProducerRecord<>("later", "first")).get();
            consumer.assign(List.of(partition));
            assertThat(KafkaClients.poll(consumer, 1)).hasSize(1);
            Future<RecordMetadata> second = producer.send(new ProducerRecord<>("later", "second"));

            assertThat(KafkaClients.poll(consumer, 1))
                    .extracting(ConsumerRecord::value)
                    .containsExactly("second");
            assertThat(second.get().offset()).isEqualTo(1);
            // Else it waits for its last fetch, which waits for records.
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }
}
