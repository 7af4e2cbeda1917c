package io.millrace.jms.internal.context;

import static io.millrace.jms.internal.context.FakeJms.FACTORY;
import static io.millrace.jms.internal.context.FakeJms.QUEUE;
import static io.millrace.jms.internal.context.FakeJms.TOPIC;
import static io.millrace.jms.internal.context.FakeJms.received;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending with the simplified API: options, overriding of what messages say, bodies (Jakarta Messaging 7.2 to 7.10). */
class ContextProducerTest {
    private static final CompletionListener LISTENER = new CompletionListener() {
        @Override
        public void onCompletion(Message message) {}

        @Override
        public void onException(Message message, Exception exception) {}

        @Override
        public String toString() {
            return "listener";
        }
    };

    private final FakeJms jms = new FakeJms();
    private final JMSContext context = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
    private final JMSProducer producer = context.createProducer();

    /** What the shared producer was given, with its arguments. */
    private final List<Object[]> sent = new ArrayList<>();

    private Message lastSent() {
        return (Message) sent.get(sent.size() - 1)[1];
    }

    private void send(JMSProducer sender, Destination destination, Message message) {
        if (jms.producers.isEmpty()) {
            sender.send(destination, message);
            sent.clear();
            watchSends();
        }
        sender.send(destination, message);
    }

    private void watchSends() {
        jms.producers.get(0).answer("send", args -> {
            sent.add(args);
            return null;
        });
    }

    /** The shared producer exists from the first send on. */
    private void openSharedProducer() {
        context.createProducer().send(QUEUE, "first");
        watchSends();
        jms.calls.clear();
    }

    // ---- options (7.4, 7.7 to 7.9) ----

    @Test
    void shouldSendWithTheDefaultsOfMessages() {
        send(producer, QUEUE, FACTORY.createMessage());

        assertThat(sent.get(0)).containsExactly(QUEUE, lastSent(), DeliveryMode.PERSISTENT, 4, 0L);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(4);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        assertThat(producer.getDisableMessageID()).isFalse();
        assertThat(producer.getDisableMessageTimestamp()).isFalse();
        assertThat(producer.getAsync()).isNull();
    }

    @Test
    void shouldSendWithItsOptions() {
        openSharedProducer();

        JMSProducer chained = producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .setPriority(9)
                .setTimeToLive(60_000)
                .setDeliveryDelay(5_000)
                .setDisableMessageID(true)
                .setDisableMessageTimestamp(true);
        chained.send(TOPIC, FACTORY.createMessage());

        assertThat(chained).isSameAs(producer);
        assertThat(sent.get(0)).containsExactly(TOPIC, lastSent(), DeliveryMode.NON_PERSISTENT, 9, 60_000L);
        assertThat(jms.calls.all())
                .contains(
                        "producer.setDeliveryDelay(5000)",
                        "producer.setDisableMessageID(true)",
                        "producer.setDisableMessageTimestamp(true)");
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(9);
        assertThat(producer.getTimeToLive()).isEqualTo(60_000);
        assertThat(producer.getDeliveryDelay()).isEqualTo(5_000);
        assertThat(producer.getDisableMessageID()).isTrue();
        assertThat(producer.getDisableMessageTimestamp()).isTrue();
    }

    /** 7.10: producers are cheap, since they share one of the session; still each has its own options. */
    @Test
    void shouldKeepTheOptionsOfTheProducersOfAContextApart() {
        JMSProducer delayed = context.createProducer().setDeliveryDelay(5_000).setDisableMessageID(true);
        openSharedProducer();

        delayed.send(QUEUE, "later");
        producer.send(QUEUE, "now");

        assertThat(jms.producers).hasSize(1);
        assertThat(jms.calls.startingWith("producer.set"))
                .containsExactly(
                        "producer.setDisableMessageID(true)",
                        "producer.setDeliveryDelay(5000)",
                        "producer.setDisableMessageID(false)",
                        "producer.setDeliveryDelay(0)");
    }

