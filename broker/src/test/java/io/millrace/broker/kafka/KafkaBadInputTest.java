package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes from Kafka's side of the network is not to be trusted: bad input costs its sender the connection at most. */
class KafkaBadInputTest {

    private static EmbeddedBroker broker;
    private static KafkaProducer<String, String> bystander;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("session.heartbeat.interval.ms", "300")
                .start();
        bystander = KafkaClients.producer(broker, Map.of("linger.ms", 0));
        bystander.send(new ProducerRecord<>("healthy", "first")).get();
        bystander.send(new ProducerRecord<>("target", "first")).get();
    }

    @AfterAll
    static void stopBroker() {
        bystander.close();
        broker.close();
    }

    /** One client's fault is not another's. */
    @AfterEach
    void othersAreNotHarmed() throws Exception {
        assertThat(bystander
                        .send(new ProducerRecord<>("healthy", "still works"))
                        .get()
                        .offset())
                .isPositive();
    }

    static Stream<ApiKeys> offered() {
        try (RawKafka raw = new RawKafka(broker.port())) {
            ApiVersionsResponse answer = (ApiVersionsResponse) raw.ask(
                    ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0));
            return answer.data().apiKeys().stream().map(key -> ApiKeys.forId(key.apiKey())).toList().stream();
        }
    }

    /** Each request in its oldest and newest version, cut short, with bits turned over, and with something after it. */
    @ParameterizedTest
    @MethodSource("offered")
    void shouldSurviveEveryRequestInEveryBrokenForm(ApiKeys key) {
        SplittableRandom random = new SplittableRandom(key.id);
        for (short version : new short[] {key.oldestVersion(), key.latestVersion()}) {
            byte[] whole = empty(key, version);
            List<byte[]> broken = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                byte[] cut = Arrays.copyOf(whole, random.nextInt(4 + 8, whole.length + 1));
                ByteBuffer.wrap(cut).putInt(cut.length - 4);
                broken.add(cut);
                byte[] turned = whole.clone();
                // Behind key and version, so that it stays this kind of request.
                for (int bit = 0; bit <= i; bit++) {
                    turned[random.nextInt(Math.min(8, whole.length - 1), whole.length)] ^=
                            (byte) (1 << random.nextInt(8));
                }
                broken.add(turned);
            }
            byte[] longer = Arrays.copyOf(whole, whole.length + 100);
            Arrays.fill(longer, whole.length, longer.length, (byte) 0xff);
            ByteBuffer.wrap(longer).putInt(longer.length - 4);
            broken.add(longer);
            for (byte[] request : broken) {
                try (RawKafka raw = new RawKafka(broker.port())) {
                    raw.sendBytes(request);
                    raw.shutDownOutput();
                    assertThat(raw.isClosedByPeer()).as(key + " " + version).isTrue();
                }
            }
        }
    }

    private static byte[] empty(ApiKeys key, short version) {
        ApiMessage message = ApiMessageType.fromApiKey(key.id).newRequest();
        ByteBuffer body;
        try {
            body = MessageUtil.toByteBufferAccessor(message, version).buffer();
        } catch (RuntimeException needsMore) {
            // A request that cannot be empty: bytes without sense will do.
            body = ByteBuffer.allocate(64);
        }
        RequestHeader header = new RequestHeader(key, version, "broken\nclient\u0007", 1);
        ByteBuffer head = MessageUtil.toByteBufferAccessor(header.data(), header.headerVersion())
                .buffer();
        return ByteBuffer.allocate(4 + head.remaining() + body.remaining())
                .putInt(head.remaining() + body.remaining())
                .put(head)
                .put(body)
                .array();
    }

    @ParameterizedTest
    @ValueSource(shorts = {-1, 4, 7, 52, 56, 62, 999, Short.MAX_VALUE})
    void shouldCloseAConnectionThatAsksForWhatIsNotOffered(short key) {
        try (RawKafka raw = new RawKafka(broker.port())) {
            raw.sendBytes(ByteBuffer.allocate(18)
                    .putInt(14)
                    .putShort(key)
                    .putShort((short) 0)
                    .putInt(1)
                    .putShort((short) 4)
                    .put("abcd".getBytes(StandardCharsets.UTF_8))
                    .array());
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void shouldCloseAConnectionThatAsksInAVersionThatIsNotThere() {
        try (RawKafka raw = new RawKafka(broker.port())) {
            raw.sendBytes(ByteBuffer.allocate(14)
                    .putInt(10)
                    .putShort(ApiKeys.METADATA.id)
                    .putShort((short) 99)
                    .putInt(1)
                    .putShort((short) -1)
                    .array());
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 7, 200 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldCloseAConnectionWithAnImpossibleLength(int length) {
        try (RawKafka raw = new RawKafka(broker.port())) {
            raw.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0));
            raw.sendBytes(ByteBuffer.allocate(4).putInt(length).array());
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void shouldRefuseARequestOfMillionsOfEmptyStructures() {
        int topics = 3_000_000;
        // Metadata version 9: a compact array of topics, each an empty name and no tagged fields.
        ByteBuffer frame = ByteBuffer.allocate(64 + 2 * topics);
        frame.putInt(0)
                .putShort(ApiKeys.METADATA.id)
                .putShort((short) 9)
                .putInt(1)
                .putShort((short) -1)
                .put((byte) 0);
        for (int rest = topics + 1; ; rest >>>= 7) {
            if (rest < 0x80) {
                frame.put((byte) rest);
                break;
            }
            frame.put((byte) ((rest & 0x7f) | 0x80));
        }
        for (int i = 0; i < topics; i++) {
            frame.put((byte) 1).put((byte) 0);
        }
        frame.put(new byte[4]);
        frame.putInt(0, frame.position() - 4);
        byte[] bytes = Arrays.copyOf(frame.array(), frame.position());
        try (RawKafka raw = new RawKafka(broker.port())) {
            raw.sendBytes(bytes);
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void shouldCloseAConnectionThatBeginsARequestAndDoesNotGoOn() {
        try (RawKafka raw = new RawKafka(broker.port())) {
            raw.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0));
            raw.sendBytes(ByteBuffer.allocate(10).putInt(100).array());
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void shouldAnswerTenThousandRequestsThatComeAtOnceInTheirOrder() throws Exception {
        int count = 10_000;
        try (RawKafka raw = new RawKafka(broker.port())) {
            ByteBuffer all = ByteBuffer.allocate(count * 32);
            for (int i = 0; i < count; i++) {
                all.put(RawKafka.frame(
                        new RequestHeader(ApiKeys.API_VERSIONS, (short) 0, "piped", i),
                        new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0)));
            }
            byte[] bytes = Arrays.copyOf(all.array(), all.position());
            Thread sender = Thread.ofVirtual().start(() -> raw.sendBytes(bytes));
            othersAreNotHarmed();
            for (int i = 0; i < count; i++) {
                assertThat(raw.frame().getInt()).isEqualTo(i);
            }
            sender.join();
        }
    }

    /** Answers that wait for an earlier one are held to a few; when it leaves, all others follow. */
    @Test
    void shouldGoOnWhenTheFirstOfManyIsAnswered() throws Exception {
        int count = 100;
        try (RawKafka raw = new RawKafka(broker.port())) {
            raw.send(ApiKeys.FETCH, (short) 11, fetchAtTheEnd());
            for (int i = 1; i < count; i++) {
                raw.send(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequest(new ApiVersionsRequestData(), (short)
                        0));
            }
            bystander.send(new ProducerRecord<>("target", 0, null, "wakes")).get();
            for (int i = 0; i < count; i++) {
                assertThat(raw.frame().getInt()).isEqualTo(i);
            }
        }
    }

    private static FetchRequest fetchAtTheEnd() {
        FetchRequestData data = fetchRequest(1, false).data();
        data.setMaxWaitMs(15_000).setMinBytes(1);
        try (KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of())) {
            TopicPartition partition = new TopicPartition("target", 0);
            data.topics()
                    .getFirst()
                    .partitions()
                    .getFirst()
                    .setFetchOffset(consumer.endOffsets(List.of(partition)).getOrDefault(partition, -1L));
        }
        return new FetchRequest(data, (short) 11);
    }

    @Test
    void shouldStoreTenThousandBatchesThatComeAtOnceInTheirOrder() throws Exception {
        int count = 10_000;
        try (RawKafka raw = new RawKafka(broker.port())) {
            Thread sender = Thread.ofVirtual().start(() -> {
                for (int i = 0; i < count; i++) {
                    raw.send(ApiKeys.PRODUCE, (short) 9, new ProduceRequest(toTarget(batch(), 0, 1), (short) 9));
                }
            });
            othersAreNotHarmed();
            long before = -1;
            for (int i = 0; i < count; i++) {
                ByteBuffer frame = raw.frame();
                assertThat(frame.getInt(0)).isEqualTo(i);
                ProduceResponse answer = (ProduceResponse)
                        AbstractResponse.parseResponse(frame, new RequestHeader(ApiKeys.PRODUCE, (short) 9, "raw", i));
                long offset = answer.data()
                        .responses()
                        .iterator()
                        .next()
                        .partitionResponses()
                        .getFirst()
                        .baseOffset();
                assertThat(offset).isGreaterThan(before);
                before = offset;
            }
            sender.join();
        }
    }

    /** Who asks without end and reads nothing is not read himself, and takes nothing from others. */
    @Test
    void shouldServeOthersWhileOneAsksTenThousandTimesAndReadsNothing() throws Exception {
        try (RawKafka raw = new RawKafka(broker.port())) {
            Thread sender = Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 10_000; i++) {
                    raw.send(ApiKeys.FETCH, (short) 11, fetchRequest(100, false));
                }
            });
            for (int i = 0; i < 50; i++) {
                othersAreNotHarmed();
            }
            raw.socket().close();
            sender.join();
        }
    }

    @Test
    void shouldAnswerForAPartitionThatIsTwiceInARequest() {
        ProduceRequestData data = toTarget(batch(), 0, 2);
        try (RawKafka raw = new RawKafka(broker.port())) {
            ProduceResponse answer =
                    (ProduceResponse) raw.ask(ApiKeys.PRODUCE, (short) 9, new ProduceRequest(data, (short) 9));
            assertThat(answer.errorCounts()).doesNotContainKey(Errors.UNKNOWN_SERVER_ERROR);

            FetchRequestData twice = fetchRequest(1, false).data();
            twice.topics()
                    .getFirst()
                    .partitions()
                    .add(twice.topics().getFirst().partitions().getFirst().duplicate());
            FetchResponse fetched =
                    (FetchResponse) raw.ask(ApiKeys.FETCH, (short) 11, new FetchRequest(twice, (short) 11));
            assertThat(fetched.errorCounts()).containsOnlyKeys(Errors.NONE);
        }
    }

    private static ProduceRequestData toTarget(ByteBuffer records, int partition, int times) {
        List<ProduceRequestData.PartitionProduceData> partitions = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            partitions.add(new ProduceRequestData.PartitionProduceData()
                    .setIndex(partition)
                    .setRecords(MemoryRecords.readableRecords(records.duplicate())));
        }
        ProduceRequestData data = new ProduceRequestData().setAcks((short) -1).setTimeoutMs(5_000);
        data.topicData()
                .add(new ProduceRequestData.TopicProduceData().setName("target").setPartitionData(partitions));
        return data;
    }

    private static Errors produce(ByteBuffer records, int partition) {
        try (RawKafka raw = new RawKafka(broker.port())) {
            ProduceResponse answer = (ProduceResponse)
                    raw.ask(ApiKeys.PRODUCE, (short) 9, new ProduceRequest(toTarget(records, partition, 1), (short) 9));
            return Errors.forCode(answer.data()
                    .responses()
                    .iterator()
                    .next()
                    .partitionResponses()
                    .getFirst()
                    .errorCode());
        }
    }

    private static ByteBuffer batch() {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord("value".getBytes(StandardCharsets.UTF_8)))
                .buffer();
    }

    /** What can be wrong with a batch. */
    enum Fault {
        CHECKSUM,
        TRUNCATED,
        TWO_BATCHES,
        MAGIC_0_GARBAGE,
        MAGIC_1_GARBAGE,
        MAGIC_77,
        CONTROL,
        TRANSACTIONAL,
        NEGATIVE_SIZE,
        EMPTY;

        ByteBuffer apply(ByteBuffer batch) {
            switch (this) {
                case CHECKSUM -> batch.put(batch.limit() - 2, (byte) 0x55);
                case TRUNCATED -> batch.limit(batch.limit() - 3);
                case TWO_BATCHES -> {
                    ByteBuffer two = ByteBuffer.allocate(2 * batch.remaining());
                    return two.put(batch.duplicate()).put(batch.duplicate()).flip();
                }
                case MAGIC_0_GARBAGE -> batch.put(16, (byte) 0);
                case MAGIC_1_GARBAGE -> batch.put(16, (byte) 1);
                case MAGIC_77 -> batch.put(16, (byte) 77);
                case CONTROL -> batch.putShort(21, (short) 0x20);
                case TRANSACTIONAL -> batch.putShort(21, (short) 0x10);
                case NEGATIVE_SIZE -> batch.putInt(8, -5);
                case EMPTY -> batch.limit(0);
            }
            return batch;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseBadBatches(Fault fault) {
        ByteBuffer good = batch();
        ByteBuffer copy = ByteBuffer.allocate(good.remaining()).put(good).flip();

        assertThat(produce(fault.apply(copy), 0)).isNotIn(Errors.NONE, Errors.UNKNOWN_SERVER_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldRefusePartitionsThatAreNotThere(int partition) {
        assertThat(produce(batch(), partition)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "LZ4", "ZSTD"})
    void shouldTakeABombForWhatItIs(CompressionType codec) {
        ByteBuffer bomb = MemoryRecords.withRecords(Compression.of(codec).build(), new SimpleRecord(new byte[64 << 20]))
                .buffer();
        assertThat(bomb.remaining()).isLessThan(300_000);

        // Small as it travels and as it is stored: whoever unpacks it has to look out.
        assertThat(produce(bomb, 0)).isIn(Errors.NONE, Errors.MESSAGE_TOO_LARGE, Errors.INVALID_RECORD);
    }

    /** A few kilobytes, which take as long to look through as gigabytes. */
    @Test
    void shouldServeOthersBetweenBombsThatComeAtOnce() throws Exception {
        int count = 60;
        ByteBuffer bomb = MemoryRecords.withRecords(
                        Compression.of(CompressionType.ZSTD).build(), new SimpleRecord(new byte[40 << 20]))
                .buffer();
        try (RawKafka raw = new RawKafka(broker.port())) {
            for (int i = 0; i < count; i++) {
                raw.send(ApiKeys.PRODUCE, (short) 9, new ProduceRequest(toTarget(bomb.duplicate(), 0, 1), (short) 9));
            }

            othersAreNotHarmed();

            int answeredBytes = raw.socket().getInputStream().available();
            int answerBytes = Integer.BYTES + raw.frame().remaining();
            assertThat(answeredBytes).isLessThan(count / 2 * answerBytes);
            for (int i = 1; i < count; i++) {
                assertThat(raw.frame().getInt(0)).isEqualTo(i);
            }
        }
    }

    private static FetchResponse fetch(RawKafka raw, int topics, boolean session) {
        return (FetchResponse) raw.ask(ApiKeys.FETCH, (short) 11, fetchRequest(topics, session));
    }

    private static FetchRequest fetchRequest(int topics, boolean session) {
        FetchRequestData data = new FetchRequestData()
                .setMaxWaitMs(0)
                .setMinBytes(0)
                .setMaxBytes(1000)
                .setSessionId(0)
                .setSessionEpoch(session ? 0 : -1);
        List<FetchRequestData.FetchPartition> partitions = new ArrayList<>();
        for (int i = 0; i < topics; i++) {
            partitions.add(new FetchRequestData.FetchPartition().setPartition(i).setPartitionMaxBytes(10));
        }
        data.topics().add(new FetchRequestData.FetchTopic().setTopic("target").setPartitions(partitions));
        return new FetchRequest(data, (short) 11);
    }

    @Test
    void shouldAnswerAFetchOfAHundredThousandPartitions() {
        try (RawKafka raw = new RawKafka(broker.port())) {
            FetchResponse answer = fetch(raw, 100_000, false);

            assertThat(answer.errorCounts().get(Errors.UNKNOWN_TOPIC_OR_PARTITION))
                    .isEqualTo(99_999);
        }
    }

    @Test
    void shouldServeOthersWhenOneClientHasTakenAllFetchSessions() {
        try (RawKafka raw = new RawKafka(broker.port());
                KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, Map.of())) {
            int last = 1;
            for (int i = 0; i < 1_100; i++) {
                last = fetch(raw, 1, true).sessionId();
            }
            assertThat(last).isZero();
            consumer.assign(List.of(new TopicPartition("healthy", 0)));
            consumer.seekToBeginning(consumer.assignment());
            assertThat(KafkaClients.poll(consumer, 1)).isNotEmpty();
        }
    }

    @Test
    void shouldRefuseTopicNamesOf32KiB() {
        String name = "n".repeat(32_000);
        try (RawKafka raw = new RawKafka(broker.port())) {
            MetadataRequestData data = new MetadataRequestData().setAllowAutoTopicCreation(true);
            data.setTopics(List.of(new MetadataRequestData.MetadataRequestTopic().setName(name)));
            AbstractResponse answer = raw.ask(ApiKeys.METADATA, (short) 9, new MetadataRequest(data, (short) 9));
            assertThat(answer.errorCounts()).containsKey(Errors.INVALID_TOPIC_EXCEPTION);
        }
    }

    @Test
    void shouldForgetClientsThatCloseHalf() {
        try (RawKafka raw = new RawKafka(broker.port())) {
            raw.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0));
            raw.shutDownOutput();
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }
}
