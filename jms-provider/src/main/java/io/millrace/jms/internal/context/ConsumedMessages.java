package io.millrace.jms.internal.context;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a context's session consumed and {@code JMSContext.acknowledge()} has to acknowledge. The last message is enough: in a
 * session of mode CLIENT_ACKNOWLEDGE one message acknowledges all that the session consumed (Jakarta Messaging 6.2.10). In the
 * other modes nothing is kept, and acknowledging does nothing. For any thread.
 */
final class ConsumedMessages {
    private final boolean acknowledgedByClient;
    private final AtomicReference<@Nullable Message> last = new AtomicReference<>();

    ConsumedMessages(int sessionMode) {
        acknowledgedByClient = sessionMode == Session.CLIENT_ACKNOWLEDGE;
    }

    /** Notes a message that a consumer received, if it did receive one. */
    @Nullable
    Message consumed(@Nullable Message message) {
        if (message != null && acknowledgedByClient) {
            last.set(message);
        }
        return message;
    }

    /** Returns a listener that notes what this one gets, before it gets it, since it may acknowledge at once. */
    MessageListener watch(MessageListener listener) {
        return acknowledgedByClient ? new WatchedListener(this, listener) : listener;
    }

    /** Returns the listener that the application set. */
    static @Nullable MessageListener unwatched(@Nullable MessageListener listener) {
        return listener instanceof WatchedListener watched ? watched.listener : listener;
    }

    void acknowledge() throws JMSException {
        Message message = last.get();
        if (message != null) {
            message.acknowledge();
            last.compareAndSet(message, null);
        }
    }

    /** Forgets the messages that the session delivers again. */
    void forget() {
        last.set(null);
    }

    private record WatchedListener(ConsumedMessages messages, MessageListener listener) implements MessageListener {
        @Override
        public void onMessage(Message message) {
            messages.consumed(message);
            listener.onMessage(message);
        }
    }
}
