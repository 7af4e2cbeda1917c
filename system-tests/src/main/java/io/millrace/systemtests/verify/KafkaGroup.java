package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Anomaly;
import io.millrace.testkit.history.Recorder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;

/**
 * A group whose members commit by hand. A record that comes again before it was committed proves nothing, so only its first delivery is
 * noted; what is checked at once is that no offset that was confirmed as committed ever goes back.
 */
final class KafkaGroup {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int POLLS_PER_CHECK = 25;

    private final KafkaLoad load;
    private final String name;
    private final String protocol;
    private final Recorder recorder;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Map<TopicPartition, Long> confirmed = new ConcurrentHashMap<>();

    KafkaGroup(KafkaLoad load, String name, String protocol, Recorder recorder) {
        this.load = load;
        this.name = name;
        this.protocol = protocol;
        this.recorder = recorder;
    }

    /** One of its members. */
    Runnable member(Stop stop) {
        return () -> run(stop);
    }

    private void run(Stop stop) {
        Map<String, Object> settings = load.common(name);
        settings.put("group.id", name);
        settings.put("group.protocol", protocol);
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "earliest");
        if (protocol.equals("classic")) {
            settings.put("session.timeout.ms", 10_000);
            settings.put("heartbeat.interval.ms", 1_000);
        }
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, KafkaSending.TEXT, KafkaSending.TEXT)) {
            consumer.subscribe(List.of(KafkaLoad.EVENTS));
            for (int polls = 1; !stop.isAsked(); polls++) {
                take(consumer);
                if (polls % POLLS_PER_CHECK == 0) {
                    check(consumer);
                }
            }
        }
    }

    private void take(KafkaConsumer<String, String> consumer) {
        ConsumerRecords<String, String> records = consumer.poll(POLL);
        for (ConsumerRecord<String, String> record : records) {
            String id = KafkaSending.id(record.value());
            if (seen.add(id)) {
                recorder.received(name, id, false, 1);
            }
            load.progressed(name);
        }
        if (!records.isEmpty()) {
            commit(consumer, records.nextOffsets());
        }
    }

    private void commit(KafkaConsumer<String, String> consumer, Map<TopicPartition, OffsetAndMetadata> offsets) {
        try {
            consumer.commitSync(offsets, PATIENCE);
            offsets.forEach((partition, offset) -> confirmed.merge(partition, offset.offset(), Math::max));
        } catch (ApiException unclear) {
            // The broker was away, or others have the partitions by now: it may be committed.
        }
    }

    /** Whoever is assigned a partition next begins there. */
    private void check(KafkaConsumer<String, String> consumer) {
        Map<TopicPartition, Long> least = new HashMap<>(confirmed);
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(least.keySet(), PATIENCE);
            least.forEach((partition, offset) -> {
                OffsetAndMetadata found = committed.get(partition);
                if (found == null || found.offset() < offset) {
                    load.broken(
                            Anomaly.Kind.COMMIT_WENT_BACK,
                            "%s has committed %s of %s, and %d was confirmed"
                                    .formatted(name, found == null ? "nothing" : found.offset(), partition, offset));
                }
            });
        } catch (KafkaException away) {
            // The next look will tell.
        }
    }
}
