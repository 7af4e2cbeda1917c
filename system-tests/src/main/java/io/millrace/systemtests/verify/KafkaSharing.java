package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;

/** A member of a share group: accepts most records, and gives some back. */
final class KafkaSharing implements Runnable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ONE_IN_IS_RELEASED = 20;

    private final KafkaLoad load;
    private final Recorder recorder;
    private final RandomGenerator random;
    private final Stop stop;

    KafkaSharing(KafkaLoad load, Recorder recorder, RandomGenerator random, Stop stop) {
        this.load = load;
        this.recorder = recorder;
        this.random = random;
        this.stop = stop;
    }

    @Override
    public void run() {
        Map<String, Object> settings = load.common(KafkaLoad.SHARE_GROUP);
        settings.put("group.id", KafkaLoad.SHARE_GROUP);
        settings.put("share.acknowledgement.mode", "explicit");
        try (KafkaShareConsumer<String, String> consumer =
                new KafkaShareConsumer<>(settings, KafkaSending.TEXT, KafkaSending.TEXT)) {
            consumer.subscribe(List.of(KafkaLoad.SHARES));
            while (!stop.isAsked()) {
                take(consumer);
            }
        }
    }

    private void take(KafkaShareConsumer<String, String> consumer) {
        Map<Integer, List<String>> accepted = new HashMap<>();
        for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
            String id = KafkaSending.id(record.value());
            int count = record.deliveryCount().orElse((short) 1);
            recorder.received(KafkaLoad.SHARE_GROUP, id, count > 1, count);
            if (random.nextInt(ONE_IN_IS_RELEASED) == 0) {
                consumer.acknowledge(record, AcknowledgeType.RELEASE);
            } else {
                consumer.acknowledge(record, AcknowledgeType.ACCEPT);
                accepted.computeIfAbsent(record.partition(), none -> new ArrayList<>())
                        .add(id);
            }
        }
        if (!accepted.isEmpty()) {
            load.progressed(KafkaLoad.SHARE_GROUP);
            Map<TopicIdPartition, Optional<KafkaException>> results = consumer.commitSync(PATIENCE);
            accepted.forEach((partition, ids) -> note(ids, outcome(results, partition)));
        }
    }

    private static Outcome outcome(Map<TopicIdPartition, Optional<KafkaException>> results, int partition) {
        return results.entrySet().stream()
                .filter(result -> result.getKey().partition() == partition)
                .findFirst()
                .map(result -> result.getValue().isEmpty() ? Outcome.CONFIRMED : Outcome.UNKNOWN)
                .orElse(Outcome.UNKNOWN);
    }

    private void note(List<String> ids, Outcome outcome) {
        ids.forEach(id -> recorder.acknowledged(KafkaLoad.SHARE_GROUP, id, outcome));
    }
}
