package io.millrace.benchmarks.kafka;

import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Transactions of a fixed number of records by Kafka's plain client, in a JVM of its own. Kafka's performance tool ends transactions by time, which
 * would give the slower broker larger ones.
 */
public final class TransactionProgram {
    private static final int PER_TRANSACTION = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final TimeSource TIME = SystemTimeSource.instance();

    private final String address;
    private final String topic;
    private final long records;
    private final int size;
    private final Histogram latencies = new Histogram(PATIENCE.toNanos(), 3);

    private TransactionProgram(String address, String topic, long records, int size) {
        this.address = address;
        this.topic = topic;
        this.records = records;
        this.size = size;
    }

    /**
     * Runs one to its end, and prints what Kafka's tool would: records, rate, and latencies of whole transactions.
     *
     * @param args {@code produce} or {@code transform}, address, topic, number of records, size of records
     */
    public static void main(String[] args) {
        TransactionProgram program =
                new TransactionProgram(args[1], args[2], Long.parseLong(args[3]), Integer.parseInt(args[4]));
        long elapsedNs = args[0].equals("produce") ? program.produce() : program.transform();
        System.out.printf(
                "%d records sent, %f records/sec (transactions), %.3f ms 50th, %.3f ms 99th.%n",
                program.records,
                program.records * 1e9 / elapsedNs,
                program.latencies.getValueAtPercentile(50) / 1e6,
                program.latencies.getValueAtPercentile(99) / 1e6);
    }

    /** Returns the time from the first transaction to the end of the last. */
    private long produce() {
        byte[] value = new byte[size];
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            producer.initTransactions();
            long startNs = TIME.nanoTime();
            long before = startNs;
            for (long sent = 0; sent < records; ) {
                producer.beginTransaction();
                for (long end = Math.min(records, sent + PER_TRANSACTION); sent < end; sent++) {
                    // A failure is the commit's too.
                    var _ = producer.send(new ProducerRecord<>(topic, value));
                }
                producer.commitTransaction();
                before = ended(before);
            }
            return before - startNs;
        }
    }

    /** Consumes, sends on what it got, and commits that and the offsets. Returns the time from the first records to the end of the last transaction. */
    private long transform() {
        String group = "transform-" + ProcessHandle.current().pid();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(group);
                KafkaProducer<byte[], byte[]> producer = producer()) {
            producer.initTransactions();
            consumer.subscribe(List.of(topic));
            ConsumerRecords<byte[], byte[]> polled = poll(consumer);
            long startNs = TIME.nanoTime();
            long before = startNs;
            for (long done = 0; done < records; ) {
                producer.beginTransaction();
                for (ConsumerRecord<byte[], byte[]> next : polled) {
                    var _ = producer.send(new ProducerRecord<>(topic + "-out", next.value()));
                }
                producer.sendOffsetsToTransaction(polled.nextOffsets(), consumer.groupMetadata());
                producer.commitTransaction();
                before = ended(before);
                done += polled.count();
                if (done < records) {
                    polled = poll(consumer);
                }
            }
            return before - startNs;
        }
    }

    private long ended(long before) {
        long after = TIME.nanoTime();
        latencies.recordValue(after - before);
        return after;
    }

    private static ConsumerRecords<byte[], byte[]> poll(KafkaConsumer<byte[], byte[]> consumer) {
        long endNs = TIME.nanoTime() + PATIENCE.toNanos();
        while (TIME.nanoTime() - endNs < 0) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofSeconds(1));
            if (!polled.isEmpty()) {
                return polled;
            }
        }
        throw new IllegalStateException("no further records within " + PATIENCE);
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        address,
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        topic,
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        65536,
                        ProducerConfig.LINGER_MS_CONFIG,
                        5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private KafkaConsumer<byte[], byte[]> consumer(String group) {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        address,
                        ConsumerConfig.GROUP_ID_CONFIG,
                        group,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        PER_TRANSACTION),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
