package io.millrace.broker.kafka;

import io.millrace.broker.EmbeddedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Makes Kafka's own clients for a broker, with settings that suit tests. */
final class KafkaClients {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private KafkaClients() {}

    static Map<String, Object> config(EmbeddedBroker broker, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", "127.0.0.1:" + broker.port());
        config.putAll(more);
        return config;
    }

    static KafkaProducer<String, String> producer(EmbeddedBroker broker, Map<String, Object> more) {
        return new KafkaProducer<>(config(broker, more), new StringSerializer(), new StringSerializer());
    }

    static KafkaConsumer<String, String> consumer(EmbeddedBroker broker, Map<String, Object> more) {
        Map<String, Object> config = config(broker, Map.of("auto.offset.reset", "earliest"));
        config.putAll(more);
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    /** Polls until so many records are there. */
    static <K, V> List<ConsumerRecord<K, V>> poll(KafkaConsumer<K, V> consumer, int count) {
        List<ConsumerRecord<K, V>> records = new ArrayList<>();
        long endNs = System.nanoTime() + TIMEOUT.toNanos();
        while (records.size() < count) {
            consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("only " + records.size() + " of " + count + " records came: " + records);
            }
        }
        return records;
    }
}
