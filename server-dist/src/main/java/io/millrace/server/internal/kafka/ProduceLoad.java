package io.millrace.server.internal.kafka;

import io.millrace.server.internal.perf.LoadResult;
import io.millrace.server.internal.perf.Meter;
import io.millrace.server.internal.perf.Pace;
import io.millrace.wire.time.TimeSource;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Sends records with Kafka's producer, as fast as it takes them or at a rate, and measures how long each took until it was confirmed. */
public final class ProduceLoad {
    private final KafkaCluster cluster;
    private final TimeSource time;

    public ProduceLoad(KafkaCluster cluster, TimeSource time) {
        this.cluster = cluster;
        this.time = time;
    }

    /**
     * What to send.
     *
     * @param sizeBytes of each value
     * @param ratePerSecond 0 for as many as the client takes
     * @param producer settings of the producer
     */
    public record Plan(String topic, long records, int sizeBytes, int ratePerSecond, Map<String, String> producer) {
        public Plan {
            if (records < 1) {
                throw new IllegalArgumentException("--records must be at least 1, is " + records);
            }
            if (sizeBytes < 0) {
                throw new IllegalArgumentException("--size must not be negative, is " + sizeBytes);
            }
            if (ratePerSecond < 0) {
                throw new IllegalArgumentException("--rate must not be negative, is " + ratePerSecond);
            }
            producer = Map.copyOf(producer);
        }
    }

    /**
     * Sends them all.
     *
     * @param lines is told a line each second
     * @throws KafkaCallException if a record was refused; those before it are there
     */
    // What comes of a send is told to its callback.
    @SuppressWarnings("FutureReturnValueIgnored")
    public LoadResult.Side run(Plan plan, Consumer<String> lines) {
        Meter meter = new Meter();
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        byte[] value = new byte[plan.sizeBytes()];
        Arrays.fill(value, (byte) 'x');
        long startNs;
        try (KafkaProducer<byte[], byte[]> producer = cluster.producer(plan.producer())) {
            producer.partitionsFor(plan.topic());
            startNs = time.nanoTime();
            Pace pace = new Pace(time, startNs, plan.ratePerSecond(), 0, 1);
            Ticker ticker = new Ticker("sent", meter, startNs, lines);
            for (long i = 0; i < plan.records() && failure.get() == null; i++) {
                long dueNs = pace.nextNs();
                if (plan.ratePerSecond() > 0) {
                    pace.await(dueNs);
                }
                producer.send(new ProducerRecord<>(plan.topic(), value), (stored, failed) -> {
                    if (failed == null) {
                        meter.record(time.nanoTime() - dueNs);
                    } else {
                        failure.compareAndSet(null, failed);
                    }
                });
                ticker.printWhenDue(time.nanoTime());
            }
            producer.flush();
        } catch (KafkaException failed) {
            throw cluster.failure(failed);
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw cluster.failure(failed);
        }
        return LoadResult.Side.of(meter, time.nanoTime() - startNs, plan.sizeBytes());
    }
}
