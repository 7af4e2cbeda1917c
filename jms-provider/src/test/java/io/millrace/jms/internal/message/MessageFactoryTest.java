package io.millrace.jms.internal.message;

import static io.millrace.jms.internal.message.Trips.FACTORY;
import static io.millrace.jms.internal.message.Trips.ID;
import static io.millrace.jms.internal.message.Trips.NOW;
import static io.millrace.jms.internal.message.Trips.QUEUE;
import static io.millrace.jms.internal.message.Trips.fields;
import static io.millrace.jms.internal.message.Trips.receive;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.wire.message.MessageBody;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordHeader;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MessageFactoryTest {
    @Test
    void shouldSetTheHeadersThatASendSets() throws JMSException {
        Message message = FACTORY.createMessage();
        message.setJMSMessageID("ID:mine");
        message.setJMSPriority(0);
        message.setJMSTimestamp(1);
        message.setJMSExpiration(2);

        Message received =
                receive(message, new SendFields(QUEUE, Optional.of(ID), NOW, false, false, 7, 60_000, 5_000), FACTORY);

        for (Message either : List.of(message, received)) {
            assertThat(either.getJMSDestination()).isEqualTo(QUEUE);
            assertThat(either.getJMSMessageID()).isEqualTo("ID:00000000-0000-0001-0000-000000000002:3");
            assertThat(either.getJMSTimestamp()).isEqualTo(NOW);
            assertThat(either.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(either.getJMSPriority()).isEqualTo(7);
            assertThat(either.getJMSExpiration()).isEqualTo(NOW + 60_000);
            assertThat(either.getJMSDeliveryTime()).isEqualTo(NOW + 5_000);
        }
    }

    @Test
    void shouldSetDeliveryTimeToTheTimeOfSendingWithoutADelay() throws JMSException {
        Message message = FACTORY.createMessage();

        Message received = receive(message);

        assertThat(message.getJMSDeliveryTime()).isEqualTo(NOW);
        assertThat(received.getJMSDeliveryTime()).isEqualTo(NOW);
        assertThat(received.getJMSExpiration()).isZero();
    }

    @Test
    void shouldLeaveOutIdAndTimestampWhenTheProducerSaysSo() throws JMSException {
        Message message = FACTORY.createMessage();

        Message received = receive(message, new SendFields(QUEUE, Optional.empty(), NOW, true, true, 4, 0, 0), FACTORY);

        for (Message either : List.of(message, received)) {
            assertThat(either.getJMSMessageID()).isNull();
            assertThat(either.getJMSTimestamp()).isZero();
            assertThat(either.getJMSDeliveryTime()).isEqualTo(NOW);
        }
    }

    @Test
    void shouldNotOverflowWithTheLongestTimes() {
        SendFields fields = new SendFields(QUEUE, Optional.of(ID), NOW, false, true, 4, Long.MAX_VALUE, Long.MAX_VALUE);

        assertThat(fields.expirationMs()).isEqualTo(Long.MAX_VALUE);
        assertThat(fields.deliveryTimeMs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldBringEveryBodyOver() throws JMSException {
        TextMessage text = FACTORY.createTextMessage("Grüße");
        BytesMessage bytes = FACTORY.createBytesMessage();
        bytes.writeLong(7);
        MapMessage map = FACTORY.createMapMessage();
        map.setChar("c", 'x');
        StreamMessage stream = FACTORY.createStreamMessage();
        stream.writeString(null);
        ObjectMessage object = FACTORY.createObjectMessage(42);

        assertThat(receive(text).getText()).isEqualTo("Grüße");
        assertThat(receive(bytes).readLong()).isEqualTo(7);
        assertThat(receive(map).getChar("c")).isEqualTo('x');
        assertThat(receive(stream).readString()).isNull();
        assertThat(receive(object).getObject()).isEqualTo(42);
        assertThat(receive(FACTORY.createMessage()).getBody(String.class)).isNull();
    }

    @Test
    void shouldCopyOnSending() throws JMSException {
        TextMessage message = FACTORY.createTextMessage("first");
        message.setStringProperty("p", "first");

        var first = FACTORY.toOutgoing(message, fields());
        message.setText("second");
        message.setStringProperty("p", "second");
        var second = FACTORY.toOutgoing(message, fields());

        assertThat(first.body()).isEqualTo(MessageBody.text("first"));
        assertThat(first.properties()).containsEntry("p", "first");
        assertThat(second.body()).isEqualTo(MessageBody.text("second"));
        assertThat(second.properties()).containsEntry("p", "second");
    }

    @Test
    void shouldForwardAReceivedMessageAsItIs() throws JMSException {
        MapMessage sent = FACTORY.createMapMessage();
        sent.setBytes("bytes", new byte[] {1});
        sent.setStringProperty("JMSXGroupID", "g");
        sent.setIntProperty("JMSXGroupSeq", 9);
        sent.setFloatProperty("f", 1.5f);
        sent.setJMSReplyTo(QUEUE);
        sent.setJMSType("t");
        sent.setJMSCorrelationIDAsBytes(new byte[] {(byte) 0xFF});

        MapMessage forwarded = receive(receive(sent));

        assertThat(forwarded.getBytes("bytes")).containsExactly(1);
        assertThat(forwarded.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(forwarded.getIntProperty("JMSXGroupSeq")).isEqualTo(9);
        assertThat(forwarded.getObjectProperty("f")).isEqualTo(1.5f);
        assertThat(forwarded.getJMSReplyTo()).isEqualTo(QUEUE);
        assertThat(forwarded.getJMSType()).isEqualTo("t");
        assertThat(forwarded.getJMSCorrelationIDAsBytes()).containsExactly(0xFF);
        assertThat(forwarded.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void shouldForwardAReceivedMessageThatWasChanged() throws JMSException {
        TextMessage received = receive(FACTORY.createTextMessage("a"));
        received.clearBody();
        received.setText("b");
        received.clearProperties();
        received.setIntProperty("n", 1);

        TextMessage forwarded = receive(received);

        assertThat(forwarded.getText()).isEqualTo("b");
        assertThat(Trips.names(forwarded.getPropertyNames())).containsExactly("n", "JMSXDeliveryCount");
    }

    @Test
    void shouldMarkRedeliveries() throws JMSException {
        Message first = receive(FACTORY.createMessage());
        Message second = receive(null, "x".getBytes(UTF_8));

        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(second.getJMSRedelivered()).isTrue();
        assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    /** Jakarta Messaging 3.1, section 3.10: what is redelivered is the original, whatever the consumer has done with it. */
    @Test
    void shouldRedeliverTheOriginal() throws JMSException {
        TextMessage sent = FACTORY.createTextMessage("original");
        sent.setIntProperty("p", 1);
        TextMessage received = receive(sent);
        received.clearBody();
        received.setText("changed");
        received.clearProperties();
        received.setJMSType("changed");

        TextMessage again =
                (TextMessage) FACTORY.again((MillraceMessage) received, new Delivery(QUEUE, 2, Acknowledger.IGNORE));

        assertThat(again.getText()).isEqualTo("original");
        assertThat(again.getIntProperty("p")).isEqualTo(1);
        assertThat(again.getJMSType()).isNull();
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    void shouldNotRedeliverWhatWasNotReceived() {
        MillraceMessage made = new MillraceMessage();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> FACTORY.again(made, new Delivery(QUEUE, 2, Acknowledger.IGNORE)));
    }

    @Test
    void shouldNotBelieveAKafkaClientAboutTheDelivery() throws JMSException {
        Message received =
                receive(null, "x".getBytes(UTF_8), new RecordHeader("JMSXDeliveryCount", "99".getBytes(UTF_8)));

        assertThat(received.getObjectProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    void shouldReadARecordOfAKafkaClient() throws JMSException {
        Message received =
                receive("k".getBytes(UTF_8), "hello".getBytes(UTF_8), new RecordHeader("h", "v".getBytes(UTF_8)));

        assertThat(((TextMessage) received).getText()).isEqualTo("hello");
        assertThat(received.getJMSMessageID()).isEqualTo("ID:00000000-0000-0007-0000-000000000008/0/0");
        assertThat(received.getStringProperty("h")).isEqualTo("v");
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("k");
        assertThat(received.getJMSTimestamp()).isEqualTo(NOW);
    }

    @Test
    void shouldDeliverARecordWhoseHeaderIsDamaged() throws JMSException {
        Message received = receive(null, "hello".getBytes(UTF_8), new RecordHeader("jms", "mine!".getBytes(UTF_8)));

        assertThat(received.getBody(String.class)).isEqualTo("hello");
        assertThat(received.getStringProperty("jms")).isEqualTo("mine!");
    }

    @Test
    void shouldCallTheAcknowledger() throws JMSException {
        AtomicInteger calls = new AtomicInteger();
        RecordBatchBuilder batch = new RecordBatchBuilder(1 << 16, 1 << 24);
        batch.tryAppend(NOW, null, new byte[0], List.of());
        Message received = receive(batch, FACTORY, new Delivery(QUEUE, 1, calls::incrementAndGet));

        received.acknowledge();
        FACTORY.createMessage().acknowledge();

        assertThat(calls).hasValue(1);
    }
}
