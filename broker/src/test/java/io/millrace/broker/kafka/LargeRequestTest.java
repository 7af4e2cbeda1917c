package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LargeRequestTest {

    /** With a heap of 512 MB the share of all requests is 64 MiB, and a Kafka client may send 100. */
    @Test
    @Timeout(60)
    void shouldTakeRequestsThatAreLargerThanAllMayHaveTogetherOneAfterAnother() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder()
                        .temporaryDirectory()
                        .config("queued.max.request.bytes", "1048576")
                        .config("message.max.bytes", "4000000")
                        .start();
                KafkaProducer<String, String> first = KafkaClients.producer(broker, settings());
                KafkaProducer<String, String> second = KafkaClients.producer(broker, settings())) {
            List<Future<RecordMetadata>> sends = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                sends.add(first.send(new ProducerRecord<>("large", "x".repeat(3_000_000))));
                sends.add(second.send(new ProducerRecord<>("large", "y".repeat(2_000_000))));
                sends.add(second.send(new ProducerRecord<>("small", "z")));
            }

            List<Long> offsets = new ArrayList<>();
            for (Future<RecordMetadata> send : sends) {
                RecordMetadata sent = send.get();
                if (sent.topic().equals("large")) {
                    offsets.add(sent.offset());
                }
            }
            assertThat(offsets).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L);
        }
    }

    private static Map<String, Object> settings() {
        return Map.of("max.request.size", 5_000_000, "delivery.timeout.ms", 40_000, "request.timeout.ms", 20_000);
    }
}
