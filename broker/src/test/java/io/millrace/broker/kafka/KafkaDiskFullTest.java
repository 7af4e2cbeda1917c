package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.testkit.disk.FakeDisk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Kafka's clients see of a full disk: at once, why; and commits go on. */
class KafkaDiskFullTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final String VALUE = "x".repeat(20_000);

    /** Less than a client's patience by far, which ends with a timeout that says nothing of a disk. */
    private static final int AT_ONCE_S = 5;

    private final FakeDisk disk = new FakeDisk(new SplittableRandom(7));
    private final EmbeddedBroker broker = EmbeddedBroker.builder()
            .directory(disk.root().resolve("data"))
            .config("log.segment.bytes", "100000")
            .config("log.reserve.bytes", "1000000")
            .config("offsets.topic.num.partitions", "1")
            .start();
    private final KafkaProducer<String, String> producer =
            KafkaClients.producer(broker, Map.of("acks", "all", "enable.idempotence", true, "linger.ms", 0));

    @AfterEach
    void close() {
        producer.close(Duration.ZERO);
        broker.close();
    }

    @Test
    void shouldSayAtOnceThatTheDiskIsFullAndGoOnByItselfWhenThereIsSpace() throws Exception {
        int stored = fill();

        try (KafkaConsumer<String, String> consumer =
                KafkaClients.consumer(broker, Map.of("group.id", "readers", "enable.auto.commit", false))) {
            consumer.assign(List.of(ORDERS));
            consumer.commitSync(Map.of(ORDERS, new OffsetAndMetadata(stored)));
            assertThat(consumer.committed(Set.of(ORDERS)))
                    .extractingByKey(ORDERS)
                    .extracting(OffsetAndMetadata::offset)
                    .isEqualTo((long) stored);
            assertThat(isStored()).isFalse();
        }

        disk.capacityBytes(Long.MAX_VALUE);
        await().until(this::isStored);
    }

    /** Batches on their way behind a refused one carry later sequence numbers, which their producer takes back. */
    @Test
    void shouldLoseAndDoubleNothingOfManyBatchesOnTheirWay() throws Exception {
        fill();
        List<Long> offsets = new CopyOnWriteArrayList<>();
        List<Exception> refused = new CopyOnWriteArrayList<>();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sent.add(producer.send(new ProducerRecord<>("orders", VALUE), (stored, failure) -> {
                if (failure == null) {
                    offsets.add(stored.offset());
                } else {
                    refused.add(failure);
                }
            }));
        }
        await().until(() -> refused.size() >= 5);
        disk.capacityBytes(Long.MAX_VALUE);
        await().until(this::isStored);
        producer.flush();

        assertThat(sent).allMatch(Future::isDone);
        assertThat(offsets).doesNotHaveDuplicates();
        assertThat(refused).allSatisfy(failure -> assertThat(failure).isInstanceOf(PolicyViolationException.class));
        assertThat(refused.size() + offsets.size()).isEqualTo(20);
        assertThat(isStored()).isTrue();
    }

    /** Answers how many records there was space for. */
    private int fill() throws InterruptedException, TimeoutException, ExecutionException {
        // Groups and their log are there before.
        try (KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of("group.id", "readers"))) {
            producer.send(new ProducerRecord<>("orders", "first")).get(20, TimeUnit.SECONDS);
            consumer.assign(List.of(ORDERS));
            consumer.commitSync(Map.of(ORDERS, new OffsetAndMetadata(0)));
        }
        disk.capacityBytes(4_000_000);
        List<Long> offsets = new ArrayList<>();
        while (offsets.size() < 1_000) {
            try {
                offsets.add(producer.send(new ProducerRecord<>("orders", VALUE))
                        .get(AT_ONCE_S, TimeUnit.SECONDS)
                        .offset());
            } catch (ExecutionException refusal) {
                assertThat(refusal)
                        .cause()
                        .isInstanceOf(PolicyViolationException.class)
                        .hasMessageContaining("no space for");
                return 1 + offsets.size();
            }
        }
        throw new AssertionError("the disk is never full");
    }

    private boolean isStored() throws InterruptedException, TimeoutException {
        ExecutionException failure = catchThrowableOfType(
                ExecutionException.class,
                () -> producer.send(new ProducerRecord<>("orders", VALUE)).get(AT_ONCE_S, TimeUnit.SECONDS));
        return failure == null;
    }
}
