package io.millrace.jms.internal.context;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A consumer that has the messages that the test gave it, and never waits for more. */
final class FakeConsumer implements ReadingConsumer {
    final Deque<Message> available = new ArrayDeque<>();
    final List<Message> acknowledged = new ArrayList<>();

    /** The timeouts of the calls that would wait; -1 for those that would not. */
    final List<Long> timeouts = new ArrayList<>();

    @Nullable
    String selector;

    private final int sessionMode;
    private @Nullable MessageListener listener;
    private boolean closed;

    FakeConsumer(int sessionMode) {
        this.sessionMode = sessionMode;
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        return receiveAndRead(0, message -> message);
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
        checkOpen();
        timeouts.add(timeoutMs);
        return next(reader);
    }

    @Override
    public <T> @Nullable T receiveAndReadNoWait(MessageReader<T> reader) throws JMSException {
        checkOpen();
        timeouts.add(-1L);
        return next(reader);
    }

    private <T> @Nullable T next(MessageReader<T> reader) throws JMSException {
        Message message = available.peek();
        if (message == null) {
            return null;
        }
        T read = reader.read(message);
        available.remove();
        if (sessionMode == Session.AUTO_ACKNOWLEDGE || sessionMode == Session.DUPS_OK_ACKNOWLEDGE) {
            acknowledged.add(message);
        }
        return read;
    }

    /** Delivers a message to the listener, as the session's thread does. */
    void deliver(Message message) {
        if (listener == null) {
            throw new AssertionError("no listener is set");
        }
        listener.onMessage(message);
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        checkOpen();
        this.listener = listener;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return selector;
    }

    @Override
    public void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    private void checkOpen() throws IllegalStateException {
        if (closed) {
            throw new IllegalStateException("the consumer is closed");
        }
    }
}
