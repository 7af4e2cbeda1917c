package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.DeliveryForm;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PullDone;
import io.millrace.wire.frame.RefusedRanges;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.ReleasedRanges;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.record.Compression;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsumerTest {

    private final TestBroker broker = TestBroker.start();
    private final RawClient client = RawClient.connect(broker.port());
    private final RawClient other = RawClient.connect(broker.port());
    private DestinationDescribed queue =
            new DestinationDescribed(0, UUID.randomUUID(), "none", DestinationKind.QUEUE, 1, List.of());

    @BeforeEach
    void open() {
        client.openSession(1, UUID.randomUUID());
        other.openSession(1, UUID.randomUUID());
        queue = client.describe(DestinationKind.QUEUE, "orders");
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
        broker.close();
    }

    private RawProducer send(int count) {
        RawProducer producer = new RawProducer(client, 1, queue);
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            texts[i] = "m" + i;
        }
        producer.send(texts);
        return producer;
    }

    @Test
    void shouldSendNoMoreThanTheCreditAllows() {
        send(10);
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 3);

        assertThat(consumer.receive(3)).extracting(Message::text).containsExactly("m0", "m1", "m2");
        assertThat(consumer.pull()).isTrue();
        assertThat(client.deliveryAtHand()).isEmpty();
        consumer.credit(2);
        assertThat(consumer.receive(2)).extracting(Message::text).containsExactly("m3", "m4");
        assertThat(consumer.pull()).isTrue();
        assertThat(client.deliveryAtHand()).isEmpty();
    }

    @Test
    void shouldStopAtTheByteCreditWithOneMessageBeyond() {
        new RawProducer(client, 1, queue).send("x".repeat(1_000), "y".repeat(1_000), "z".repeat(1_000));
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 0);

        client.send(new Credit(1, 1, 0, 10, 1));

        assertThat(consumer.receive(1)).extracting(Message::text).containsExactly("x".repeat(1_000));
        assertThat(consumer.pull()).isTrue();
        assertThat(client.deliveryAtHand()).isEmpty();
        client.send(new Credit(1, 1, 0, 0, 1_500));
        assertThat(consumer.receive(1)).extracting(Message::text).containsExactly("y".repeat(1_000));
    }

    @Test
    void shouldSendNothingForCreditThatWasTakenBack() {
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 5);

        consumer.credit(-100);
        send(3);
        assertThat(consumer.pull()).isTrue();
        assertThat(client.deliveryAtHand()).isEmpty();

        consumer.credit(1);
        assertThat(consumer.receive(1)).extracting(Message::text).containsExactly("m0");
        assertThat(consumer.pull()).isTrue();
        assertThat(client.deliveryAtHand()).isEmpty();
    }

    @Test
    void shouldPushAMessageAsSoonAsItIsSent() {
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 10);
        RawProducer producer = new RawProducer(other, 1, queue);

        producer.send("first");
        assertThat(consumer.receive(1)).extracting(Message::text).containsExactly("first");
        producer.send("second");
        assertThat(consumer.receive(1)).extracting(Message::text).containsExactly("second");
    }

    @Test
    void shouldAnswerAPullAfterWhatWasThere() {
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 5);
        RawProducer producer = new RawProducer(client, 1, queue);

        for (int i = 0; i < 50; i++) {
            RawClient.join(producer.start(SendAnswer.WRITTEN, "m" + i));
            consumer.credit(1);
            consumer.pull();
            assertThat(RawConsumer.messagesOf(client.deliveryAtHand().orElseThrow()))
                    .extracting(Message::text)
                    .containsExactly("m" + i);
        }
        assertThat(consumer.pull()).isFalse();
    }

    @Test
    void shouldDealMessagesOutToAllWhoHaveCredit() {
        RawConsumer mine = RawConsumer.onQueue(client, 1, 1, queue, 1_000);
        RawConsumer theirs = RawConsumer.onQueue(other, 1, 1, queue, 0);
        send(100);
        assertThat(mine.receive(100)).hasSize(100);

        theirs.credit(1_000);
        theirs.pull();
        send(200);

        // Whoever has credit when messages come gets a share of them.
        assertThat(mine.receive(100)).hasSize(100);
        assertThat(theirs.receive(100)).hasSize(100);
    }

    @Test
    void shouldNotHoldOthersUpBehindASlowConsumer() {
        RawConsumer slow = RawConsumer.onQueue(other, 1, 1, queue, 1);
        RawConsumer fast = RawConsumer.onQueue(client, 1, 1, queue, 1_000);
        send(100);

        List<Message> toSlow = slow.receive(1);
        List<Message> toFast = fast.receive(99);

        assertThat(fast.acknowledge(toFast).refused()).isEmpty();
        assertThat(toFast)
                .extracting(Message::offset)
                .doesNotContain(toSlow.getFirst().offset());
        assertThat(fast.pull()).isFalse();
    }

    @Test
    void shouldGiveEachMessageToOneOfManyConsumers() {
        List<RawConsumer> consumers = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            consumers.add(RawConsumer.onQueue(client, 1, i, queue, 1_000));
        }
        RawProducer producer = new RawProducer(other, 1, queue);
        for (int i = 0; i < 200; i++) {
            RawClient.join(producer.start(SendAnswer.WRITTEN, "m" + i));
        }

        List<Long> offsets = new ArrayList<>();
        while (offsets.size() < 200) {
            RawConsumer.messagesOf(client.delivery()).forEach(message -> offsets.add(message.offset()));
        }

        assertThat(offsets).doesNotHaveDuplicates().hasSize(200);
        assertThat(consumers).allSatisfy(consumer -> assertThat(consumer.pull()).isFalse());
        assertThat(client.deliveryAtHand()).isEmpty();
    }

    @Test
    void shouldRedeliverWhatWasSeenWithAHigherCountAtItsOwnPlace() {
        send(4);
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 3);
        List<Message> messages = consumer.receive(3);

        release(consumer, messages.get(0), true);
        release(consumer, messages.get(1), false);
        consumer.credit(3);

        assertThat(consumer.receive(3))
                .extracting(Message::text, Message::deliveryCount)
                .containsExactly(tuple("m0", 2), tuple("m1", 1), tuple("m3", 1));
    }

    private void release(RawConsumer consumer, Message message, boolean seen) {
        client.request(
                Done.class,
                corr -> new Release(
                        corr,
                        1,
                        1,
                        0,
                        consumer.opened().leaderEpoch(),
                        List.of(new ReleasedRanges(
                                message.acquisition(), List.of(new OffsetRange(message.offset(), 1)), seen))));
    }

    @Test
    void shouldAcceptARepeatedAcknowledgementAndRefuseAForeignOne() {
        send(2);
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 1);
        RawConsumer thief = RawConsumer.onQueue(other, 1, 1, queue, 1);
        List<Message> mine = consumer.receive(1);
        List<Message> theirs = thief.receive(1);

        assertThat(consumer.acknowledge(mine).refused()).isEmpty();
        assertThat(consumer.acknowledge(mine).refused()).isEmpty();
        assertThat(consumer.acknowledge(theirs).refused())
                .containsExactly(new RefusedRanges(
                        1, 0, List.of(new OffsetRange(theirs.getFirst().offset(), 1))));
        assertThat(thief.acknowledge(theirs).refused()).isEmpty();
    }

    @Test
    void shouldKeepWhatAClosedConsumerHoldsForItsSession() {
        send(2);
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 1);
        List<Message> held = consumer.receive(1);

        client.request(Done.class, corr -> new CloseConsumer(corr, 1, 1, 0));
        RawConsumer second = RawConsumer.onQueue(client, 1, 2, queue, 10);
        assertThat(second.receive(1)).extracting(Message::text).containsExactly("m1");
        assertThat(second.pull()).isFalse();

        assertThat(consumer.acknowledge(held).refused()).isEmpty();
        assertThat(client.failure(corr -> new Pull(corr, 1, 1, 0)).code()).isEqualTo(ErrorCode.UNKNOWN_CONSUMER);
        await().until(() -> client.failure(corr -> new CloseConsumer(corr, 1, 1, 0))
                .message()
                .contains("not open"));
    }

    @Test
    void shouldForgetAClosedConsumerThatHoldsNothing() {
        RawConsumer.onQueue(client, 1, 1, queue, 1);

        client.request(Done.class, corr -> new CloseConsumer(corr, 1, 1, 0));

        await().until(() ->
                client.failure(corr -> new CloseConsumer(corr, 1, 1, 0)).code() == ErrorCode.UNKNOWN_CONSUMER);
    }

    @Test
    void shouldSendCompressedBatchesWhole() {
        RawProducer producer = new RawProducer(client, 1, queue);
        client.request(
                SendOk.class,
                corr -> producer.frame(
                        corr, SendAnswer.REPLICATED, producer.batch(0, Compression.LZ4, "a", "b", "c", "d")));
        RawConsumer first = RawConsumer.onQueue(client, 1, 1, queue, 2);

        Deliver delivery = client.delivery();
        assertThat(delivery.form()).isEqualTo(DeliveryForm.BATCH);
        assertThat(RawConsumer.messagesOf(delivery)).extracting(Message::text).containsExactly("a", "b");
        first.credit(10);
        assertThat(first.receive(2)).extracting(Message::text).containsExactly("c", "d");
    }

    @Test
    void shouldCutUncompressedRecordsOutOfTheirBatch() {
        send(5);
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 5);
        List<Message> messages = consumer.receive(5);
        release(consumer, messages.get(0), false);
        release(consumer, messages.get(2), false);
        release(consumer, messages.get(4), false);

        consumer.credit(5);

        Deliver again = client.delivery();
        assertThat(again.form()).isEqualTo(DeliveryForm.RECORDS);
        assertThat(RawConsumer.messagesOf(again)).extracting(Message::text).containsExactly("m0", "m2", "m4");
    }

    @Test
    void shouldTellWhetherMoreIsThere() {
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 0);
        assertThat(consumer.pull()).isFalse();

        send(1);

        PullDone done = client.request(PullDone.class, corr -> new Pull(corr, 1, 1, 0));
        assertThat(done.more()).isTrue();
    }
}
