package io.millrace.jms.internal.session;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.internal.consumer.ConsumerFeed;
import io.millrace.jms.internal.consumer.HeldMessage;
import io.millrace.jms.internal.consumer.Receiver;
import io.millrace.jms.internal.context.MessageReader;
import io.millrace.jms.internal.context.ReadingConsumer;
import io.millrace.jms.internal.transport.LinkException;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A consumer (Jakarta Messaging 8). Used by the thread of its session, except {@link #close}. */
public final class MillraceMessageConsumer
        implements ReadingConsumer, QueueReceiver, TopicSubscriber, ListenerDispatcher.Target {

    /** How long close waits for a server that does not answer. */
    private static final long CLOSE_TIMEOUT_MS = 5_000;

    private final MillraceSession session;
    private final MillraceDestination destination;
    private final Optional<String> selector;
    private final ConsumerFeed feed;
    private final Receiver receiver;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable MessageListener listener;

    MillraceMessageConsumer(
            MillraceSession session,
            MillraceDestination destination,
            Optional<String> selector,
            ConsumerFeed feed,
            Receiver receiver) {
        this.session = session;
        this.destination = destination;
        this.selector = selector;
        this.feed = feed;
        this.receiver = receiver;
    }

    // ---- receiving (8.6) ----

    @Override
    public @Nullable Message receive() throws JMSException {
        return receive(0);
    }

    @Override
    public @Nullable Message receive(long timeoutMs) throws JMSException {
        return receiveAndRead(timeoutMs, message -> message);
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        return receiveAndReadNoWait(message -> message);
    }

    @Override
    public <T> @Nullable T receiveAndRead(long timeoutMs, MessageReader<T> reader) throws JMSException {
        if (timeoutMs < 0) {
            throw new JMSException("A timeout cannot be negative: " + timeoutMs);
        }
        return read(reader, () -> receiver.receive(timeoutMs));
    }

    @Override
    public <T> @Nullable T receiveAndReadNoWait(MessageReader<T> reader) throws JMSException {
        return read(reader, receiver::receiveNoWait);
    }

    private interface Receive {
        Optional<HeldMessage> next() throws InterruptedException;
    }

    private <T> @Nullable T read(MessageReader<T> reader, Receive receive) throws JMSException {
        checkOpen();
        session.checkNoListener();
        session.consumption().checkWork();
        Optional<HeldMessage> received;
        try {
            received = receive.next();
        } catch (LinkException failed) {
            throw JmsFailures.of(failed);
        } catch (InterruptedException interrupted) {
            throw JmsFailures.interrupted("Receiving a message from " + destination);
        }
        if (received.isEmpty()) {
            return null;
        }
        HeldMessage message = received.get();
        boolean read = false;
        try {
            // It may have changed while nothing came.
            session.consumption().checkWork();
            T result = reader.read(message.message());
            read = true;
            return result;
        } finally {
            if (read) {
                session.consumption().onReceived(message);
            } else {
                receiver.putBack(message);
            }
        }
    }

    // ---- listener (8.7) ----

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener next) throws JMSException {
        checkOpen();
        if (next != null) {
            session.assigned().checkNone();
        }
        listener = next;
        if (next != null) {
            session.dispatcher().wake();
        }
    }

    boolean hasListener() {
        return listener != null;
    }

    @Override
    public boolean dispatchOne() {
        MessageListener called = listener;
        if (called == null || closed.get()) {
            return false;
        }
        Optional<HeldMessage> next;
        try {
            next = receiver.poll();
        } catch (LinkException failed) {
            return false; // the ExceptionListener has heard of it
        }
        next.ifPresent(message -> session.consumption().deliver(called, message));
        return next.isPresent();
    }

    /** Takes the next message for a connection consumer. */
    Optional<HeldMessage> poll() {
        return closed.get() ? Optional.empty() : receiver.poll();
    }

    /** A connection consumer waits for a message. */
    void awaitMore() {
        if (!closed.get()) {
            receiver.hunger();
        }
    }

    @Override
    public void hunger() {
        if (listener != null && !closed.get()) {
            receiver.hunger();
        }
    }

    // ---- what it is ----

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return selector.orElse(null);
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        checkOpen();
        return false;
    }

    @Override
    public @Nullable Queue getQueue() throws JMSException {
        checkOpen();
        return destination instanceof Queue queue ? queue : null;
    }

    @Override
    public @Nullable Topic getTopic() throws JMSException {
        checkOpen();
        return destination instanceof Topic topic ? topic : null;
    }

    // ---- life ----

    /**
     * Ends it; a receive that waits in another thread returns null, and a listener that is running may finish. Messages that the application
     * has not acknowledged stay with the session.
     */
    @Override
    public void close() throws JMSException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        feed.buffer().close();
        try {
            session.dispatcher().awaitReturn();
        } catch (InterruptedException interrupted) {
            throw JmsFailures.interrupted("Closing a consumer on " + destination);
        } finally {
            session.onConsumerClosed(this);
        }
        session.connection()
                .calls()
                .callForClose(
                        "Closing a consumer on " + destination,
                        CLOSE_TIMEOUT_MS,
                        () -> session.client().feeds().close(feed));
    }

    /** The session ends, and everything of it at the server. */
    void onSessionClosed() {
        closed.set(true);
        feed.buffer().close();
    }

    private void checkOpen() throws IllegalStateException {
        if (closed.get()) {
            throw JmsFailures.closed("consumer");
        }
        session.checkOpen();
    }
}
