package io.millrace.server.internal.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends without waiting for each, at most so many at a time, and knows when all are stored. One thread sends; the
 * completions come on threads of the provider.
 */
public final class OutstandingSends {
    private static final int MOST = 4_000;

    private final MessageProducer producer;
    private final Semaphore room = new Semaphore(MOST);
    private final AtomicInteger confirmed = new AtomicInteger();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    public OutstandingSends(MessageProducer producer) {
        this.producer = producer;
    }

    /**
     * Sends, and waits only when too many are outstanding.
     *
     * @throws JMSException if this or an earlier send failed
     */
    public void send(Message message) throws JMSException {
        throwFailure();
        room.acquireUninterruptibly();
        producer.send(message, new CompletionListener() {
            @Override
            public void onCompletion(Message stored) {
                confirmed.incrementAndGet();
                room.release();
            }

            @Override
            public void onException(Message failed, Exception exception) {
                failure.compareAndSet(null, exception);
                room.release();
            }
        });
    }

    /** How many the broker has confirmed so far. */
    public int confirmed() {
        return confirmed.get();
    }

    /**
     * Waits until every message is stored.
     *
     * @throws JMSException what went wrong first, if anything did
     */
    public void await() throws JMSException {
        room.acquireUninterruptibly(MOST);
        room.release(MOST);
        throwFailure();
    }

    private void throwFailure() throws JMSException {
        Exception first = failure.get();
        if (first != null) {
            JMSException problem = new JMSException(
                    "a send failed, after " + confirmed.get() + " that were confirmed: " + first.getMessage());
            problem.setLinkedException(first);
            problem.initCause(first);
            throw problem;
        }
    }
}
