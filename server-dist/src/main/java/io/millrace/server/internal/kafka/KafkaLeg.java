package io.millrace.server.internal.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.wire.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The half of a conversation that a Kafka program has, in texts: what the demonstration sends and reads beside JMS. */
public final class KafkaLeg {
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaCluster cluster;
    private final TimeSource time;

    public KafkaLeg(KafkaCluster cluster, TimeSource time) {
        this.cluster = cluster;
        this.time = time;
    }

    /**
     * A record, with what the demonstration shows of it.
     *
     * @param colour the header of that name; empty if there is none
     */
    public record Seen(long offset, String value, Optional<String> colour) {}

    /**
     * Sends a text to partition 0 with a header, and returns its offset when it is stored.
     *
     * @throws KafkaCallException if it was refused
     */
    public long send(String topic, String value, String colour) throws InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of("acks", "all"))) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, 0, null, value.getBytes(UTF_8));
            record.headers().add("colour", colour.getBytes(UTF_8));
            return producer.send(record).get().offset();
        } catch (ExecutionException failed) {
            throw cluster.failure(failed.getCause() == null ? failed : failed.getCause());
        } catch (KafkaException failed) {
            throw cluster.failure(failed);
        }
    }

    /**
     * Reads the first record of partition 0.
     *
     * @param patience how long to wait for one
     */
    public Optional<Seen> readFirst(String topic, Duration patience) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.consumer(Map.of())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long startNs = time.nanoTime();
            while (time.nanoTime() - startNs < patience.toNanos()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    return Optional.of(seen(record));
                }
            }
            return Optional.empty();
        } catch (KafkaException failed) {
            throw cluster.failure(failed);
        }
    }

    private static Seen seen(ConsumerRecord<byte[], byte[]> record) {
        return new Seen(
                record.offset(),
                record.value() == null ? "" : new String(record.value(), UTF_8),
                Optional.ofNullable(record.headers().lastHeader("colour"))
                        .map(header -> new String(header.value(), UTF_8)));
    }
}
