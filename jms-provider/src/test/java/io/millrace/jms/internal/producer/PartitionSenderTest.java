package io.millrace.jms.internal.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jms.internal.transport.LinkClosedException;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.jms.internal.transport.StepLoop;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.PartitionLeader;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.message.EncodedMessage;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PartitionSenderTest {

    private static final UUID LOG = new UUID(1, 1);
    private static final PartitionAddress ADDRESS = new PartitionAddress("orders", DestinationKind.QUEUE, LOG, 0);

    private final StepLoop loop = new StepLoop();
    private final FakeRoute route = new FakeRoute();
    private final List<String> outcomes = new ArrayList<>();
    private final PartitionSender sender =
            new PartitionSender(route, ADDRESS, new BatchPacker(Compression.NONE, 1_000_000), 3);

    @BeforeEach
    void giveIdentity() {
        send("warm up");
        route.giveIdentity(new ProducerIdentity(7, (short) 0));
        loop.run();
        route.ok(0);
        route.sent.clear();
        outcomes.clear();
    }

    @Test
    void shouldAskForAnIdentityOnceAndThenSend() {
        FakeRoute fresh = new FakeRoute();
        PartitionSender other = new PartitionSender(fresh, ADDRESS, new BatchPacker(Compression.NONE, 1_000_000), 3);

        other.send(message("a"));
        loop.run();
        other.send(message("b"));
        loop.run();
        assertThat(fresh.sent).isEmpty();
        assertThat(fresh.identityTakers).hasSize(1);

        fresh.giveIdentity(new ProducerIdentity(9, (short) 2));

        assertThat(fresh.texts(0)).containsExactly("a", "b");
        assertThat(fresh.batch(0).producerId()).isEqualTo(9);
        assertThat(fresh.batch(0).producerEpoch()).isEqualTo((short) 2);
        assertThat(fresh.batch(0).baseSequence()).isZero();
    }

    /** A partition takes any sequence from a producer that it does not know: a second batch could be taken before the first. */
    @Test
    void shouldSendTheFirstBatchOfAnIdentityAlone() {
        FakeRoute fresh = new FakeRoute();
        PartitionSender other = new PartitionSender(fresh, ADDRESS, new BatchPacker(Compression.NONE, 1_000_000), 3);
        other.send(message("a"));
        loop.run();
        fresh.giveIdentity(new ProducerIdentity(9, (short) 0));
        other.send(message("b"));
        loop.run();
        other.send(message("c"));
        loop.run();
        assertThat(fresh.sent).hasSize(1);

        fresh.ok(0);

        assertThat(fresh.texts(1)).containsExactly("b", "c");
    }

    @Test
    void shouldPackABurstIntoOneBatch() {
        sender.send(message("a"));
        sender.send(message("b"));
        sender.send(message("c"));
        loop.run();

        assertThat(route.sent).hasSize(1);
        assertThat(route.texts(0)).containsExactly("a", "b", "c");
        assertThat(route.batch(0).baseSequence()).isEqualTo(1);
        assertThat(route.sent.get(0).frame().leaderEpoch()).isEqualTo(3);
    }

    @Test
    void shouldHaveFiveBatchesUnansweredAtMostAndPackTheRest() {
        for (int i = 1; i <= 8; i++) {
            send("m" + i);
        }

        assertThat(route.sent).hasSize(5);
        route.ok(0);

        assertThat(route.sent).hasSize(6);
        assertThat(route.texts(5)).containsExactly("m6", "m7", "m8");
        assertThat(route.batch(5).baseSequence()).isEqualTo(6);
        assertThat(outcomes).containsExactly("m1 stored");
    }

    @Test
    void shouldTellOutcomesInTheOrderOfTheSends() {
        send("a");
        send("b");
        send("c");

        route.ok(1);
        route.ok(2);
        assertThat(outcomes).isEmpty();
        route.ok(0);

        assertThat(outcomes).containsExactly("a stored", "b stored", "c stored");
    }

    @Test
    void shouldAskForTheAnswerThatItsMessagesNeed() {
        sender.send(message("a", false));
        loop.run();
        sender.send(message("b", false));
        sender.send(message("c", true));
        loop.run();

        assertThat(route.sent.get(0).frame().answer()).isEqualTo(SendAnswer.WRITTEN);
        assertThat(route.sent.get(1).frame().answer()).isEqualTo(SendAnswer.REPLICATED);
    }

    @Test
    void shouldRepeatExactlyTheUnansweredBatchesAfterALostSocket() {
        send("a");
        send("b");
        send("c");
        route.ok(0);
        List<ByteBuffer> unanswered = List.of(route.bytes(1), route.bytes(2));
        route.lose();
        send("d");
        assertThat(route.sent).hasSize(3);

        route.comeBack(sender);
        route.locate(8);

        assertThat(route.sent).as("the oldest goes alone").hasSize(4);
        assertThat(route.sent.get(3).frame().leaderEpoch()).isEqualTo(8);
        route.ok(3);
        assertThat(route.sent).hasSize(6);
        assertThat(List.of(route.bytes(3), route.bytes(4))).isEqualTo(unanswered);
        assertThat(route.texts(5)).containsExactly("d");
        assertThat(route.batch(5).baseSequence()).isEqualTo(4);
        route.ok(4);
        route.ok(5);
        assertThat(outcomes).containsExactly("a stored", "b stored", "c stored", "d stored");
    }

    @Test
    void shouldRepeatAgainWhenTheSecondSocketIsLostToo() {
        send("a");
        ByteBuffer bytes = route.bytes(0);
        route.lose();
        route.comeBack(sender);
        route.locate(4);
        route.lose();
        route.comeBack(sender);
        route.locate(5);

        assertThat(route.sent).hasSize(3);
        assertThat(route.bytes(2)).isEqualTo(bytes);
        route.ok(2);
        assertThat(outcomes).containsExactly("a stored");
    }

    @Test
    void shouldFindTheLeaderAndRepeatWhenItHasMoved() {
        send("a");
        send("b");
        route.refuse(0, ErrorCode.STALE_EPOCH);
        route.refuse(1, ErrorCode.STALE_EPOCH);
        assertThat(route.describes).isEmpty();

        loop.advanceMs(60);
        route.locate(9);

        assertThat(route.texts(2)).containsExactly("a");
        route.ok(2);
        assertThat(route.texts(3)).containsExactly("b");
        assertThat(route.sent.get(2).frame().leaderEpoch()).isEqualTo(9);
    }

    @Test
    void shouldWaitLongerEachTimeBeforeItTriesAgain() {
        send("a");
        long[] waitsMs = {50, 100, 200, 400, 800, 1_600, 2_000, 2_000};
        for (int i = 0; i < waitsMs.length; i++) {
            route.refuse(i, ErrorCode.TIMEOUT);
            loop.advanceMs(waitsMs[i] - 1);
            assertThat(route.describes).as("before %d ms", waitsMs[i]).isEmpty();
            loop.advanceMs(1);
            route.locate(3);
            assertThat(route.sent).hasSize(i + 2);
        }
    }

    @Test
    void shouldNumberAnewUnderTheNextEpochWhenABatchWasRefused() {
        send("too large");
        send("b");
        send("c");
        route.refuse(0, ErrorCode.MESSAGE_TOO_LARGE);
        route.refuse(1, ErrorCode.OUT_OF_ORDER_SEQUENCE);
        assertThat(route.sent).hasSize(3);
        route.refuse(2, ErrorCode.OUT_OF_ORDER_SEQUENCE);

        assertThat(outcomes).containsExactly("too large failed MESSAGE_TOO_LARGE");
        assertThat(route.sent).hasSize(4);
        assertThat(route.texts(3)).containsExactly("b", "c");
        assertThat(route.batch(3).producerId()).isEqualTo(7);
        assertThat(route.batch(3).producerEpoch()).isEqualTo((short) 1);
        assertThat(route.batch(3).baseSequence()).isZero();
        route.ok(3);
        send("d");
        assertThat(route.batch(4).baseSequence()).isEqualTo(2);
    }

    @Test
    void shouldNumberAnewWhenTheLastBatchWasRefused() {
        send("a");
        route.refuse(0, ErrorCode.DISK_FULL);
        send("b");

        assertThat(outcomes).containsExactly("a failed DISK_FULL");
        assertThat(route.batch(1).producerEpoch()).isEqualTo((short) 1);
        assertThat(route.batch(1).baseSequence()).isZero();
    }

    /** After a power cut the server may have lost batches that it answered before they were synced. */
    @Test
    void shouldNumberAnewWhenTheServerMissesWhatItOnceHad() {
        send("a");
        route.refuse(0, ErrorCode.OUT_OF_ORDER_SEQUENCE);

        assertThat(route.texts(1)).containsExactly("a");
        assertThat(route.batch(1).producerEpoch()).isEqualTo((short) 1);
        assertThat(route.batch(1).baseSequence()).isZero();
    }

    /** A batch that may be stored goes again before anything behind it is numbered anew. */
    @Test
    void shouldNotSendNewOnesWhileADoubtfulBatchIsRepeated() {
        send("refused");
        send("doubtful");
        send("gap");
        route.refuse(0, ErrorCode.CORRUPT_BATCH);
        route.refuse(1, ErrorCode.TIMEOUT);
        route.refuse(2, ErrorCode.OUT_OF_ORDER_SEQUENCE);
        send("new");
        loop.advanceMs(100);
        route.locate(3);

        assertThat(route.sent).hasSize(4);
        assertThat(route.texts(3)).containsExactly("doubtful");
        assertThat(route.batch(3).producerEpoch()).isZero();
        route.ok(3);
        assertThat(route.texts(4)).containsExactly("gap");
        assertThat(route.batch(4).producerEpoch()).isZero();
        route.refuse(4, ErrorCode.OUT_OF_ORDER_SEQUENCE);

        assertThat(route.texts(5)).containsExactly("gap", "new");
        assertThat(route.batch(5).producerEpoch()).isEqualTo((short) 1);
        route.ok(5);
        assertThat(outcomes)
                .containsExactly("refused failed CORRUPT_BATCH", "doubtful stored", "gap stored", "new stored");
    }

    @Test
    void shouldTakeAnotherProducerIdAfterTheLastEpoch() {
        FakeRoute fresh = new FakeRoute();
        PartitionSender other = new PartitionSender(fresh, ADDRESS, new BatchPacker(Compression.NONE, 1_000_000), 3);
        other.send(message("a"));
        loop.run();
        fresh.giveIdentity(new ProducerIdentity(9, Short.MAX_VALUE));
        fresh.refuse(0, ErrorCode.OUT_OF_ORDER_SEQUENCE);

        assertThat(fresh.spent).isEqualTo(new ProducerIdentity(9, Short.MAX_VALUE));
        fresh.giveIdentity(new ProducerIdentity(10, (short) 0));

        assertThat(fresh.batch(1).producerId()).isEqualTo(10);
        assertThat(fresh.batch(1).producerEpoch()).isZero();
    }

    @Test
    void shouldHoldOthersBackWhileALargeBatchIsBeingTransferred() {
        send("x".repeat(400_000));
        send("small");
        assertThat(route.sent).hasSize(1);

        route.sent.get(0).sent().run();

        assertThat(route.texts(1)).containsExactly("small");
    }

    @Test
    void shouldRepeatALargeBatchBeforeTheOthers() {
        send("x".repeat(400_000));
        route.sent.get(0).sent().run();
        send("small");
        route.lose();
        route.comeBack(sender);
        route.locate(3);

        assertThat(route.sent).hasSize(3);
        assertThat(route.bytes(2)).isEqualTo(route.bytes(0));
        route.sent.get(2).sent().run();
        route.ok(2);
        assertThat(route.texts(3)).containsExactly("small");
    }

    @Test
    void shouldRefuseAMessageThatNoBatchCanHold() {
        PartitionSender small = new PartitionSender(route, ADDRESS, new BatchPacker(Compression.NONE, 1_000), 3);
        small.send(message("y".repeat(2_000)));
        small.send(message("fits"));
        loop.run();
        route.giveIdentity(new ProducerIdentity(11, (short) 0));

        assertThat(outcomes).hasSize(1);
        assertThat(outcomes.get(0)).endsWith("failed MESSAGE_TOO_LARGE");
        assertThat(route.texts(0)).containsExactly("fits");
    }

    @Test
    void shouldFailWhenTheDestinationWasDeletedMeanwhile() {
        send("a");
        route.lose();
        send("b");
        route.comeBack(sender);
        route.answerDescribe(new DestinationDescribed(
                1, new UUID(2, 2), "orders", DestinationKind.QUEUE, 1_000_000, List.of(leader(1))));

        assertThat(outcomes).containsExactly("a failed DESTINATION_NOT_FOUND", "b failed DESTINATION_NOT_FOUND");
        assertThat(sender.idle()).isTrue();
    }

    @Test
    void shouldFailEverythingInOrderWhenTheConnectionEnds() {
        for (int i = 1; i <= 7; i++) {
            send("m" + i);
        }

        sender.onClosed(new LinkClosedException("over"));

        assertThat(outcomes).hasSize(7).first().isEqualTo("m1 failed");
        assertThat(outcomes).last().isEqualTo("m7 failed");
        assertThat(loop.openTimers()).isZero();
    }

    @Test
    void shouldFailWhatWaitsForAnIdentityThatCannotBeHad() {
        FakeRoute fresh = new FakeRoute();
        PartitionSender other = new PartitionSender(fresh, ADDRESS, new BatchPacker(Compression.NONE, 1_000_000), 3);
        other.send(message("a"));
        loop.run();
        fresh.identityTakers.remove(0).onFailed(new RequestRefusedException(ErrorCode.NOT_AUTHORIZED, "no"));
        assertThat(outcomes).containsExactly("a failed NOT_AUTHORIZED");

        other.send(message("b"));
        loop.run();

        assertThat(fresh.identityTakers).hasSize(1);
    }

    private void send(String text) {
        sender.send(message(text));
        loop.run();
    }

    private OutgoingMessage message(String text) {
        return message(text, true);
    }

    private OutgoingMessage message(String text, boolean persistent) {
        EncodedMessage encoded = new EncodedMessage(
                1_000,
                Optional.empty(),
                Optional.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))),
                List.of());
        String name = text.length() > 20 ? text.substring(0, 1) : text;
        return new OutgoingMessage(encoded, 1, persistent, new SendListener() {
            @Override
            public void onStored() {
                outcomes.add(name + " stored");
            }

            @Override
            public void onFailed(LinkException why) {
                outcomes.add(name + " failed"
                        + (why instanceof RequestRefusedException refused ? " " + refused.code() : ""));
            }
        });
    }

    private static PartitionLeader leader(int epoch) {
        return new PartitionLeader(1, epoch, "localhost", 1);
    }

    /** The connection, as far as the sender sees it. */
    private final class FakeRoute implements SendRoute {

        record Sent(Send frame, Runnable sent, ReplyHandler handler) {}

        final List<Sent> sent = new ArrayList<>();
        final Set<Integer> open = new LinkedHashSet<>();
        final List<ReplyHandler> describes = new ArrayList<>();
        final List<IdentityTaker> identityTakers = new ArrayList<>();
        ProducerIdentity spent = new ProducerIdentity(-2, (short) 0);
        boolean up = true;

        @Override
        public boolean up() {
            return up;
        }

        @Override
        public void send(int session, IntFunction<Send> frame, Runnable whenSent, ReplyHandler handler) {
            sent.add(new Sent(frame.apply(sent.size()), whenSent, handler));
            open.add(sent.size() - 1);
        }

        @Override
        public int usableSession(int preferred) {
            return preferred;
        }

        @Override
        public void describe(PartitionAddress address, ReplyHandler handler) {
            describes.add(handler);
        }

        @Override
        public void identity(ProducerIdentity spentIdentity, IdentityTaker taker) {
            spent = spentIdentity;
            identityTakers.add(taker);
        }

        @Override
        public Loop loop() {
            return loop;
        }

        void giveIdentity(ProducerIdentity identity) {
            identityTakers.remove(0).onGiven(identity);
            loop.run();
        }

        void ok(int index) {
            open.remove(index);
            sent.get(index).handler().onAnswer(new SendOk(index, 1, 100, 3));
            loop.run();
        }

        void refuse(int index, ErrorCode code) {
            open.remove(index);
            sent.get(index).handler().onFailure(new RequestRefusedException(code, "scripted"));
            loop.run();
        }

        void lose() {
            up = false;
            List<Integer> lost = List.copyOf(open);
            open.clear();
            lost.forEach(index -> sent.get(index).handler().onFailure(new LinkLostException("scripted")));
            loop.run();
        }

        void comeBack(PartitionSender again) {
            up = true;
            again.onUp();
            loop.run();
        }

        void locate(int leaderEpoch) {
            answerDescribe(new DestinationDescribed(
                    1, LOG, "orders", DestinationKind.QUEUE, 1_000_000, List.of(leader(leaderEpoch))));
        }

        void answerDescribe(DestinationDescribed described) {
            assertThat(describes).hasSize(1);
            describes.remove(0).onAnswer(described);
            loop.run();
        }

        ByteBuffer bytes(int index) {
            return sent.get(index).frame().payload();
        }

        RecordBatch batch(int index) {
            RecordBatch batch = RecordBatch.at(bytes(index).slice(), 0);
            assertThat(batch.isCrcValid()).isTrue();
            return batch;
        }

        List<String> texts(int index) {
            List<String> texts = new ArrayList<>();
            try (RecordCursor records = batch(index).records()) {
                while (records.next()) {
                    texts.add(StandardCharsets.UTF_8.decode(records.value()).toString());
                }
            }
            return texts;
        }
    }
}
