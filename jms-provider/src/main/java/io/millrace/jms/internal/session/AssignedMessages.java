package io.millrace.jms.internal.session;

import io.millrace.jms.internal.consumer.HeldMessage;
import io.millrace.jms.internal.message.Delivery;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What connection consumers have loaded into a session, and the listener that it is for (Jakarta Messaging 11.2.1). The messages are lent to the
 * session of the connection consumer; this one acknowledges them in its own mode, or in its transaction. For any thread.
 */
final class AssignedMessages {

    private static final Logger LOG = LoggerFactory.getLogger(AssignedMessages.class);

    private record Assigned(MillraceConnectionConsumer source, HeldMessage message) {}

    private final MillraceSession session;
    private final Queue<Assigned> messages = new ArrayDeque<>();
    private volatile @Nullable MessageListener listener;

    AssignedMessages(MillraceSession session) {
        this.session = session;
    }

    @Nullable
    MessageListener listener() {
        return listener;
    }

    void listener(@Nullable MessageListener next) {
        listener = next;
    }

    /** With such a listener a session receives in no other way. */
    void checkNone() throws IllegalStateException {
        if (listener != null) {
            throw new IllegalStateException(
                    "The session has a MessageListener for what connection consumers assign to it:"
                            + " it receives messages in no other way");
        }
    }

    /** Loads messages, which the next {@link #run} delivers. */
    void add(MillraceConnectionConsumer source, List<HeldMessage> loaded) {
        synchronized (messages) {
            loaded.forEach(message -> messages.add(new Assigned(source, message)));
        }
    }

    /** Takes back what was loaded by a connection consumer and is not being delivered. */
    List<HeldMessage> takeFrom(MillraceConnectionConsumer source) {
        List<HeldMessage> taken = new ArrayList<>();
        synchronized (messages) {
            for (Iterator<Assigned> all = messages.iterator(); all.hasNext(); ) {
                Assigned next = all.next();
                if (next.source.equals(source)) {
                    all.remove();
                    taken.add(next.message);
                }
            }
        }
        return taken;
    }

    /** Gives back all that is not being delivered. */
    void giveBack() {
        for (Assigned next = poll(); next != null; next = poll()) {
            next.source.giveBack(List.of(next.message));
        }
    }

    private @Nullable Assigned poll() {
        synchronized (messages) {
            return messages.poll();
        }
    }

    /**
     * Delivers what is loaded, one message after the other, on this thread. What cannot be delivered, since there is no listener or the connection
     * is stopped, goes back and is assigned anew.
     *
     * @throws IllegalStateRuntimeException if the session is closed
     */
    void run() {
        MessageListener called = listener;
        for (Assigned next = poll(); next != null; next = poll()) {
            if (!deliver(called, next)) {
                next.source.giveBack(List.of(next.message));
                giveBack();
            }
        }
        if (session.isClosed()) {
            throw new IllegalStateRuntimeException("The session is closed");
        }
    }

    private boolean deliver(@Nullable MessageListener called, Assigned next) {
        if (called == null || session.isClosed()) {
            return false;
        }
        try {
            session.consumption().checkWork();
            HeldMessage own = inOwnEyes(next.message);
            return session.dispatcher().call(() -> session.consumption().deliver(called, own));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (JMSException refused) {
            LOG.warn("An assigned message is not delivered, and goes back: {}", refused.getMessage());
            return false;
        }
    }

    /** Its {@code acknowledge()} is about this session. */
    private HeldMessage inOwnEyes(HeldMessage held) throws JMSException {
        Delivery delivery = new Delivery(
                Destinations.own(held.message().getJMSDestination()),
                held.message().getIntProperty("JMSXDeliveryCount"),
                session.consumption().acknowledger());
        return held.as(session.connection().messages().again(held.message(), delivery));
    }
}
