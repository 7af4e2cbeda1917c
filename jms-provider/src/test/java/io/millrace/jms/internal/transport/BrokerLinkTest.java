package io.millrace.jms.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AllocateProducerId;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ConsumerClosed;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Heartbeat;
import io.millrace.wire.frame.HeartbeatOk;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.LoginChallenge;
import io.millrace.wire.frame.LoginOk;
import io.millrace.wire.frame.ProducerIdAllocated;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.TransferBegin;
import io.millrace.wire.frame.TransferGrant;
import io.millrace.wire.login.CredentialLookup;
import io.millrace.wire.login.LoginStep;
import io.millrace.wire.login.ScramCredential;
import io.millrace.wire.login.ScramHash;
import io.millrace.wire.login.ServerLogin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BrokerLinkTest {

    private LinkHarness harness = new LinkHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldIntroduceItselfAndLogIn() {
        connect();

        assertThat(harness.server.received()).hasSize(2);
        assertThat(harness.server.received().get(0)).isEqualTo(new Hello(new UUID(1, 2), "millrace-jms", "test"));
        assertThat(harness.server.received().get(1)).isInstanceOf(Login.class);
    }

    @Test
    void shouldNotWaitForAnswersThatAllowNothingElse() {
        harness.server.hold(Hello.class);
        harness.open();

        await().until(() -> harness.server.received().size() == 2);

        assertThat(harness.server.received().get(1)).isInstanceOf(Login.class);
    }

    @Test
    void shouldMatchAnswersToRequestsInAnyOrder() {
        connect();
        harness.server.hold(AllocateProducerId.class);
        Replies first = ask();
        Replies second = ask();
        int firstCorr = harness.server.take(AllocateProducerId.class).corr();
        int secondCorr = harness.server.take(AllocateProducerId.class).corr();

        harness.server.send(new ProducerIdAllocated(secondCorr, 22, (short) 0));
        harness.server.send(new ProducerIdAllocated(firstCorr, 11, (short) 0));
        harness.server.send(new Done(9_999, 0)); // nobody asked

        await().until(() -> first.size() + second.size() == 2);
        assertThat(first.log)
                .containsExactly("answer ProducerIdAllocated[corr=" + firstCorr + ", producerId=11, epoch=0]");
        assertThat(second.log)
                .containsExactly("answer ProducerIdAllocated[corr=" + secondCorr + ", producerId=22, epoch=0]");
    }

    @Test
    void shouldHandOnAFailure() {
        connect();
        harness.server.answer(
                AllocateProducerId.class,
                asked -> List.of(new Failure(asked.corr(), 0, ErrorCode.NOT_AUTHORIZED, "not you")));

        Replies replies = ask();

        await().until(() -> replies.size() == 1);
        assertThat(replies.log).containsExactly("RequestRefusedException not you");
    }

    @Test
    void shouldFailOpenRequestsWhenTheSocketIsLostAndRepeatOnlyThoseThatMayBeRepeated() {
        connect();
        harness.server.hold(AllocateProducerId.class);
        Replies once = ask();
        Replies again = new Replies();
        harness.loop.execute(() -> harness.link.askWhenReady(AllocateProducerId::new, again));
        harness.server.take(AllocateProducerId.class);
        harness.server.take(AllocateProducerId.class);

        harness.server.breakConnections();
        awaitEvents("up", "down");
        assertThat(once.log).hasSize(1).first().asString().startsWith("LinkLostException");
        harness.server.release(AllocateProducerId.class);
        harness.loop.advanceMs(100);

        awaitEvents("up", "down", "up");
        await().until(() -> again.size() == 1);
        assertThat(again.log.get(0)).startsWith("answer ProducerIdAllocated");
        assertThat(harness.server.received(AllocateProducerId.class)).hasSize(3);
    }

    @Test
    void shouldAskNothingBeforeItsStateIsTakenUpAgain() {
        harness.resumeAtOnce = false;
        connect();
        Replies waiting = new Replies();
        harness.loop.execute(() -> harness.link.askWhenReady(AllocateProducerId::new, waiting));
        harness.loop.settle();
        assertThat(harness.server.received(AllocateProducerId.class)).isEmpty();

        harness.loop.execute(harness.link::resumed);

        await().until(() -> waiting.size() == 1);
    }

    @Test
    void shouldWaitLongerBetweenAttemptsAndGiveUpInTheEnd() {
        connect();
        harness.server.close();
        awaitEvents("up", "down");

        // 100, 200, 400, 800, then 1,000 ms, each shortened by up to a half: 29 s are not enough, 31 s are.
        harness.loop.advanceMs(29_000);
        assertThat(harness.events).containsExactly("up", "down");
        for (int i = 0; i < 50 && harness.end.get() == null; i++) {
            harness.loop.advanceMs(100);
            settleSockets();
        }

        awaitEvents("up", "down", "closed");
        assertThat(harness.end.get()).isInstanceOf(LinkClosedException.class).hasMessageContaining("within 30000 ms");
        Replies late = ask();
        await().until(() -> late.size() == 1);
        assertThat(late.log.get(0)).startsWith("LinkClosedException");
    }

    @Test
    void shouldTakeASilentServerForDead() {
        connect();
        harness.server.answer(Heartbeat.class, beat -> List.of());

        harness.loop.advanceMs(9_999);
        settleSockets();
        assertThat(harness.events).containsExactly("up");
        harness.loop.advanceMs(5_002);

        awaitEvents("up", "down");
        assertThat(harness.server.received(Heartbeat.class)).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldStayAsLongAsHeartbeatsAreAnswered() {
        connect();
        for (int i = 1; i <= 12; i++) {
            int expected = i;
            harness.loop.advanceMs(5_000);
            await().until(() -> harness.server.received(Heartbeat.class).size() == expected);
            settleSockets();
        }

        assertThat(harness.events).containsExactly("up");
    }

    @Test
    void shouldNotCountOnWhatWasLentWhenTheServerWasNotHeardForAsLongAsItKeepsASession() {
        connect();
        harness.server.answer(Heartbeat.class, beat -> List.of());
        assertThat(harness.link.holdsLent()).isTrue();

        // As after a SIGSTOP: the clock has moved on, and nothing has run meanwhile.
        harness.loop.time().advanceMs(14_999);
        assertThat(harness.link.holdsLent()).isTrue();
        harness.loop.time().advanceMs(1);

        assertThat(harness.link.holdsLent()).isFalse();
    }

    @Test
    void shouldCountOnWhatWasLentAgainWhenTheServerAnswersAHeartbeatThatWasSentAfterwards() {
        connect();
        harness.server.hold(Heartbeat.class);
        harness.loop.advanceMs(5_000);
        Heartbeat before = harness.server.take(Heartbeat.class);
        harness.loop.time().advanceMs(16_000);
        harness.server.send(new HeartbeatOk(before.clientNanos(), 1_800_000_000_000L));
        // Frames come in order: once this one is here, the answer ahead of it was read.
        harness.server.send(new ConsumerClosed(1, 0, 0, ErrorCode.SHUTTING_DOWN, "behind the answer"));
        await().until(() -> !harness.frames.isEmpty());
        assertThat(harness.link.holdsLent())
                .as("an old answer that lay in the socket says nothing about now")
                .isFalse();
        int lentBefore = harness.lent.get();

        harness.server.release(Heartbeat.class);
        harness.loop.advanceMs(5_000);

        await().until(() -> harness.lent.get() == lentBefore + 1);
        assertThat(harness.link.holdsLent()).isTrue();
        assertThat(harness.events).containsExactly("up");
    }

    @Test
    void shouldNotCountOnWhatWasLentWhileItsStateIsNotTakenUpAgain() {
        connect();
        assertThat(harness.link.holdsLent()).isTrue();
        harness.resumeAtOnce = false;
        harness.server.breakConnections();
        awaitEvents("up", "down");
        assertThat(harness.link.holdsLent()).isFalse();
        harness.loop.advanceMs(100);
        awaitEvents("up", "down", "up");
        assertThat(harness.link.holdsLent()).isFalse();

        harness.loop.execute(harness.link::resumed);

        await().until(() -> harness.lent.get() == 2);
        assertThat(harness.link.holdsLent()).isTrue();
    }

    @Test
    void shouldFollowTheClockOfTheServer() {
        connect();
        assertThat(harness.clock.nowMs()).isEqualTo(1_800_000_000_000L);

        harness.loop.time().advanceMs(1_234);
        harness.loop.time().jumpWallClockMs(-3_600_000);

        assertThat(harness.clock.nowMs()).isEqualTo(1_800_000_001_234L);
    }

    @Test
    void shouldNotTrustAClockThatWasToldLate() {
        connect();
        harness.server.answer(
                Heartbeat.class,
                beat -> List.of(new HeartbeatOk(beat.clientNanos() - 4_000_000_000L, 1_900_000_000_000L)));
        harness.loop.advanceMs(5_000);
        await().until(() -> harness.server.received(Heartbeat.class).size() == 1);
        settleSockets();

        assertThat(harness.clock.nowMs()).isEqualTo(1_800_000_005_000L);
    }

    @Test
    void shouldConnectAgainAfterAGoodbye() {
        connect();
        harness.server.send(new Goodbye(ErrorCode.SHUTTING_DOWN, "back soon"));
        awaitEvents("up", "down");

        harness.loop.advanceMs(100);

        awaitEvents("up", "down", "up");
        assertThat(harness.server.connectionCount()).isEqualTo(2);
    }

    @Test
    void shouldTryTheNextAddressAtFirst() throws IOException {
        harness.close();
        int deadPort;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            deadPort = free.getLocalPort();
        }
        harness = new LinkHarness(Optional.empty(), List.of(new ServerAddress("127.0.0.1", deadPort)));

        connect();

        assertThat(harness.server.connectionCount()).isEqualTo(1);
    }

    @Test
    void shouldGiveUpAtOnceWhenNoAddressAnswersAtFirst() {
        harness.server.close();
        harness.open();

        awaitEvents("closed");
        assertThat(harness.end.get())
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("Cannot connect to 127.0.0.1:");
    }

    @Test
    void shouldGiveUpOnAServerThatAcceptsAndSaysNothing() {
        harness.server.fallSilent();
        harness.open();
        await().until(() -> harness.server.connectionCount() == 1);

        harness.loop.advanceMs(10_000);

        awaitEvents("closed");
        assertThat(harness.end.get()).isInstanceOf(ConnectException.class).hasMessageContaining("within 10000 ms");
    }

    @Test
    void shouldNotRepeatALoginThatWasRefused() {
        connect();
        harness.server.answer(Login.class, login -> List.of(new Failure(0, 0, ErrorCode.AUTHENTICATION_FAILED, "no")));
        harness.server.breakConnections();
        awaitEvents("up", "down");

        harness.loop.advanceMs(100);

        awaitEvents("up", "down", "closed");
        assertThat(harness.server.connectionCount()).isEqualTo(2);
    }

    @Test
    void shouldLogInByScram() {
        harness.close();
        harness = new LinkHarness(Optional.of(new UserPassword("ann", "secret")), List.of());
        scriptScram("secret");

        connect();

        assertThat(harness.server.received(Login.class)).hasSize(2);
    }

    @Test
    void shouldSayWhichLoginFailed() {
        harness.close();
        harness = new LinkHarness(Optional.of(new UserPassword("ann", "wrong")), List.of());
        scriptScram("secret");

        harness.open();

        awaitEvents("closed");
        assertThat(harness.end.get())
                .isInstanceOfSatisfying(
                        ConnectException.class,
                        why -> assertThat(why.code()).contains(ErrorCode.AUTHENTICATION_FAILED));
    }

    @Test
    void shouldAskForAUserIfTheServerWantsOne() {
        harness.server.mechanisms("SCRAM-SHA-512", "PLAIN");
        harness.open();

        awaitEvents("closed");
        assertThat(harness.end.get()).hasMessageContaining("it wants a user and a password");
    }

    @Test
    void shouldSendALargeFrameAsATransferThatOthersMayOvertake() {
        connect();
        harness.server.hold(TransferBegin.class);
        Replies large = new Replies();
        List<String> sent = Collections.synchronizedList(new ArrayList<>());
        byte[] batch = new byte[700_000];
        new SplittableRandom(3).nextBytes(batch);
        harness.loop.execute(() -> harness.link.ask(
                corr -> new Send(corr, 1, new UUID(3, 3), 0, 1, SendAnswer.REPLICATED, ByteBuffer.wrap(batch)),
                () -> sent.add("large"),
                large));
        TransferBegin begin = harness.server.take(TransferBegin.class);
        assertThat(begin.totalBytes()).isEqualTo(700_000 + 34);
        harness.loop.execute(() -> harness.link.tell(new Credit(1, 1, 0, 1, 1)));
        await().until(() -> harness.server.received(Credit.class).size() == 1);
        assertThat(sent).isEmpty();

        harness.server.send(new TransferGrant(begin.transferId()));

        await().until(() -> large.size() == 1);
        assertThat(sent).containsExactly("large");
        assertThat(harness.server.received(Send.class).get(0).payload()).isEqualTo(ByteBuffer.wrap(batch));
    }

    @Test
    void shouldEndInOrderWhenItIsClosed() {
        connect();
        harness.server.hold(AllocateProducerId.class);
        Replies open = ask();
        harness.server.take(AllocateProducerId.class);

        CompletableFuture<Void> gone = harness.closeLink("enough");

        awaitEvents("up", "closed");
        assertThat(open.log.get(0)).startsWith("LinkClosedException");
        await().until(() ->
                harness.server.received(Goodbye.class).equals(List.of(new Goodbye(ErrorCode.NONE, "enough"))));
        await().until(gone::isDone);
        assertThat(harness.loop.openTimers()).isZero();
    }

    @Test
    void shouldNotWaitLongForAServerThatDoesNotAnswerAGoodbye() {
        connect();
        harness.server.fallSilent();
        CompletableFuture<Void> gone = harness.closeLink("enough");
        harness.loop.settle();
        assertThat(gone).isNotDone();

        harness.loop.advanceMs(2_000);

        assertThat(gone).isCompleted();
    }

    private void scriptScram(String password) {
        ScramCredential credential = ScramCredential.derive(ScramHash.SHA_512, password, new byte[16], 4_096);
        CredentialLookup users = (user, hash) -> Optional.of(credential);
        ServerLogin exchange = ServerLogin.scram(ScramHash.SHA_512, users, new SplittableRandom(2), new byte[16]);
        harness.server.mechanisms("SCRAM-SHA-512", "PLAIN");
        harness.server.answer(Login.class, login -> {
            LoginStep step = exchange.onData(login.data());
            if (step instanceof LoginStep.Challenge challenge) {
                return List.of(new LoginChallenge(challenge.data()));
            }
            return step instanceof LoginStep.Accepted accepted
                    ? List.of(new LoginOk(accepted.principal(), accepted.data()))
                    : List.of(new Failure(0, 0, ErrorCode.AUTHENTICATION_FAILED, "who are you"));
        });
    }

    private void connect() {
        harness.open();
        awaitEvents("up");
    }

    private void awaitEvents(String... expected) {
        await().untilAsserted(() -> assertThat(harness.events).containsExactly(expected));
    }

    private Replies ask() {
        Replies replies = new Replies();
        harness.loop.execute(() -> harness.link.ask(AllocateProducerId::new, replies));
        return replies;
    }

    /** Lets connection attempts and answers that are on the wire arrive. */
    private void settleSockets() {
        harness.loop.settle();
    }

    private static final class Replies implements ReplyHandler {

        final List<String> log = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void onAnswer(AnswerFrame answer) {
            log.add("answer " + answer);
        }

        @Override
        public void onFailure(LinkException failure) {
            log.add(failure.getClass().getSimpleName() + " " + failure.getMessage());
        }

        int size() {
            return log.size();
        }
    }
}
