package io.millrace.jms.internal.context;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connection and the number of contexts that use it: it is closed with the last of them (Jakarta Messaging 6.1.8). For any thread.
 */
final class SharedConnection {
    private final Connection connection;
    private final AtomicInteger contexts = new AtomicInteger();

    SharedConnection(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    void join() {
        contexts.incrementAndGet();
    }

    /**
     * Closes the session of a context, or the whole connection if no other context uses it.
     *
     * @throws IllegalStateException if a listener of the session is the caller; then nothing has happened
     * @throws JMSException if closing fails; the context has left all the same
     */
    void leave(@Nullable Session session) throws JMSException {
        boolean last = contexts.decrementAndGet() == 0;
        try {
            if (last) {
                connection.close();
            } else if (session != null) {
                session.close();
            }
        } catch (IllegalStateException calledByListener) {
            contexts.incrementAndGet();
            throw calledByListener;
        }
    }
}
