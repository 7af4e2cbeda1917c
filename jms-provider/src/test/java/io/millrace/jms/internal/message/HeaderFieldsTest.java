package io.millrace.jms.internal.message;

import static io.millrace.jms.internal.message.Trips.FACTORY;
import static io.millrace.jms.internal.message.Trips.QUEUE;
import static io.millrace.jms.internal.message.Trips.receive;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.jms.MillraceTopic;
import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.MessageRecords;
import io.millrace.wire.message.ReplyTo;
import io.millrace.wire.record.RecordBatchBuilder;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.junit.jupiter.api.Test;

/** Jakarta Messaging 3.1, section 3.4: message header fields. */
class HeaderFieldsTest {
    private final Message message = FACTORY.createMessage();

    /** What a message has before it is sent is not specified, but the constants of Message are. */
    @Test
    void shouldStartWithTheDefaults() throws JMSException {
        assertThat(message.getJMSMessageID()).isNull();
        assertThat(message.getJMSTimestamp()).isZero();
        assertThat(message.getJMSCorrelationID()).isNull();
        assertThat(message.getJMSCorrelationIDAsBytes()).isNull();
        assertThat(message.getJMSReplyTo()).isNull();
        assertThat(message.getJMSDestination()).isNull();
        assertThat(message.getJMSDeliveryMode()).isEqualTo(Message.DEFAULT_DELIVERY_MODE);
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(message.getJMSType()).isNull();
        assertThat(message.getJMSExpiration()).isZero();
        assertThat(message.getJMSDeliveryTime()).isZero();
        assertThat(message.getJMSPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
    }

    /** The setters are public so that a provider can set the fields of a foreign message. */
    @Test
    void shouldKeepWhatOtherProvidersSet() throws JMSException {
        message.setJMSMessageID("ID:theirs");
        message.setJMSTimestamp(1);
        message.setJMSDestination(QUEUE);
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message.setJMSRedelivered(true);
        message.setJMSExpiration(2);
        message.setJMSDeliveryTime(3);
        message.setJMSPriority(9);

        assertThat(message.getJMSMessageID()).isEqualTo("ID:theirs");
        assertThat(message.getJMSTimestamp()).isEqualTo(1);
        assertThat(message.getJMSDestination()).isEqualTo(QUEUE);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(message.getJMSRedelivered()).isTrue();
        assertThat(message.getJMSExpiration()).isEqualTo(2);
        assertThat(message.getJMSDeliveryTime()).isEqualTo(3);
        assertThat(message.getJMSPriority()).isEqualTo(9);
    }

    /** 3.4.3: values start with ID:. */
    @Test
    void shouldHaveAnIdWithThePrefix() throws JMSException {
        assertThat(receive(message).getJMSMessageID()).startsWith("ID:");
    }

    /** 3.4.5. */
    @Test
    void shouldCarryACorrelationIdAsText() throws JMSException {
        message.setJMSCorrelationID("order 7 é");

        Message received = receive(message);

        assertThat(received.getJMSCorrelationID()).isEqualTo("order 7 é");
        assertThat(received.getJMSCorrelationIDAsBytes()).isEqualTo("order 7 é".getBytes(UTF_8));
    }

    /** 3.4.5: a provider-native value. */
    @Test
    void shouldCarryACorrelationIdAsBytes() throws JMSException {
        byte[] id = {0, (byte) 0xFF, 1};
        message.setJMSCorrelationIDAsBytes(id);
        id[0] = 9;

        Message received = receive(message);

        assertThat(received.getJMSCorrelationIDAsBytes()).containsExactly(0, 0xFF, 1);
        assertThat(received.getJMSCorrelationID()).isNull();
    }

    @Test
    void shouldKeepTheCorrelationIdThatWasSetLast() throws JMSException {
        message.setJMSCorrelationIDAsBytes(new byte[] {1});
        message.setJMSCorrelationID("text");
        assertThat(message.getJMSCorrelationIDAsBytes()).isEqualTo("text".getBytes(UTF_8));

        message.setJMSCorrelationIDAsBytes("bytes".getBytes(UTF_8));
        assertThat(message.getJMSCorrelationID()).isEqualTo("bytes");

        message.setJMSCorrelationID(null);
        assertThat(receive(message).getJMSCorrelationIDAsBytes()).isNull();

        message.setJMSCorrelationIDAsBytes(null);
        assertThat(receive(message).getJMSCorrelationID()).isNull();
    }

    /** 3.4.6. */
    @Test
    void shouldCarryAReplyTo() throws JMSException {
        for (Destination replyTo : new Destination[] {QUEUE, new MillraceTopic("news/today")}) {
            message.setJMSReplyTo(replyTo);

            assertThat(receive(message).getJMSReplyTo()).isEqualTo(replyTo);
        }
        message.setJMSReplyTo(null);
        assertThat(receive(message).getJMSReplyTo()).isNull();
    }

    @Test
    void shouldRefuseAReplyToThatIsNoDestination() throws JMSException {
        message.setJMSReplyTo(new Destination() {});

        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> receive(message))
                .withMessageContaining("neither a queue nor a topic");
    }

    /** Somebody may write a record with any name in it. That must not keep the message from arriving. */
    @Test
    void shouldDeliverAMessageWhoseReplyToNobodyCanUse() throws JMSException {
        RecordBatchBuilder batch = new RecordBatchBuilder(1 << 16, 1 << 20);
        MessageRecords.encode(io.millrace.wire.message.Message.builder(MessageBody.text("x"))
                        .replyTo(new ReplyTo(ReplyTo.Kind.QUEUE, "../etc"))
                        .build())
                .tryAppendTo(batch);

        Message received = receive(batch, FACTORY, new Delivery(QUEUE, 1, Acknowledger.IGNORE));

        assertThat(received.getBody(String.class)).isEqualTo("x");
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(received::getJMSReplyTo);
    }

    /** 3.4.8. */
    @Test
    void shouldCarryAType() throws JMSException {
        message.setJMSType("car");

        assertThat(receive(message).getJMSType()).isEqualTo("car");
    }

    /** 3.10: header fields of a received message can be changed. */
    @Test
    void shouldLetTheReceiverChangeHeaderFields() throws JMSException {
        message.setJMSReplyTo(QUEUE);
        Message received = receive(message);

        received.setJMSType("changed");
        received.setJMSReplyTo(null);
        received.setJMSRedelivered(true);

        assertThat(received.getJMSType()).isEqualTo("changed");
        assertThat(received.getJMSReplyTo()).isNull();
        assertThat(received.getJMSRedelivered()).isTrue();
    }

    @Test
    void shouldSayInLogsWhichMessageItIs() throws JMSException {
        assertThat(receive(message))
                .hasToString("MillraceMessage[ID:00000000-0000-0001-0000-000000000002:3, queue:orders]");
    }
}
