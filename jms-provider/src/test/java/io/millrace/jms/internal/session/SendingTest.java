package io.millrace.jms.internal.session;

import static io.millrace.jms.internal.session.JmsHarness.get;
import static io.millrace.jms.internal.session.JmsHarness.texts;
import static io.millrace.jms.internal.session.JmsHarness.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ClaimClientId;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SendingTest {

    private JmsHarness harness;
    private Session session;
    private Queue queue;
    private MessageProducer producer;

    @BeforeEach
    void open() throws JMSException {
        open("");
    }

    private void open(String options) throws JMSException {
        harness = new JmsHarness(options);
        session = harness.connection.createSession();
        queue = session.createQueue("orders");
        producer = session.createProducer(queue);
    }

    @AfterEach
    void close() throws JMSException {
        harness.close();
    }

    @Test
    void shouldReturnFromAPersistentSendWhenTheServerHasAnswered() throws JMSException, ExecutionException {
        harness.server.hold(Send.class);
        TextMessage message = session.createTextMessage("hello");
        Future<Object> sending = send(message);
        Send send = harness.server.take(Send.class);

        assertThat(sending).isNotDone();
        assertThat(send.answer()).isEqualTo(SendAnswer.REPLICATED);
        assertThat(texts(send)).containsExactly("hello");
        ok(send);

        get(sending);
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        assertThat(message.getJMSTimestamp()).isEqualTo(1_800_000_000_000L);
        assertThat(message.getJMSDestination()).isEqualTo(queue);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    }

    @Test
    void shouldNotWaitForNonPersistentSendsAndTellTheirFailures() throws JMSException {
        harness.server.hold(Send.class);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.send(session.createTextMessage("fast"));
        Send send = harness.server.take(Send.class);
        assertThat(send.answer()).isEqualTo(SendAnswer.WRITTEN);
        assertThat(harness.exceptions).isEmpty();

        refuse(send, ErrorCode.DISK_FULL);

        until(() -> harness.exceptions.size() == 1);
        assertThat(harness.exceptions.get(0)).isInstanceOf(ResourceAllocationException.class);
    }

    @Test
    void shouldThrowWhenTheServerRefusesAndGoOnUnderTheNextEpoch() throws JMSException, ExecutionException {
        harness.server.hold(Send.class);
        Future<Object> first = send(session.createTextMessage("refused"));
        refuse(harness.server.take(Send.class), ErrorCode.CORRUPT_BATCH);
        assertThatThrownBy(() -> get(first))
                .hasCauseInstanceOf(JMSException.class)
                .hasMessageContaining("scripted");

        Future<Object> second = send(session.createTextMessage("accepted"));
        Send send = harness.server.take(Send.class);
        assertThat(texts(send)).containsExactly("accepted");
        ok(send);

        get(second);
    }

    @Test
    void shouldGiveUpWaitingAfterTheSendTimeout() throws JMSException {
        harness.server.hold(Send.class);
        Future<Object> sending = send(session.createTextMessage("slow"));
        Send send = harness.server.take(Send.class);

        harness.loop.advanceMs(29_999);
        assertThat(sending).isNotDone();
        harness.loop.advanceMs(1);

        assertThatThrownBy(() -> get(sending))
                .hasCauseInstanceOf(JMSException.class)
                .hasMessageContaining("not answered within 30000 ms; it may still be done");
        ok(send);
    }

    @Test
    void shouldSendTheUnansweredAgainAndNothingElseAfterAReconnect() throws JMSException, ExecutionException {
        producer.send(session.createTextMessage("the first goes alone"));
        harness.server.hold(Send.class);
        Recorder recorder = new Recorder();
        List<Send> sent = new ArrayList<>();
        for (String text : List.of("a", "b", "c")) {
            producer.send(session.createTextMessage(text), recorder);
            sent.add(harness.server.take(Send.class));
        }
        ok(sent.get(0));
        until(() -> recorder.log.size() == 1);

        harness.reconnect();
        Send again1 = harness.server.take(Send.class);
        ok(again1);
        Send again2 = harness.server.take(Send.class);

        assertThat(again1.payload()).isEqualTo(sent.get(1).payload());
        assertThat(again2.payload()).isEqualTo(sent.get(2).payload());
        Future<Object> next = send(session.createTextMessage("d"));
        Send fresh = harness.server.take(Send.class);
        assertThat(texts(fresh)).containsExactly("d");
        ok(again2);
        ok(fresh);
        get(next);
        until(() -> recorder.log.size() == 3);
        assertThat(recorder.log).containsExactly("a completed", "b completed", "c completed");
        assertThat(harness.server.received(Send.class)).hasSize(7);
    }

    @Test
    void shouldTakeUpClientIdAndSessionsBeforeItSendsAgain() throws JMSException, ExecutionException {
        harness.close();
        harness = new JmsHarness();
        harness.connection.setClientID("payroll");
        session = harness.connection.createSession();
        producer = session.createProducer(session.createQueue("orders"));
        harness.server.hold(Send.class);
        Future<Object> sending = send(session.createTextMessage("a"));
        harness.server.take(Send.class);
        int before = harness.server.received().size();

        harness.reconnect();
        ok(harness.server.take(Send.class));
        get(sending);

        assertThat(harness.server.receivedSince(before).stream()
                        .map(frame -> frame.getClass().getSimpleName())
                        .filter(name -> !name.startsWith("Heartbeat")))
                .containsExactly("Hello", "Login", "ClaimClientId", "OpenSession", "DescribeDestination", "Send");
        assertThat(harness.server.received(ClaimClientId.class)).hasSize(2);
        assertThat(harness.server.received(OpenSession.class).stream()
                        .map(OpenSession::sessionUuid)
                        .distinct())
                .hasSize(1);
    }

    @Test
    void shouldTellFailuresOfAsyncSendsInOrder() throws JMSException {
        producer.send(session.createTextMessage("the first goes alone"));
        harness.server.hold(Send.class);
        Recorder recorder = new Recorder();
        List<Send> sent = new ArrayList<>();
        for (String text : List.of("a", "b")) {
            producer.send(session.createTextMessage(text), recorder);
            sent.add(harness.server.take(Send.class));
        }

        refuse(sent.get(0), ErrorCode.MESSAGE_TOO_LARGE);
        refuse(sent.get(1), ErrorCode.OUT_OF_ORDER_SEQUENCE);
        ok(harness.server.take(Send.class));

        until(() -> recorder.log.size() == 2);
        assertThat(recorder.log).containsExactly("a failed message_too_large", "b completed");
    }

    @Test
    void shouldWaitForAsyncSendsWhenTheSessionIsClosed() throws JMSException, ExecutionException {
        harness.server.hold(Send.class);
        Recorder recorder = new Recorder();
        producer.send(session.createTextMessage("a"), recorder);
        Send send = harness.server.take(Send.class);

        Future<Object> closing = harness.async(() -> {
            session.close();
            return List.copyOf(recorder.log);
        });
        harness.loop.settle();
        assertThat(closing).isNotDone();
        ok(send);

        assertThat(get(closing)).isEqualTo(List.of("a completed"));
    }

    @Test
    void shouldNotBeClosedByItsOwnCompletionListener() throws JMSException {
        AtomicReference<Object> outcome = new AtomicReference<>();
        producer.send(session.createTextMessage("a"), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                List<String> refused = new ArrayList<>();
                for (Closing closing : List.<Closing>of(producer::close, session::close, harness.connection::close)) {
                    try {
                        closing.close();
                    } catch (IllegalStateException forbidden) {
                        refused.add("refused");
                    } catch (JMSException other) {
                        refused.add(other.toString());
                    }
                }
                outcome.set(refused);
            }

            @Override
            public void onException(Message message, Exception exception) {
                outcome.set(exception);
            }
        });

        until(() -> outcome.get() != null);
        assertThat(outcome.get()).isEqualTo(List.of("refused", "refused", "refused"));
    }

    private interface Closing {
        void close() throws JMSException;
    }

    @Test
    void shouldWaitForRoomWhenTooMuchIsOnItsWay() throws JMSException, ExecutionException {
        harness.close();
        open("?sendBuffer=1000");
        harness.server.hold(Send.class);
        Recorder recorder = new Recorder();
        BytesMessage large = session.createBytesMessage();
        large.writeBytes(new byte[900]);
        producer.send(large, recorder);
        Send first = harness.server.take(Send.class);

        Future<Object> second = harness.async(() -> {
            producer.send(large, recorder);
            return "sent";
        });
        harness.loop.settle();
        assertThat(second).isNotDone();
        assertThat(harness.server.holds(Send.class)).isFalse();
        ok(first);

        get(second);
        ok(harness.server.take(Send.class));
    }

    @Test
    void shouldSendALargeMessageInATransfer() throws JMSException, ExecutionException {
        BytesMessage large = session.createBytesMessage();
        large.writeBytes(new byte[3_000_000]);

        get(send(large));

        assertThat(harness.server.received(Send.class).get(0).payload().remaining())
                .isGreaterThan(3_000_000);
    }

    @Test
    void shouldRefuseAMessageAboveTheLimitOfTheDestinationBeforeItSendsIt() throws JMSException, ExecutionException {
        BytesMessage tooLarge = session.createBytesMessage();
        tooLarge.writeBytes(new byte[8_000_000]);

        assertThatThrownBy(() -> producer.send(tooLarge))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("takes at most 8000000");
        get(send(session.createTextMessage("the session goes on")));

        assertThat(harness.server.received(Send.class)).hasSize(1);
    }

    @Test
    void shouldAskAgainForADestinationThatWasDeleted() throws JMSException, ExecutionException {
        harness.server.hold(Send.class);
        Future<Object> first = send(session.createTextMessage("a"));
        refuse(harness.server.take(Send.class), ErrorCode.DESTINATION_NOT_FOUND);
        assertThatThrownBy(() -> get(first)).hasCauseInstanceOf(InvalidDestinationException.class);
        int before = harness.server.received(DescribeDestination.class).size();

        Future<Object> second = send(session.createTextMessage("b"));
        ok(harness.server.take(Send.class));
        get(second);

        assertThat(harness.server.received(DescribeDestination.class)).hasSize(before + 1);
    }

    @Test
    void shouldRefuseAQueueThatIsATopic() {
        harness.server.answer(
                DescribeDestination.class,
                asked -> List.of(new Failure(asked.corr(), 0, ErrorCode.WRONG_DESTINATION_KIND, "news is a topic")));

        assertThatThrownBy(() -> session.createProducer(session.createQueue("news")))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessage("news is a topic");
    }

    @Test
    void shouldFollowTheRulesOfSendWithAndWithoutDestination() throws JMSException {
        MessageProducer free = session.createProducer(null);
        Message message = session.createMessage();

        assertThatThrownBy(() -> free.send(message)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> free.send(null, message)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> producer.send(queue, message)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> producer.send(null)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> producer.send(message, (CompletionListener) null))
                .isInstanceOf(IllegalArgumentException.class);
        free.send(queue, message);
        assertThat(harness.server.received(Send.class)).hasSize(1);
    }

    @Test
    void shouldSayWhatComesLaterAndGoOn() throws JMSException {
        Message message = session.createMessage();

        assertThatThrownBy(() -> producer.setPriority(5))
                .hasMessageContaining("Priorities other than 4 are not part of this version");
        assertThatThrownBy(() -> producer.setTimeToLive(1)).hasMessageContaining("a later version brings them");
        assertThatThrownBy(() -> producer.setDeliveryDelay(1)).hasMessageContaining("Delivery delays");
        assertThatThrownBy(() -> producer.send(message, DeliveryMode.PERSISTENT, 9, 0))
                .hasMessageContaining("Priorities");
        assertThatThrownBy(() -> producer.send(message, DeliveryMode.PERSISTENT, 4, 1_000))
                .hasMessageContaining("expire");
        assertThatThrownBy(() -> producer.send(message, 7, 4, 0)).hasMessageContaining("no delivery mode 7");
        assertThatThrownBy(() -> producer.setPriority(10)).hasMessageContaining("within 0 to 9");
        assertThatThrownBy(() -> harness.connection.createSession(false, Session.SESSION_TRANSACTED))
                .hasMessageContaining("cannot have the mode SESSION_TRANSACTED");
        assertThatThrownBy(() -> session.createConsumer(session.createTopic("t"), null, true))
                .hasMessageContaining("noLocal");

        producer.setPriority(4);
        producer.send(message, DeliveryMode.PERSISTENT, 4, 0);
        assertThat(harness.server.received(Send.class)).hasSize(1);
    }

    @Test
    void shouldLeaveOutIdAndTimestampOnRequest() throws JMSException {
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        Message message = session.createMessage();
        message.setJMSMessageID("ID:old");

        producer.send(message);

        assertThat(message.getJMSMessageID()).isNull();
        assertThat(message.getJMSTimestamp()).isZero();
    }

    private Future<Object> send(Message message) {
        return harness.async(() -> {
            producer.send(message);
            return "sent";
        });
    }

    private void ok(Send send) {
        harness.server.send(new SendOk(send.corr(), send.session(), 0, 1));
    }

    private void refuse(Send send, ErrorCode code) {
        harness.server.send(new Failure(send.corr(), send.session(), code, "scripted"));
    }

    private static final class Recorder implements CompletionListener {

        final List<String> log = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void onCompletion(Message message) {
            log.add(text(message) + " completed");
        }

        @Override
        public void onException(Message message, Exception exception) {
            log.add(text(message) + " failed " + ((JMSException) exception).getErrorCode());
        }

        private static String text(Message message) {
            try {
                return message instanceof TextMessage text ? text.getText() : "message";
            } catch (JMSException failed) {
                throw new AssertionError(failed);
            }
        }
    }
}
