package io.millrace.systemtests.verify;

import io.millrace.systemtests.verify.TransferProgram.Mover;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Moves records by Kafka's clients, with the offsets in the transaction. */
record KafkaTransfer(Mover mover) {

    void run() {
        while (!mover.orders().isToEnd()) {
            try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                            consumerSettings(), new StringDeserializer(), new StringDeserializer());
                    KafkaProducer<String, String> producer =
                            new KafkaProducer<>(producerSettings(), new StringSerializer(), new StringSerializer())) {
                producer.initTransactions();
                consumer.subscribe(List.of(TransferProgram.FROM));
                while (!mover.orders().isToEnd()) {
                    moveSome(consumer, producer);
                }
            } catch (KafkaException again) {
                mover.beginAnew(again);
            }
        }
    }

    private Map<String, Object> consumerSettings() {
        return Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + mover.port(),
                "group.id",
                "transfer",
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest",
                "max.poll.records",
                TransferProgram.MOST_IN_ONE,
                "session.timeout.ms",
                6_000,
                "heartbeat.interval.ms",
                1_000);
    }

    private Map<String, Object> producerSettings() {
        return Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + mover.port(),
                "transactional.id",
                mover.name(),
                "transaction.timeout.ms",
                10_000);
    }

    private void moveSome(KafkaConsumer<String, String> consumer, KafkaProducer<String, String> producer) {
        ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(TransferProgram.WAIT_MS));
        if (records.isEmpty()) {
            return;
        }
        producer.beginTransaction();
        for (ConsumerRecord<String, String> record : records) {
            var _ = producer.send(new ProducerRecord<>(TransferProgram.TO, record.value()));
        }
        producer.sendOffsetsToTransaction(records.nextOffsets(), consumer.groupMetadata());
        if (mover.rollsBack()) {
            producer.abortTransaction();
            // What was rolled back is to come again.
            throw new KafkaException("rolled back by its own wish");
        }
        producer.commitTransaction();
    }
}
