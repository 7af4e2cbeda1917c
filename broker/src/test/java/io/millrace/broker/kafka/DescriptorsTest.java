package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.testkit.disk.FakeDisk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Files that stay open. */
class DescriptorsTest {
    private static final int TOPICS = 20;

    private final FakeDisk disk = new FakeDisk(new SplittableRandom(7));

    /** A group has files of its own, those of the partition that keeps it, which the first pass opens. */
    @Test
    void shouldHoldNoFilesOfTopicsThatAreGone() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder()
                        .directory(disk.root().resolve("data"))
                        .config("offsets.topic.num.partitions", "1")
                        .start();
                Admin admin = Admin.create(KafkaClients.config(broker, Map.of()));
                KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of("linger.ms", 0))) {
            pass(broker, admin, producer, 0);
            int before = disk.openFiles();
            for (int pass = 1; pass < 5; pass++) {
                assertThat(pass(broker, admin, producer, pass)).isGreaterThanOrEqualTo(before + TOPICS);
            }

            await().atMost(Duration.ofSeconds(10)).until(() -> disk.openFiles() <= before);
        }
    }

    /** Answers how many files were open while the topics were there. */
    private int pass(EmbeddedBroker broker, Admin admin, KafkaProducer<String, String> producer, int pass)
            throws InterruptedException, ExecutionException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < TOPICS; i++) {
            names.add("topic-" + pass + "-" + i);
        }
        admin.createTopics(names.stream()
                        .map(name -> new NewTopic(name, 1, (short) 1))
                        .toList())
                .all()
                .get();
        for (String name : names) {
            producer.send(new ProducerRecord<>(name, "value")).get();
        }
        try (KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of("group.id", "readers"))) {
            TopicPartition first = new TopicPartition(names.getFirst(), 0);
            consumer.assign(List.of(first));
            consumer.commitSync(Map.of(first, new OffsetAndMetadata(1)));
        }
        int open = disk.openFiles();
        admin.deleteTopics(names).all().get();
        return open;
    }
}
