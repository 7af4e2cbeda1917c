package io.millrace.jms.internal.session;

import static io.millrace.jms.internal.session.JmsHarness.get;
import static io.millrace.jms.internal.session.JmsHarness.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jms.internal.consumer.Deliveries;
import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.CloseSession;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PullDone;
import io.millrace.wire.frame.RefusedRanges;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.ReleasedRanges;
import io.millrace.wire.frame.SessionOpened;
import io.millrace.wire.frame.Subscribe;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceivingTest {

    private JmsHarness harness;
    private Session session;
    private Queue queue;
    private MessageConsumer consumer;
    private long acquisition;
    private long offset;

    @BeforeEach
    void open() throws JMSException {
        harness = new JmsHarness();
        harness.connection.start();
        open(Session.AUTO_ACKNOWLEDGE);
    }

    private void open(int mode) throws JMSException {
        session = harness.connection.createSession(mode);
        queue = session.createQueue("orders");
        consumer = session.createConsumer(queue);
    }

    @AfterEach
    void close() throws JMSException {
        harness.close();
    }

    // ---- receive ----

    @Test
    void shouldAskForOneMessageAndAcknowledgeItWhenReceiveReturns() throws ExecutionException {
        Future<String> receiving = receive(0);
        until(() -> !harness.server.received(Credit.class).isEmpty());
        assertThat(harness.server.received(Credit.class).get(0).messages()).isEqualTo(1);
        deliver("hello");

        assertThat(get(receiving)).isEqualTo("hello");
        until(() -> harness.server.received(Acknowledge.class).size() == 1);
        Acknowledge acknowledge = harness.server.received(Acknowledge.class).get(0);
        assertThat(acknowledge.durable()).isFalse();
        assertThat(acknowledge.items())
                .containsExactly(new AcknowledgedRanges(1, 0, 1, 1, List.of(new OffsetRange(0, 1))));
    }

    @Test
    void shouldReturnNullWhenTheTimeIsUpAndWantNothingAfterwards() throws ExecutionException {
        Future<String> receiving = receive(5_000);
        until(() -> !harness.server.received(Credit.class).isEmpty());
        harness.loop.advanceMs(4_999);
        assertThat(receiving).isNotDone();

        harness.loop.advanceMs(1);

        assertThat(get(receiving)).isEqualTo("nothing");
        until(() -> harness.server.received(Credit.class).size() == 2);
        assertThat(harness.server.received(Credit.class).get(1).messages()).isEqualTo(-1);
    }

    @Test
    void shouldFindAMessageThatTheServerHasWithoutWaiting() throws ExecutionException {
        harness.server.hold(Pull.class);
        Future<String> receiving = harness.async(() -> text(consumer.receiveNoWait()));
        Pull pull = harness.server.take(Pull.class);
        deliver("ready");
        harness.server.send(new PullDone(pull.corr(), pull.session(), pull.consumer(), 0, false));

        assertThat(get(receiving)).isEqualTo("ready");
    }

    @Test
    void shouldReturnNullWithoutWaitingWhenTheServerHasNothing() throws JMSException {
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(harness.server.received(Pull.class)).hasSize(1);
    }

    @Test
    void shouldNotMissAMessageBecauseTheTimeoutIsShorterThanTheWay() throws ExecutionException {
        harness.server.hold(Pull.class);
        Future<String> receiving = receive(1);
        Pull pull = harness.server.take(Pull.class);
        harness.loop.advanceMs(1);
        assertThat(receiving).isNotDone();
        deliver("ready");
        harness.server.send(new PullDone(pull.corr(), pull.session(), pull.consumer(), 0, false));

        assertThat(get(receiving)).isEqualTo("ready");
    }

    @Test
    void shouldEndAWaitingReceiveWithNullWhenTheConsumerIsClosed() throws JMSException, ExecutionException {
        Future<String> receiving = receive(0);
        until(() -> !harness.server.received(Credit.class).isEmpty());

        consumer.close();

        assertThat(get(receiving)).isEqualTo("nothing");
        assertThat(harness.server.received(CloseConsumer.class)).hasSize(1);
    }

    @Test
    void shouldEndAWaitingReceiveWithNullWhenTheConnectionIsClosed() throws JMSException, ExecutionException {
        Future<String> receiving = receive(0);
        until(() -> !harness.server.received(Credit.class).isEmpty());

        harness.connection.close();

        assertThat(get(receiving)).isEqualTo("nothing");
        assertThat(harness.server.received(CloseSession.class)).hasSize(1);
    }

    @Test
    void shouldReceiveNothingWhileTheConnectionIsStopped() throws JMSException, ExecutionException {
        harness.connection.stop();
        assertThat(consumer.receiveNoWait()).isNull();
        Future<String> receiving = receive(0);
        harness.loop.settle();
        assertThat(harness.server.received(Credit.class)).isEmpty();

        harness.connection.start();
        until(() -> !harness.server.received(Credit.class).isEmpty());
        deliver("now");

        assertThat(get(receiving)).isEqualTo("now");
    }

    @Test
    void shouldTellAWaitingReceiverAndTheListenerThatTheServerIsGoneForGood() {
        Future<String> receiving = receive(0);
        until(() -> !harness.server.received(Credit.class).isEmpty());
        harness.server.close();

        until(() -> {
            harness.loop.advanceMs(1_000);
            return receiving.isDone();
        });

        assertThatThrownBy(() -> get(receiving)).hasCauseInstanceOf(JMSException.class);
        until(() -> !harness.exceptions.isEmpty());
        harness.loop.advanceMs(60_000);
        assertThat(harness.exceptions).hasSize(1);
        assertThatThrownBy(() -> consumer.receive(10)).isInstanceOf(JMSException.class);
    }

    @Test
    void shouldGoOnReceivingAfterTheServerWasRestarted() throws ExecutionException {
        Future<String> receiving = receive(0);
        until(() -> !harness.server.received(Credit.class).isEmpty());

        harness.reconnect();
        until(() -> harness.server.received(OpenConsumer.class).size() == 2
                && harness.server.received(Credit.class).size() == 2);
        deliver("after the restart");

        assertThat(get(receiving)).isEqualTo("after the restart");
    }

    @Test
    void shouldNotHandOutWhatOthersMayHaveByNow() throws JMSException, ExecutionException {
        Future<String> receiving = receive(0);
        until(() -> !harness.server.received(Credit.class).isEmpty());
        deliver("one", "two");
        assertThat(get(receiving)).isEqualTo("one");

        // As after a SIGSTOP for longer than the server keeps the session: the clock has moved on, and nothing has run
        // meanwhile.
        harness.loop.time().advanceMs(3 * 3_600_000);

        assertThat(consumer.receiveNoWait()).isNull();
        harness.reconnect();
        until(() -> harness.server.received(OpenConsumer.class).size() == 2);
        deliver("three");
        assertThat(get(receive(0))).isEqualTo("three");
    }

    @Test
    void shouldNotKeepAConsumerThatWasOpenedTooLate() {
        harness.server.hold(OpenConsumer.class);
        Future<MessageConsumer> creating = harness.async(() -> session.createConsumer(queue));
        OpenConsumer late = harness.server.take(OpenConsumer.class);

        harness.loop.advanceMs(30_000);

        assertThatThrownBy(() -> get(creating)).hasCauseInstanceOf(JMSException.class);
        until(() -> harness.server.received(CloseConsumer.class).size() == 1);
        assertThat(harness.server.received(CloseConsumer.class).get(0).consumer())
                .isEqualTo(late.consumer());
    }

    // ---- CLIENT_ACKNOWLEDGE ----

    @Test
    void shouldAcknowledgeAllMessagesOfTheSessionByAnyOfThem() throws JMSException, ExecutionException {
        open(Session.CLIENT_ACKNOWLEDGE);
        List<Message> messages = receiveTwo();
        assertThat(harness.server.received(Acknowledge.class)).isEmpty();
        harness.server.hold(Acknowledge.class);

        Future<Object> acknowledging = harness.async(() -> {
            messages.get(0).acknowledge();
            return "done";
        });
        Acknowledge acknowledge = harness.server.take(Acknowledge.class);

        assertThat(acknowledge.durable()).isTrue();
        assertThat(acknowledge.items().get(0).ranges()).containsExactly(new OffsetRange(0, 2));
        assertThat(acknowledging).isNotDone();
        harness.server.send(new Acknowledged(acknowledge.corr(), acknowledge.session(), List.of()));
        get(acknowledging);
        messages.get(1).acknowledge();
        assertThat(harness.server.holds(Acknowledge.class))
                .as("nothing is left to acknowledge")
                .isFalse();
    }

    @Test
    void shouldSayThatAnAcknowledgementWasRefused() throws JMSException {
        open(Session.CLIENT_ACKNOWLEDGE);
        List<Message> messages = receiveTwo();
        harness.server.answer(
                Acknowledge.class,
                asked -> List.of(new Acknowledged(
                        asked.corr(),
                        asked.session(),
                        List.of(new RefusedRanges(1, 0, List.of(new OffsetRange(1, 1)))))));

        assertThatThrownBy(() -> messages.get(1).acknowledge())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("will be delivered again");
    }

    @Test
    void shouldSayThatTheServerWasRestartedBeforeTheAcknowledgement() throws JMSException {
        open(Session.CLIENT_ACKNOWLEDGE);
        List<Message> messages = receiveTwo();
        harness.reconnect();
        until(() -> harness.server.received(OpenConsumer.class).size() == 4);

        assertThatThrownBy(() -> messages.get(1).acknowledge())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("will be delivered again");
        assertThat(harness.server.received(Acknowledge.class)).isEmpty();
    }

    @Test
    void shouldAcknowledgeAfterAResumedSession() throws JMSException {
        harness.server.answer(
                OpenSession.class,
                open -> List.of(new SessionOpened(open.corr(), open.session(), harness.server.connectionCount() > 1)));
        open(Session.CLIENT_ACKNOWLEDGE);
        List<Message> messages = receiveTwo();
        harness.reconnect();
        until(() -> harness.server.received(OpenConsumer.class).size() == 4);

        messages.get(1).acknowledge();

        assertThat(harness.server.received(Acknowledge.class)).hasSize(1);
        OpenConsumer attached = harness.server.received(OpenConsumer.class).stream()
                .filter(open -> !open.held().isEmpty())
                .findFirst()
                .orElseThrow();
        assertThat(attached.held().get(0).ranges()).containsExactly(new OffsetRange(0, 2));
    }

    @Test
    void shouldGiveSeenAndUnreadMessagesBackWhenItRecovers() throws JMSException, ExecutionException {
        open(Session.CLIENT_ACKNOWLEDGE);
        receiveTwo();

        session.recover();

        List<Release> releases = harness.server.received(Release.class);
        assertThat(releases).hasSize(1);
        assertThat(releases.get(0).items())
                .containsExactly(new ReleasedRanges(1, List.of(new OffsetRange(0, 2)), true));
    }

    // ---- listeners ----

    @Test
    void shouldCallTheListenerAndAcknowledgeWhenItReturns() throws JMSException {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        consumer.setMessageListener(message -> log.add(text(message)));
        until(() -> !harness.server.received(Credit.class).isEmpty());

        deliver("a", "b");

        until(() -> log.size() == 2);
        assertThat(log).containsExactly("a", "b");
        until(() -> acknowledgedCount() == 2);
    }

    @Test
    void shouldGiveAMessageBackWhenItsListenerThrows() throws JMSException {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        MessageListener failing = message -> {
            log.add(text(message));
            throw new IllegalArgumentException("scripted");
        };
        consumer.setMessageListener(failing);
        until(() -> !harness.server.received(Credit.class).isEmpty());

        deliver("bad", "behind");
        until(() -> !harness.server.received(Release.class).isEmpty());

        assertThat(harness.server.received(Release.class).get(0).items())
                .containsExactly(
                        new ReleasedRanges(1, List.of(new OffsetRange(0, 1)), true),
                        new ReleasedRanges(1, List.of(new OffsetRange(1, 1)), false));
        assertThat(log).containsExactly("bad");
        assertThat(harness.server.received(Acknowledge.class)).isEmpty();
    }

    @Test
    void shouldNotAcknowledgeWhatItsListenerHasRecovered() throws JMSException {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        consumer.setMessageListener(message -> {
            try {
                session.recover();
                log.add("recovered");
            } catch (JMSException failed) {
                log.add(failed.toString());
            }
        });
        until(() -> !harness.server.received(Credit.class).isEmpty());

        deliver("a");

        until(() -> log.size() == 1);
        assertThat(log).containsExactly("recovered");
        assertThat(harness.server.received(Release.class).get(0).items().get(0).seen())
                .isTrue();
        harness.loop.settle();
        assertThat(harness.server.received(Acknowledge.class)).isEmpty();
    }

    @Test
    void shouldWaitForTheListenerWhenTheConnectionIsStopped() throws JMSException, ExecutionException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        consumer.setMessageListener(message -> {
            entered.countDown();
            awaitQuietly(leave);
        });
        until(() -> !harness.server.received(Credit.class).isEmpty());
        deliver("a", "b");
        awaitQuietly(entered);

        Future<Object> stopping = harness.async(() -> {
            harness.connection.stop();
            return "stopped";
        });
        until(() -> !harness.server.received(Release.class).isEmpty());
        assertThat(stopping).isNotDone();
        leave.countDown();

        get(stopping);
        until(() -> acknowledgedCount() == 1);
    }

    @Test
    void shouldRefuseWhatItsListenerMustNotDo() throws JMSException {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        consumer.setMessageListener(message -> {
            for (Call call : List.<Call>of(session::close, harness.connection::close, harness.connection::stop)) {
                log.add(refused(call));
            }
            log.add(refused(consumer::close));
        });
        until(() -> !harness.server.received(Credit.class).isEmpty());

        deliver("a");

        until(() -> log.size() == 4);
        assertThat(log).containsExactly("refused", "refused", "refused", "done");
        until(() -> acknowledgedCount() == 1);
    }

    @Test
    void shouldNotReceiveBesideAListener() throws JMSException {
        consumer.setMessageListener(message -> {});
        MessageConsumer other = session.createConsumer(queue);

        assertThatThrownBy(() -> other.receive(1)).isInstanceOf(IllegalStateException.class);
    }

    // ---- subscriptions ----

    @Test
    void shouldNeedAClientIdForAnUnsharedDurableSubscription() throws JMSException {
        Topic topic = session.createTopic("news");

        assertThatThrownBy(() -> session.createDurableConsumer(topic, "audit"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("client id");
        session.createSharedDurableConsumer(topic, "audit");
        session.createSharedConsumer(topic, "audit");

        List<Subscribe> subscribes = harness.server.received(Subscribe.class);
        assertThat(subscribes).extracting(Subscribe::durable).containsExactly(true, false);
        assertThat(subscribes).extracting(Subscribe::shared).containsExactly(true, true);
    }

    // ---- closed ----

    @Test
    void shouldThrowFromEveryMethodOfWhatIsClosed() throws JMSException {
        consumer.close();
        consumer.close();
        assertThat(refused(consumer::receiveNoWait)).isEqualTo("refused");
        assertThat(refused(consumer::getMessageSelector)).isEqualTo("refused");
        assertThat(refused(consumer::getMessageListener)).isEqualTo("refused");
        session.close();
        session.close();
        assertThat(refused(session::createTextMessage)).isEqualTo("refused");
        assertThat(refused(session::recover)).isEqualTo("refused");
        assertThat(refused(session::getAcknowledgeMode)).isEqualTo("refused");
        assertThat(refused(() -> session.createConsumer(queue))).isEqualTo("refused");
        harness.connection.close();
        harness.connection.close();
        assertThat(refused(harness.connection::start)).isEqualTo("refused");
        assertThat(refused(harness.connection::getClientID)).isEqualTo("refused");
        assertThat(refused(harness.connection::createSession)).isEqualTo("refused");
    }

    @Test
    void shouldGiveUnreadMessagesBackBeforeTheSessionIsClosed() throws JMSException, ExecutionException {
        Future<String> receiving = receive(0);
        until(() -> !harness.server.received(Credit.class).isEmpty());
        deliver("seen", "unread");
        get(receiving);

        session.close();

        List<Release> releases = harness.server.received(Release.class);
        assertThat(releases).hasSize(1);
        assertThat(releases.get(0).items())
                .containsExactly(new ReleasedRanges(1, List.of(new OffsetRange(1, 1)), false));
        int release = harness.server.received().indexOf(releases.get(0));
        int close = harness.server
                .received()
                .indexOf(harness.server.received(CloseSession.class).get(0));
        assertThat(release).isLessThan(close);
    }

    private interface Call {
        void run() throws JMSException;
    }

    private static String refused(Call call) {
        try {
            call.run();
            return "done";
        } catch (IllegalStateException refused) {
            return "refused";
        } catch (JMSException other) {
            return other.toString();
        }
    }

    private List<Message> receiveTwo() {
        Future<List<Message>> receiving = harness.async(() -> List.of(consumer.receive(), consumer.receive()));
        until(() -> !harness.server.received(Credit.class).isEmpty());
        deliver("first", "second");
        try {
            return get(receiving);
        } catch (ExecutionException failed) {
            throw new AssertionError(failed);
        }
    }

    private Future<String> receive(long timeoutMs) {
        return harness.async(() -> text(consumer.receive(timeoutMs)));
    }

    private static String text(@Nullable Message message) {
        try {
            return message == null ? "nothing" : ((TextMessage) message).getText();
        } catch (JMSException failed) {
            throw new AssertionError(failed);
        }
    }

    private void deliver(String... texts) {
        OpenConsumer open = newest(OpenConsumer.class);
        acquisition++;
        harness.server.send(Deliveries.records(open.session(), open.consumer(), acquisition, offset, texts));
        offset += texts.length;
    }

    private <F extends Frame> F newest(Class<F> type) {
        List<F> all = harness.server.received(type);
        return all.get(all.size() - 1);
    }

    private int acknowledgedCount() {
        return harness.server.received(Acknowledge.class).stream()
                .flatMap(frame -> frame.items().stream())
                .flatMap(item -> item.ranges().stream())
                .mapToInt(OffsetRange::count)
                .sum();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
