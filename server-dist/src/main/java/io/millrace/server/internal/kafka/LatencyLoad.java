package io.millrace.server.internal.kafka;

import io.millrace.server.internal.perf.LoadResult;
import io.millrace.server.internal.perf.Meter;
import io.millrace.wire.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Measures from end to end: one record is sent, and the next when a consumer has it. */
public final class LatencyLoad {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final KafkaCluster cluster;
    private final TimeSource time;

    public LatencyLoad(KafkaCluster cluster, TimeSource time) {
        this.cluster = cluster;
        this.time = time;
    }

    /**
     * Sends and receives so many, to and from partition 0.
     *
     * @param warmup how many go before, unmeasured
     * @param lines is told a line each second
     * @throws KafkaCallException if one did not come back within 30 s
     */
    public LoadResult.Side run(
            String topic, long records, long warmup, int sizeBytes, String acks, Consumer<String> lines)
            throws InterruptedException {
        Meter meter = new Meter();
        byte[] value = new byte[sizeBytes];
        TopicPartition partition = new TopicPartition(topic, 0);
        long measuredNs = 0;
        try (KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of("acks", acks, "linger.ms", "0"));
                KafkaConsumer<byte[], byte[]> consumer = cluster.consumer(Map.of("fetch.max.wait.ms", "500"))) {
            producer.partitionsFor(topic);
            consumer.assign(List.of(partition));
            consumer.seekToEnd(List.of(partition));
            long next = consumer.position(partition);
            Ticker ticker = new Ticker("received", meter, time.nanoTime(), lines);
            for (long i = -warmup; i < records; i++) {
                long startNs = time.nanoTime();
                RecordMetadata stored = producer.send(new ProducerRecord<>(topic, 0, null, value))
                        .get();
                next = awaitRecord(consumer, Math.max(next, stored.offset()));
                if (i >= 0) {
                    meter.record(time.nanoTime() - startNs);
                    measuredNs += time.nanoTime() - startNs;
                    ticker.printWhenDue(time.nanoTime());
                }
            }
        } catch (KafkaException failed) {
            throw cluster.failure(failed);
        } catch (ExecutionException failed) {
            throw cluster.failure(failed.getCause() == null ? failed : failed.getCause());
        }
        return LoadResult.Side.of(meter, measuredNs, sizeBytes);
    }

    /** Returns the offset after the one that was waited for. */
    private long awaitRecord(KafkaConsumer<byte[], byte[]> consumer, long offset) {
        long startNs = time.nanoTime();
        while (time.nanoTime() - startNs < PATIENCE.toNanos()) {
            for (var record : consumer.poll(Duration.ofSeconds(1))) {
                if (record.offset() >= offset) {
                    return record.offset() + 1;
                }
            }
        }
        throw cluster.failure(
                new IllegalStateException("the record at offset " + offset + " did not come within " + PATIENCE));
    }
}
