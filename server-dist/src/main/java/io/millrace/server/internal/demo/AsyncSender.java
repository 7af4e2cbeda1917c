package io.millrace.server.internal.demo;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Sends numbered persistent messages without waiting for each, and knows when all are stored. */
final class AsyncSender {
    static final String NUMBER = "number";

    private final Session session;
    private final MessageProducer producer;
    private final String body;
    private final Phaser outstanding = new Phaser(1);
    private final AtomicInteger confirmed = new AtomicInteger();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    AsyncSender(Session session, MessageProducer producer, String body) {
        this.session = session;
        this.producer = producer;
        this.body = body;
    }

    void send(int number) throws JMSException {
        TextMessage message = session.createTextMessage(body);
        message.setIntProperty(NUMBER, number);
        outstanding.register();
        producer.send(message, new CompletionListener() {
            @Override
            public void onCompletion(Message completed) {
                confirmed.incrementAndGet();
                outstanding.arriveAndDeregister();
            }

            @Override
            public void onException(Message failed, Exception exception) {
                failure.compareAndSet(null, exception);
                outstanding.arriveAndDeregister();
            }
        });
    }

    int confirmed() {
        return confirmed.get();
    }

    /** Waits until every message is stored; throws what went wrong first, if anything did. */
    void await() throws JMSException {
        outstanding.arriveAndAwaitAdvance();
        Exception first = failure.get();
        if (first != null) {
            JMSException problem = new JMSException("a send failed: " + first.getMessage());
            problem.setLinkedException(first);
            problem.initCause(first);
            throw problem;
        }
    }
}
