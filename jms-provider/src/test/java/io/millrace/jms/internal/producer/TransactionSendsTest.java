package io.millrace.jms.internal.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.jms.internal.transport.StepLoop;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.message.EncodedMessage;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What a session sends in one transaction. */
class TransactionSendsTest {

    private static final UUID LOG = new UUID(1, 1);
    private static final PartitionAddress ORDERS = new PartitionAddress("orders", DestinationKind.QUEUE, LOG, 0);
    private static final PartitionAddress OTHERS = new PartitionAddress("orders", DestinationKind.QUEUE, LOG, 1);
    private static final TransactionIdentity IDENTITY = new TransactionIdentity(9, (short) 2);
    private static final int MAX_BYTES = 1_000_000;

    private final StepLoop loop = new StepLoop();
    private final List<Asked> asked = new ArrayList<>();
    private final List<String> outcomes = new ArrayList<>();
    private final SessionRequests requests = new SessionRequests() {
        @Override
        public void ask(int session, IntFunction<? extends RequestFrame> frame, Runnable sent, ReplyHandler handler) {
            asked.add(new Asked((Send) frame.apply(asked.size() + 1), sent, handler));
        }

        @Override
        public int usable(int preferred) {
            return preferred;
        }
    };
    private final TransactionSends sends = new TransactionSends(loop, requests, 3, Compression.NONE);

    private record Asked(Send frame, Runnable sent, ReplyHandler handler) {
        RecordBatch batch() {
            return RecordBatch.at(frame.payload(), 0);
        }

        void ok() {
            handler.onAnswer(new SendOk(frame.corr(), 3, 0, 0));
        }
    }

    private void send(PartitionAddress address, String text) {
        send(address, text, text.getBytes(StandardCharsets.UTF_8));
    }

    private void send(PartitionAddress address, String name, byte[] value) {
        EncodedMessage encoded =
                new EncodedMessage(1_000, Optional.empty(), Optional.of(ByteBuffer.wrap(value)), List.of());
        sends.send(address, MAX_BYTES, 5, new OutgoingMessage(encoded, 3, true, new SendListener() {
            @Override
            public void onStored() {
                outcomes.add(name + " stored");
            }

            @Override
            public void onFailed(LinkException why) {
                outcomes.add(name + " failed");
            }
        }));
    }

    @Test
    void shouldWaitForTheIdentityAndThenSendTransactionalBatches() {
        send(ORDERS, "a");
        send(ORDERS, "b");
        send(OTHERS, "c");
        loop.run();
        assertThat(asked).isEmpty();
        assertThat(sends.isUsed()).isTrue();
        assertThat(sends.isBegun()).isFalse();

        sends.begin(IDENTITY);

        assertThat(asked).hasSize(2);
        assertThat(asked).allSatisfy(one -> {
            assertThat(one.batch().isTransactional()).isTrue();
            assertThat(one.batch().producerId()).isEqualTo(9);
            assertThat(one.batch().producerEpoch()).isEqualTo((short) 2);
            assertThat(one.batch().baseSequence()).isZero();
            assertThat(one.frame().answer()).isEqualTo(SendAnswer.WRITTEN);
        });
        assertThat(asked.get(0).batch().lastOffsetDelta()).isEqualTo(1);
    }

    @Test
    void shouldPackWhatComesWhileFiveAreUnansweredAndSendAllWhenItEnds() {
        sends.begin(IDENTITY);
        for (int i = 0; i < 8; i++) {
            send(ORDERS, "m" + i);
            loop.run();
        }
        assertThat(asked).hasSize(5);

        List<String> done = new ArrayList<>();
        sends.transmitAll(() -> done.add("transmitted"));

        assertThat(done).containsExactly("transmitted");
        assertThat(asked).hasSize(6);
        assertThat(asked.get(5).batch().baseSequence()).isEqualTo(5);
        assertThat(asked.get(5).batch().lastOffsetDelta()).isEqualTo(2);
        asked.get(0).ok();
        assertThat(outcomes).containsExactly("m0 stored");
    }

    @Test
    void shouldEndOnlyWhenTheLastPieceOfATransferIsSent() {
        sends.begin(IDENTITY);
        send(ORDERS, "large", new byte[400_000]);
        send(ORDERS, "behind", new byte[400_000]);
        loop.run();
        List<String> done = new ArrayList<>();
        sends.transmitAll(() -> done.add("transmitted"));
        assertThat(asked).hasSize(1);
        assertThat(done).isEmpty();

        asked.get(0).sent().run();
        assertThat(asked).hasSize(2);
        assertThat(done).isEmpty();
        asked.get(1).sent().run();

        assertThat(done).containsExactly("transmitted");
    }

    @Test
    void shouldFailAsAWholeWithTheFirstMessageThatIsNotStored() {
        sends.begin(IDENTITY);
        send(ORDERS, "a");
        loop.run();
        send(ORDERS, "b");
        loop.run();

        asked.get(0).handler().onFailure(new RequestRefusedException(ErrorCode.DISK_FULL, "the disk is full"));
        asked.get(1).ok();
        send(ORDERS, "c");
        loop.run();

        assertThat(outcomes).containsExactly("a failed", "b failed", "c failed");
        assertThat(asked).hasSize(2);
        assertThat(sends.failure()).hasValueSatisfying(why -> assertThat(why).hasMessage("the disk is full"));
    }

    @Test
    void shouldRepeatNothingAfterALostConnection() {
        sends.begin(IDENTITY);
        send(ORDERS, "a");
        loop.run();
        asked.get(0).handler().onFailure(new LinkLostException("the socket is gone"));
        loop.run();

        assertThat(asked).hasSize(1);
        assertThat(outcomes).containsExactly("a failed");
        assertThat(sends.failure()).isPresent();
    }
}
