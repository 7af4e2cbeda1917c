package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Recorder;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.jspecify.annotations.Nullable;

/** One idempotent producer that sends numbered records to one partition until it is told to stop. */
final class KafkaSending implements Runnable {
    private static final Serde<String> STRINGS = Serdes.String();
    static final Deserializer<String> TEXT = STRINGS.deserializer();

    private static final int RECORDS_PER_PAUSE = 5;
    private static final int PAUSE_MS = 33;

    /** Who was refused tries again after this. */
    private static final int REFUSED_PAUSE_MS = 20;

    /** Less than the trial's patience: a record that is not confirmed by then is given up. */
    private static final int DELIVERY_TIMEOUT_MS = 60_000;

    private final KafkaLoad load;
    private final String topic;
    private final int partition;
    private final Recorder recorder;
    private final Stop stop;
    private volatile boolean refused;

    KafkaSending(KafkaLoad load, String topic, int partition, Recorder recorder, Stop stop) {
        this.load = load;
        this.topic = topic;
        this.partition = partition;
        this.recorder = recorder;
        this.stop = stop;
    }

    /** The id of the record that has this value; another one if the value is not whole. */
    static String id(String value) {
        String id = value.substring(0, Math.max(0, value.indexOf(' ')));
        return value.equals(value(id)) ? id : id + "-with-another-text";
    }

    private static String value(String id) {
        return id + " " + Sending.text(id);
    }

    @Override
    public void run() {
        String name = "kafka-" + topic + "-" + partition;
        Map<String, Object> settings = load.common(name);
        settings.put("acks", "all");
        settings.put("enable.idempotence", true);
        settings.put("linger.ms", 5);
        settings.put("delivery.timeout.ms", DELIVERY_TIMEOUT_MS);
        settings.put("max.block.ms", DELIVERY_TIMEOUT_MS);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, STRINGS.serializer(), STRINGS.serializer())) {
            for (long sequence = 1; !stop.isAsked(); sequence++) {
                String id = name + "-" + sequence;
                note(name, id, sequence, Outcome.UNKNOWN);
                long number = sequence;
                // What comes of it is told to the callback.
                var _ = producer.send(new ProducerRecord<>(topic, partition, null, value(id)), (stored, failure) -> {
                    note(name, id, number, outcome(failure));
                    if (failure == null) {
                        load.progressed(topic);
                    }
                });
                if (refused) {
                    refused = false;
                    stop.await(REFUSED_PAUSE_MS);
                } else if (sequence % RECORDS_PER_PAUSE == 0) {
                    stop.await(PAUSE_MS);
                }
            }
            producer.flush();
            producer.close(Duration.ofMillis(DELIVERY_TIMEOUT_MS));
        }
    }

    /** A full disk is found before anything is written, and said at once; after any other failure the record may be there. */
    private Outcome outcome(@Nullable Exception failure) {
        if (failure == null) {
            return Outcome.CONFIRMED;
        }
        refused = true;
        return failure instanceof PolicyViolationException ? Outcome.REFUSED : Outcome.UNKNOWN;
    }

    private void note(String name, String id, long sequence, Outcome outcome) {
        recorder.sent(topic, id, name, sequence, outcome);
    }
}
