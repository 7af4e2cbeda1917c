package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ConfigEntry;
import io.millrace.wire.frame.CreateDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.LogRead;
import io.millrace.wire.frame.ReadLog;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SendTest {

    private final TestBroker broker = TestBroker.start();
    private final RawClient client = RawClient.connect(broker.port());
    private DestinationDescribed queue =
            new DestinationDescribed(0, UUID.randomUUID(), "none", DestinationKind.QUEUE, 1, List.of());

    @BeforeEach
    void open() {
        client.openSession(1, UUID.randomUUID());
        queue = client.describe(DestinationKind.QUEUE, "orders");
    }

    @AfterEach
    void close() {
        client.close();
        broker.close();
    }

    @Test
    void shouldCarryMessagesFromProducerToConsumerInOrder() {
        RawProducer producer = new RawProducer(client, 1, queue);
        for (int i = 0; i < 10; i++) {
            assertThat(producer.send("a" + i, "b" + i).baseOffset()).isEqualTo(2L * i);
        }

        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 100);
        List<Message> messages = consumer.receive(20);

        assertThat(messages).extracting(Message::offset).containsExactlyElementsOf(longs(20));
        assertThat(messages)
                .extracting(Message::text)
                .startsWith("a0", "b0", "a1")
                .endsWith("a9", "b9");
        assertThat(messages).extracting(Message::deliveryCount).containsOnly(1);
        assertThat(consumer.acknowledge(messages).refused()).isEmpty();
        assertThat(consumer.pull()).isFalse();
    }

    private static List<Long> longs(int count) {
        List<Long> numbers = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    @Test
    void shouldStoreARepeatedBatchOnce() {
        RawProducer producer = new RawProducer(client, 1, queue);
        SendOk first = producer.send("one", "two");

        SendOk again = client.request(
                SendOk.class, corr -> producer.frame(corr, SendAnswer.REPLICATED, producer.batch(0, "one", "two")));

        assertThat(again.baseOffset()).isEqualTo(first.baseOffset());
        assertThat(producer.send("three").baseOffset()).isEqualTo(2);
    }

    @Test
    void shouldRefuseASequenceWithAGap() {
        RawProducer producer = new RawProducer(client, 1, queue);
        producer.send("one");

        Failure failure = client.failure(corr -> producer.frame(corr, SendAnswer.REPLICATED, producer.batch(5, "six")));

        assertThat(failure.code()).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE);
        assertThat(failure.message()).contains("5").contains("1");
    }

    @Test
    void shouldAnswerPipelinedSendsInTheirOrder() {
        RawProducer producer = new RawProducer(client, 1, queue);
        List<CompletableFuture<AnswerFrame>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(producer.start(i % 2 == 0 ? SendAnswer.REPLICATED : SendAnswer.WRITTEN, "m" + i));
        }

        for (int i = 0; i < 5; i++) {
            assertThat(RawClient.join(answers.get(i)))
                    .isInstanceOfSatisfying(
                            SendOk.class, ok -> assertThat(ok.baseOffset()).isNotNegative());
        }
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 10);
        assertThat(consumer.receive(5)).extracting(Message::text).containsExactly("m0", "m1", "m2", "m3", "m4");
    }

    @Test
    void shouldRefuseASendToAnotherLeaderEpoch() {
        RawProducer producer = new RawProducer(client, 1, queue);
        ByteBuffer batch = producer.batch(0, "late");
        int epoch = queue.partitions().getFirst().leaderEpoch();

        Failure failure =
                client.failure(corr -> new Send(corr, 1, queue.logId(), 0, epoch + 1, SendAnswer.REPLICATED, batch));

        assertThat(failure.code()).isEqualTo(ErrorCode.NOT_LEADER);
    }

    @Test
    void shouldRefuseASendToAnUnknownLogOrPartition() {
        RawProducer producer = new RawProducer(client, 1, queue);
        ByteBuffer batch = producer.batch(0, "lost");

        assertThat(client.failure(corr ->
                                new Send(corr, 1, UUID.randomUUID(), 0, 0, SendAnswer.REPLICATED, batch.duplicate()))
                        .code())
                .isEqualTo(ErrorCode.NOT_LEADER);
        assertThat(client.failure(corr ->
                                new Send(corr, 1, queue.logId(), 7, 0, SendAnswer.REPLICATED, batch.duplicate()))
                        .code())
                .isEqualTo(ErrorCode.NOT_LEADER);
    }

    @Test
    void shouldRefuseDamagedBatchesAndGoOn() {
        RawProducer producer = new RawProducer(client, 1, queue);
        ByteBuffer wrongCrc = producer.batch(0, "damaged");
        wrongCrc.put(wrongCrc.limit() - 2, (byte) (wrongCrc.get(wrongCrc.limit() - 2) ^ 1));
        ByteBuffer wrongCount = producer.batch(0, "damaged");
        wrongCount.putInt(RecordBatch.RECORDS_COUNT, 1_000_000);
        ByteBuffer wrongOffsets = producer.batch(0, "damaged");
        wrongOffsets.putInt(RecordBatch.LAST_OFFSET_DELTA, 17);
        ByteBuffer wrongCodec = producer.batch(0, "damaged");
        wrongCodec.putShort(RecordBatch.ATTRIBUTES, (short) 7);
        ByteBuffer wrongLength = producer.batch(0, "damaged");
        wrongLength.putInt(RecordBatch.LENGTH, wrongLength.getInt(RecordBatch.LENGTH) - 3);
        ByteBuffer noBatch = ByteBuffer.wrap("this is no batch".getBytes(StandardCharsets.US_ASCII));
        ByteBuffer two = ByteBuffer.allocate(2 * producer.batch(0, "x").remaining())
                .put(producer.batch(0, "x"))
                .put(producer.batch(1, "y"))
                .flip();

        for (ByteBuffer batch : List.of(
                wrongCrc, wrongCount, wrongOffsets, wrongCodec, wrongLength, noBatch, two, ByteBuffer.allocate(0))) {
            Failure failure = client.failure(corr -> producer.frame(corr, SendAnswer.REPLICATED, batch));
            assertThat(failure.code()).as(failure.message()).isEqualTo(ErrorCode.CORRUPT_BATCH);
        }

        assertThat(producer.send("whole").baseOffset()).isZero();
    }

    @Test
    void shouldRefuseABatchWithoutProducerId() {
        RawProducer nobody = new RawProducer(client, 1, queue, -1, -1);

        Failure failure = client.failure(corr -> {
            ByteBuffer batch = new RawProducer(client, 1, queue, 1, 0).batch(0, "anonymous");
            RecordBatch.setProducer(batch, 0, -1, (short) -1, -1);
            return nobody.frame(corr, SendAnswer.REPLICATED, batch);
        });

        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldRefuseADecompressionBombWithoutOpeningIt() {
        RawProducer producer = new RawProducer(client, 1, queue);
        ByteBuffer bomb = producer.batch(0, Compression.GZIP, "x".repeat(40_000_000), "y".repeat(40_000_000));
        assertThat(bomb.remaining()).isLessThan(200_000);

        Failure failure = client.failure(corr -> producer.frame(corr, SendAnswer.REPLICATED, bomb));

        assertThat(failure.code()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(producer.send("still here").baseOffset()).isZero();
    }

    @Test
    void shouldRefuseABatchAboveTheLimitOfItsDestination() {
        DestinationDescribed small = client.request(
                DestinationDescribed.class,
                corr -> new CreateDestination(
                        corr,
                        DestinationKind.QUEUE,
                        "small",
                        -1,
                        List.of(new ConfigEntry("max.message.bytes", "500"))));
        assertThat(small.maxMessageBytes()).isEqualTo(500);
        RawProducer producer = new RawProducer(client, 1, small);

        Failure failure = client.failure(
                corr -> producer.frame(corr, SendAnswer.REPLICATED, producer.batch(0, "x".repeat(1_000))));

        assertThat(failure.code()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(producer.send("fits").baseOffset()).isZero();
    }

    @Test
    void shouldCarryAMessageThatIsLargerThanAFrameBothWays() {
        RawProducer producer = new RawProducer(client, 1, queue);
        String large = "abcdefgh".repeat(500_000);

        producer.send(large);
        producer.send("small");

        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 10);
        List<Message> messages = consumer.receive(2);
        assertThat(messages.get(0).text()).isEqualTo(large);
        assertThat(messages.get(1).text()).isEqualTo("small");
    }

    @Test
    void shouldReadTheLogWithoutConsuming() {
        RawProducer producer = new RawProducer(client, 1, queue);
        producer.send("one", "two");
        producer.send("three");

        LogRead read = client.request(LogRead.class, corr -> new ReadLog(corr, queue.logId(), 0, 1, 1_000_000));

        assertThat(read.logStart()).isZero();
        assertThat(read.highWatermark()).isEqualTo(3);
        assertThat(RecordBatch.at(read.payload(), 0).baseOffset()).isZero();
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 10);
        assertThat(consumer.receive(3)).extracting(Message::text).containsExactly("one", "two", "three");
        assertThat(client.failure(corr -> new ReadLog(corr, queue.logId(), 0, 99, 1_000))
                        .code())
                .isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
    }

    @Test
    void shouldGiveEachProducerIdOnce() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            ids.add(client.producerId());
        }

        assertThat(ids).doesNotHaveDuplicates();
    }
}
