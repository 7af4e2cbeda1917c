package io.millrace.server.internal.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/** What Kafka's clients do with a broker in a training run: a topic is created, written, and read by a group that commits. */
public final class KafkaTraining {
    private static final String TOPIC = "training.kafka";
    private static final int RECORDS = 300;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int MAX_POLLS = 100;

    private final KafkaCluster cluster;

    public KafkaTraining(KafkaCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Runs once through.
     *
     * @throws KafkaCallException if something was refused, or a record was lost
     */
    public void run() throws InterruptedException {
        try (Admin admin = cluster.admin()) {
            cluster.await(admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(2), Optional.empty())))
                    .all());
            produce(Map.of("acks", "all", "linger.ms", "0"));
            produce(Map.of("acks", "1", "compression.type", "lz4", "enable.idempotence", "false"));
            consume("training.classic", "classic");
            consume("training.consumer", "consumer");
            cluster.await(admin.describeTopics(List.of(TOPIC)).allTopicNames());
            cluster.await(admin.listConsumerGroupOffsets("training.classic").partitionsToOffsetAndMetadata());
        } catch (KafkaException failed) {
            throw cluster.failure(failed);
        }
    }

    private void produce(Map<String, String> settings) throws InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer = cluster.producer(settings)) {
            for (int i = 0; i < RECORDS; i++) {
                Future<RecordMetadata> sent =
                        producer.send(new ProducerRecord<>(TOPIC, i % 2, null, ("record " + i).getBytes(UTF_8)));
                if (i % 10 == 0) {
                    sent.get();
                }
            }
        } catch (ExecutionException failed) {
            throw cluster.failure(failed.getCause() == null ? failed : failed.getCause());
        }
    }

    private void consume(String group, String protocol) {
        Map<String, String> settings =
                Map.of("group.id", group, "group.protocol", protocol, "auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.consumer(settings)) {
            consumer.subscribe(List.of(TOPIC));
            int seen = 0;
            for (int polls = 0; seen < 2 * RECORDS; polls++) {
                if (polls == MAX_POLLS) {
                    throw new KafkaException("group " + group + " read " + seen + " of " + 2 * RECORDS + " records");
                }
                seen += consumer.poll(POLL).count();
            }
            consumer.commitSync();
        }
    }
}
