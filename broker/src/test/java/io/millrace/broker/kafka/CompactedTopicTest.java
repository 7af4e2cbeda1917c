package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CompactedTopicTest {
    private static EmbeddedBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("log.cleanup.policy", "compact")
                .config("log.cleaner.backoff.ms", "50")
                .config("log.cleaner.min.cleanable.ratio", "0.01")
                .config("log.segment.bytes", "20000")
                .start();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void shouldKeepTheLastRecordOfEachKey() throws Exception {
        TopicPartition partition = new TopicPartition("keyed", 0);
        Map<String, String> last = new LinkedHashMap<>();
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of("linger.ms", 0))) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                last.put("key-" + i % 10, "value-" + i);
                sent.add(producer.send(new ProducerRecord<>("keyed", "key-" + i % 10, "value-" + i)));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            try (KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of())) {
                consumer.assign(List.of(partition));
                consumer.seekToBeginning(List.of(partition));
                Map<String, String> found = new LinkedHashMap<>();
                int count = 0;
                while (consumer.position(partition) < 3_000) {
                    for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                        assertThat(record.value()).isEqualTo("value-" + record.offset());
                        found.put(record.key(), record.value());
                        count++;
                    }
                }
                assertThat(found).containsExactlyInAnyOrderEntriesOf(last);
                assertThat(count).isLessThan(1_500);
            }
        });
    }

    @Test
    void shouldRefuseARecordWithoutKey() {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("unkeyed", "value"))
                            .get())
                    .hasCauseInstanceOf(InvalidRecordException.class);
        }
    }

    @Test
    void shouldTakeMessagesOfOldClients() throws Exception {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of());
                KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of());
                RawKafka raw = new RawKafka(broker.port())) {
            producer.send(new ProducerRecord<>("old", "k", "new")).get();
            MemoryRecordsBuilder set = MemoryRecords.builder(
                    ByteBuffer.allocate(1_000), (byte) 1, Compression.gzip().build(), TimestampType.CREATE_TIME, 0);
            set.append(7L, bytes("a"), bytes("one"));
            set.append(8L, bytes("b"), bytes("two"));
            ProduceRequestData data = new ProduceRequestData()
                    .setAcks((short) -1)
                    .setTimeoutMs(10_000)
                    .setTopicData(new TopicProduceDataCollection(List.of(new TopicProduceData()
                                    .setName("old")
                                    .setPartitionData(List.of(new PartitionProduceData()
                                            .setIndex(0)
                                            .setRecords(set.build()))))
                            .iterator()));

            ProduceResponse response =
                    (ProduceResponse) raw.ask(ApiKeys.PRODUCE, (short) 3, new ProduceRequest(data, (short) 3));

            assertThat(response.errorCounts()).containsOnlyKeys(org.apache.kafka.common.protocol.Errors.NONE);
            TopicPartition partition = new TopicPartition("old", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            assertThat(KafkaClients.poll(consumer, 3))
                    .extracting(record ->
                            record.key() + "=" + record.value() + "@" + (record.offset() == 0 ? 0 : record.timestamp()))
                    .containsExactly("k=new@0", "a=one@7", "b=two@8");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
