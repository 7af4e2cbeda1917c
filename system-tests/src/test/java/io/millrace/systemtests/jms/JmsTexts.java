package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Text messages for tests, in the order of their numbers. */
final class JmsTexts {

    static final long PATIENCE_MS = 20_000;

    /** Long enough for a message that is there and should not be. */
    static final long NOTHING_MS = 200;

    private JmsTexts() {}

    /** Returns "0" to one less than the count. */
    static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    /** Sends messages one after the other. */
    static void send(Session session, Queue queue, List<String> texts) throws JMSException {
        try (MessageProducer producer = session.createProducer(queue)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    /** Receives the next message, which must be there. */
    static Message next(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).as("the next message").isNotNull();
        return message;
    }

    /** Receives so many messages. */
    static List<String> receive(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(next(consumer)));
        }
        return texts;
    }

    /** Receives all messages that are there. */
    static List<String> receiveAll(MessageConsumer consumer) throws JMSException {
        List<String> texts = new ArrayList<>();
        Message message = consumer.receive(NOTHING_MS);
        while (message != null) {
            texts.add(text(message));
            message = consumer.receive(NOTHING_MS);
        }
        return texts;
    }

    static String text(Message message) throws JMSException {
        return ((TextMessage) message).getText();
    }

    static int deliveryCount(Message message) throws JMSException {
        return message.getIntProperty("JMSXDeliveryCount");
    }
}