    @Test
    void shouldNotTouchOptionsThatAreAsTheyWere() {
        openSharedProducer();

        producer.send(QUEUE, "text");

        assertThat(jms.calls.startingWith("producer.set")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 10})
    void shouldRefuseAPriorityThatIsNone(int priority) {
        assertThatThrownBy(() -> producer.setPriority(priority)).isInstanceOf(JMSRuntimeException.class);
        assertThat(producer.getPriority()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void shouldRefuseADeliveryModeThatIsNone(int mode) {
        assertThatThrownBy(() -> producer.setDeliveryMode(mode)).isInstanceOf(JMSRuntimeException.class);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    }

    @Test
    void shouldRefuseNegativeTimes() {
        assertThatThrownBy(() -> producer.setTimeToLive(-1)).isInstanceOf(JMSRuntimeException.class);
        assertThatThrownBy(() -> producer.setDeliveryDelay(-1)).isInstanceOf(JMSRuntimeException.class);
    }

    // ---- asynchronous sends (7.3) ----

    @Test
    void shouldSendAsynchronouslyWhileItHasACompletionListener() {
        openSharedProducer();

        producer.setAsync(LISTENER).send(QUEUE, FACTORY.createMessage());
        assertThat(sent.get(0)).containsExactly(QUEUE, lastSent(), DeliveryMode.PERSISTENT, 4, 0L, LISTENER);
        assertThat(producer.getAsync()).isSameAs(LISTENER);

        producer.setAsync(null).send(QUEUE, FACTORY.createMessage());
        assertThat(sent.get(1)).containsExactly(QUEUE, lastSent(), DeliveryMode.PERSISTENT, 4, 0L);
    }

    // ---- bodies (7.2) ----

    @Test
    void shouldSendText() throws JMSException {
        openSharedProducer();

        assertThat(producer.send(QUEUE, "hello")).isSameAs(producer);
        assertThat(((TextMessage) lastSent()).getText()).isEqualTo("hello");

        producer.send(QUEUE, (String) null);
        assertThat(((TextMessage) lastSent()).getText()).isNull();
    }

    @Test
    void shouldSendAMap() throws JMSException {
        openSharedProducer();

        producer.send(QUEUE, Map.of("price", 12.5, "count", 3, "code", new byte[] {1, 2}));
        MapMessage message = (MapMessage) lastSent();
        assertThat(message.getDouble("price")).isEqualTo(12.5);
        assertThat(message.getInt("count")).isEqualTo(3);
        assertThat(message.getBytes("code")).containsExactly(1, 2);

        producer.send(QUEUE, (Map<String, Object>) null);
        assertThat(((MapMessage) lastSent()).getMapNames().hasMoreElements()).isFalse();
    }

    @Test
    void shouldRefuseAMapThatNoMessageCanHold() {
        openSharedProducer();
        Map<String, Object> lists = Map.of("list", List.of());
        Map<String, Object> unnamed = new HashMap<>();
        unnamed.put("", "value");

        assertThatThrownBy(() -> producer.send(QUEUE, lists)).isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> producer.send(QUEUE, unnamed)).isInstanceOf(IllegalArgumentException.class);
        assertThat(sent).isEmpty();
    }

    @Test
    void shouldSendBytes() throws JMSException {
        openSharedProducer();

        producer.send(QUEUE, new byte[] {1, 2, 3});
        assertThat(lastSent().getBody(byte[].class)).containsExactly(1, 2, 3);

        producer.send(QUEUE, (byte[]) null);
        BytesMessage empty = (BytesMessage) lastSent();
        empty.reset();
        assertThat(empty.getBodyLength()).isZero();
    }

    @Test
    void shouldSendAnObject() throws JMSException {
        openSharedProducer();

        producer.send(QUEUE, Integer.valueOf(7));
        assertThat(((ObjectMessage) lastSent()).getObject()).isEqualTo(7);

        producer.send(QUEUE, (Serializable) null);
        assertThat(((ObjectMessage) lastSent()).getObject()).isNull();
    }

    @Test
    void shouldRefuseAnObjectThatCannotBeSerialized() {
        openSharedProducer();
        ArrayList<Object> notSerializable = new ArrayList<>(List.of(new Object()));

        assertThatThrownBy(() -> producer.send(QUEUE, notSerializable))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(sent).isEmpty();
    }

    // ---- wrong arguments, failures ----

    @Test
    void shouldRefuseToSendNoMessage() {
        assertThatThrownBy(() -> producer.send(QUEUE, (Message) null))
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    @Test
    void shouldRefuseToSendNowhereAndLeaveTheMessageAlone() throws JMSException {
        Message message = FACTORY.createMessage();

        assertThatThrownBy(() -> producer.setJMSType("order").send(null, message))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
        assertThat(message.getJMSType()).isNull();
    }

    @Test
    void shouldTranslateAFailureToSend() {
        openSharedProducer();
        InvalidDestinationException failure = new InvalidDestinationException("orders is a topic", "KIND");
        jms.producers.get(0).fail("send", failure);

        assertThatThrownBy(() -> producer.send(QUEUE, "text"))
                .isInstanceOf(InvalidDestinationRuntimeException.class)
                .hasCause(failure);
    }

    /** 6.1.8. */
    @Test
    void shouldRefuseToSendOnceTheContextIsClosed() {
        openSharedProducer();
        context.close();

        assertThatThrownBy(() -> producer.send(QUEUE, "text")).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> producer.send(QUEUE, FACTORY.createMessage()))
                .isInstanceOf(IllegalStateRuntimeException.class);
        assertThat(sent).isEmpty();
    }

    // ---- what is put onto messages (7.5, 7.6) ----

    @Test
    void shouldOverrideThePropertiesOfMessages() throws JMSException {
        Message message = FACTORY.createMessage();
        message.setStringProperty("region", "north");
        message.setIntProperty("kept", 1);

        send(producer.setProperty("region", "south").setProperty("JMSXGroupID", "g1"), QUEUE, message);

        assertThat(message.getStringProperty("region")).isEqualTo("south");
        assertThat(message.getIntProperty("kept")).isEqualTo(1);
        assertThat(message.getStringProperty("JMSXGroupID")).isEqualTo("g1");
    }

    @Test
    void shouldOverrideTheHeadersOfMessages() throws JMSException {
        Message message = FACTORY.createMessage();
        message.setJMSCorrelationID("old");
        message.setJMSType("old");
        message.setJMSReplyTo(QUEUE);

        send(producer.setJMSCorrelationID("new").setJMSType("order").setJMSReplyTo(TOPIC), QUEUE, message);

        assertThat(message.getJMSCorrelationID()).isEqualTo("new");
        assertThat(message.getJMSType()).isEqualTo("order");
        assertThat(message.getJMSReplyTo()).isEqualTo(TOPIC);
    }

    @Test
    void shouldLeaveTheHeadersOfMessagesThatItSaysNothingOf() throws JMSException {
        Message message = FACTORY.createMessage();
        message.setJMSCorrelationID("mine");
        message.setJMSType("mine");
        message.setJMSReplyTo(QUEUE);

        send(producer, TOPIC, message);

        assertThat(message.getJMSCorrelationID()).isEqualTo("mine");
        assertThat(message.getJMSType()).isEqualTo("mine");
        assertThat(message.getJMSReplyTo()).isEqualTo(QUEUE);
    }

    @Test
    void shouldPutPropertiesAndHeadersOntoBodiesToo() throws JMSException {
        openSharedProducer();

        producer.setProperty("region", "south").setJMSType("order").send(QUEUE, "text");

        assertThat(lastSent().getStringProperty("region")).isEqualTo("south");
        assertThat(lastSent().getJMSType()).isEqualTo("order");
    }

    @Test
    void shouldSendACorrelationIdThatIsNoText() throws JMSException {
        openSharedProducer();
        byte[] id = {(byte) 0xff, 0, 1};

        producer.setJMSCorrelationIDAsBytes(id).send(QUEUE, "text");

        assertThat(lastSent().getJMSCorrelationIDAsBytes()).containsExactly(id);
    }

    @Test
    void shouldRefusePropertiesForAMessageWhosePropertiesAreReadOnly() throws JMSException {
        openSharedProducer();
        Message forwarded = received(FACTORY.createTextMessage("text"));

        assertThatThrownBy(() -> producer.setProperty("region", "south").send(QUEUE, forwarded))
                .isInstanceOf(MessageNotWriteableRuntimeException.class);
        assertThat(sent).isEmpty();

        producer.clearProperties();
        assertThatCode(() -> producer.setJMSType("order").send(QUEUE, forwarded))
                .doesNotThrowAnyException();
        assertThat(lastSent().getJMSType()).isEqualTo("order");
    }
}
