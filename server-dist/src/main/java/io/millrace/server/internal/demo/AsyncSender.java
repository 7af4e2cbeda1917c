package io.millrace.server.internal.demo;

import io.millrace.server.internal.jms.OutstandingSends;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;

/** Sends numbered messages without waiting for each. */
final class AsyncSender {
    static final String NUMBER = "number";

    private final Session session;
    private final String body;
    private final OutstandingSends sends;

    AsyncSender(Session session, MessageProducer producer, String body) {
        this.session = session;
        this.body = body;
        this.sends = new OutstandingSends(producer);
    }

    void send(int number) throws JMSException {
        TextMessage message = session.createTextMessage(body);
        message.setIntProperty(NUMBER, number);
        sends.send(message);
    }

    int confirmed() {
        return sends.confirmed();
    }

    void await() throws JMSException {
        sends.await();
    }
}
