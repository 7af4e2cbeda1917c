package io.millrace.server.internal.kafka;

import io.millrace.server.internal.perf.LoadResult;
import io.millrace.server.internal.perf.Meter;
import io.millrace.wire.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads a topic from its beginning with Kafka's consumer, outside of any group: nobody's position changes. */
public final class ConsumeLoad {
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaCluster cluster;
    private final TimeSource time;

    public ConsumeLoad(KafkaCluster cluster, TimeSource time) {
        this.cluster = cluster;
        this.time = time;
    }

    /**
     * Reads until so many records came, or none for a while. Its latencies are empty: how old what lies in a log is says nothing.
     *
     * @param settings of the consumer
     * @param lines is told a line each second
     */
    public LoadResult.Side run(
            String topic, long records, Duration silence, Map<String, String> settings, Consumer<String> lines) {
        Meter meter = new Meter();
        long bytes = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.consumer(settings)) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(one -> new TopicPartition(one.topic(), one.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long startNs = time.nanoTime();
            long lastNs = startNs;
            Ticker ticker = new Ticker("received", meter, startNs, lines);
            while (meter.count() < records && time.nanoTime() - lastNs < silence.toNanos()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    meter.record();
                    bytes += Math.max(0, record.serializedValueSize());
                    lastNs = time.nanoTime();
                }
                ticker.printWhenDue(time.nanoTime());
            }
            double seconds = Math.max(1, lastNs - startNs) / 1e9;
            return new LoadResult.Side(
                    meter.count(), seconds, meter.count() / seconds, bytes / seconds, meter.latencies());
        } catch (KafkaException failed) {
            throw cluster.failure(failed);
        }
    }
}
