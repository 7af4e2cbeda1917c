package io.millrace.jms.internal.session;

import io.millrace.jms.internal.consumer.HeldMessage;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.transaction.TransactedSend;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Messages of a session that is not transacted: acknowledged one by one, or when the application says so (6.2.10, 6.2.11). */
final class AcknowledgedConsumption implements Consumption {

    private final MillraceSession session;
    private final boolean byClient;
    private final Unacknowledged unacknowledged = new Unacknowledged();
    /** The message that a listener is being called with, unless recover has given it back. Touched by that thread only. */
    private @Nullable HeldMessage inListener;

    AcknowledgedConsumption(MillraceSession session, AcknowledgeMode mode) {
        this.session = session;
        this.byClient = mode == AcknowledgeMode.CLIENT;
    }

    @Override
    public void onReceived(HeldMessage message) {
        if (byClient) {
            unacknowledged.add(message);
        } else {
            acknowledgeSoon(message);
        }
    }

    /** The message is acknowledged when the listener returns, and comes again when it throws (8.7). */
    @Override
    public void deliver(MessageListener listener, HeldMessage message) {
        if (byClient) {
            unacknowledged.add(message);
        }
        inListener = message;
        boolean returned = false;
        try {
            listener.onMessage(message.message());
            returned = true;
        } catch (RuntimeException thrown) {
            ListenerFailures.log(thrown, message.message(), !byClient);
        } finally {
            boolean recovered = inListener == null;
            inListener = null;
            if (returned) {
                session.dispatcher().onListenerSucceeded();
            } else {
                session.dispatcher().onListenerFailed();
            }
            if (!byClient && !recovered) {
                if (returned) {
                    acknowledgeSoon(message);
                } else {
                    giveBack(message);
                }
            }
        }
    }

    private void acknowledgeSoon(HeldMessage message) {
        session.connection().loop().execute(() -> session.client().feeds().acknowledge(message));
    }

    /** With what lies in the buffers, so that it comes again before what was sent after it. */
    private void giveBack(HeldMessage message) {
        session.connection().loop().execute(() -> {
            CompletableFuture<Void> unused = session.client().feeds().releaseAll(List.of(message));
        });
    }

    @Override
    public Optional<TransactedSend> transaction() {
        return Optional.empty();
    }

    @Override
    public Acknowledger acknowledger() {
        return byClient ? this::acknowledgeAll : Acknowledger.IGNORE;
    }

    private void acknowledgeAll() throws JMSException {
        session.checkOpen();
        List<HeldMessage> all = unacknowledged.takeAll();
        if (!all.isEmpty()) {
            session.connection()
                    .calls()
                    .call(
                            "Acknowledging " + all.size() + " messages",
                            session.connection().requestTimeoutMs(),
                            () -> session.client().feeds().acknowledgeDurably(all));
        }
    }

    @Override
    public void recover() throws JMSException {
        List<HeldMessage> seen = unacknowledged.takeAll();
        HeldMessage current = inListener;
        if (current != null && session.dispatcher().inListener()) {
            inListener = null;
            if (!byClient) {
                seen.add(current);
            }
        }
        session.connection()
                .calls()
                .call(
                        "Recovering a session",
                        session.connection().requestTimeoutMs(),
                        () -> session.client().feeds().releaseAll(seen));
    }

    @Override
    public void commit() throws JMSException {
        throw new IllegalStateException("commit() is a method of transacted sessions");
    }

    @Override
    public void rollback() throws JMSException {
        throw new IllegalStateException("rollback() is a method of transacted sessions");
    }

    @Override
    public void close() {
        // What is not acknowledged goes back with the session.
    }
}
