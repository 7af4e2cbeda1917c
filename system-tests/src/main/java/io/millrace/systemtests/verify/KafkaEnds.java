package io.millrace.systemtests.verify;

import io.millrace.wire.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Two topics. */
record KafkaEnds(int port, TimeSource time) implements TransferEnds {

    private static final long CREATE_TIMEOUT_S = 30;
    private static final int PARTITIONS = 3;

    private Map<String, Object> settings() {
        return new HashMap<>(Map.of("bootstrap.servers", "127.0.0.1:" + port));
    }

    @Override
    public void create() throws InterruptedException {
        try (Admin admin = Admin.create(settings())) {
            admin.createTopics(List.of(
                            new NewTopic(TransferProgram.FROM, PARTITIONS, (short) 1),
                            new NewTopic(TransferProgram.TO, PARTITIONS, (short) 1)))
                    .all()
                    .get(CREATE_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ScenarioFailedException("the topics cannot be created", e);
        }
    }

    @Override
    public void send(int first, int count) {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings(), new StringSerializer(), new StringSerializer())) {
            for (int i = first; i < first + count; i++) {
                var _ = producer.send(new ProducerRecord<>(TransferProgram.FROM, Integer.toString(i)));
            }
        }
    }

    @Override
    public Map<Integer, Integer> arrived(int sent) {
        long lastNs = time.nanoTime();
        Map<String, Object> settings = settings();
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "earliest");
        Map<Integer, Integer> arrived = new HashMap<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            Set<TopicPartition> all = consumer.partitionsFor(TransferProgram.TO).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .collect(Collectors.toSet());
            consumer.assign(all);
            while (time.nanoTime() - lastNs < TransferTrial.PATIENCE_NS) {
                var records = consumer.poll(Duration.ofMillis(TransferTrial.LAST_WAIT_MS));
                for (ConsumerRecord<String, String> record : records) {
                    arrived.merge(Integer.valueOf(record.value()), 1, Integer::sum);
                    lastNs = time.nanoTime();
                }
                if (records.isEmpty() && arrived.size() >= sent) {
                    break;
                }
            }
        }
        return arrived;
    }

    /** Records stay where they were: that they were moved, the group's offsets say. */
    @Override
    public int left() {
        return 0;
    }

    @Override
    public void close() {
        // Each call has clients of its own.
    }
}
