package io.millrace.jms.internal.session;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.internal.session.MessageSender.Terms;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A producer (Jakarta Messaging 7). Used by the thread of its session, except {@link #close}. */
public final class MillraceMessageProducer implements QueueSender, TopicPublisher {

    private final MillraceSession session;
    private final Optional<MillraceDestination> destination;
    private final MessageSender sender;
    private volatile boolean closed;
    private boolean withId = true;
    private boolean withTimestamp = true;
    private int deliveryMode = Message.DEFAULT_DELIVERY_MODE;

    MillraceMessageProducer(MillraceSession session, Optional<MillraceDestination> destination) {
        this.session = session;
        this.destination = destination;
        this.sender = new MessageSender(session);
    }

    // ---- settings (7.8 to 7.11) ----

    @Override
    public void setDisableMessageID(boolean value) throws JMSException {
        checkOpen();
        withId = !value;
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        checkOpen();
        return !withId;
    }

    @Override
    public void setDisableMessageTimestamp(boolean value) throws JMSException {
        checkOpen();
        withTimestamp = !value;
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        checkOpen();
        return !withTimestamp;
    }

    @Override
    public void setDeliveryMode(int mode) throws JMSException {
        checkOpen();
        checkDeliveryMode(mode);
        deliveryMode = mode;
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        checkOpen();
        return deliveryMode;
    }

    @Override
    public void setPriority(int priority) throws JMSException {
        checkOpen();
        checkPriority(priority);
    }

    @Override
    public int getPriority() throws JMSException {
        checkOpen();
        return Message.DEFAULT_PRIORITY;
    }

    @Override
    public void setTimeToLive(long timeToLiveMs) throws JMSException {
        checkOpen();
        checkTimeToLive(timeToLiveMs);
    }

    @Override
    public long getTimeToLive() throws JMSException {
        checkOpen();
        return Message.DEFAULT_TIME_TO_LIVE;
    }

    @Override
    public void setDeliveryDelay(long delayMs) throws JMSException {
        checkOpen();
        if (delayMs != Message.DEFAULT_DELIVERY_DELAY) {
            throw JmsFailures.later("Delivery delays");
        }
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        checkOpen();
        return Message.DEFAULT_DELIVERY_DELAY;
    }

    private static void checkDeliveryMode(int mode) throws JMSException {
        if (mode != DeliveryMode.PERSISTENT && mode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException("There is no delivery mode " + mode);
        }
    }

    private static void checkPriority(int priority) throws JMSException {
        if (priority < 0 || priority > 9) {
            throw new JMSException("A priority must be within 0 to 9, not " + priority);
        }
        if (priority != Message.DEFAULT_PRIORITY) {
            throw JmsFailures.later("Priorities other than 4");
        }
    }

    private static void checkTimeToLive(long timeToLiveMs) throws JMSException {
        if (timeToLiveMs < 0) {
            throw new JMSException("A time to live cannot be negative: " + timeToLiveMs);
        }
        if (timeToLiveMs != Message.DEFAULT_TIME_TO_LIVE) {
            throw JmsFailures.later("Messages that expire");
        }
    }

    // ---- destination ----

    @Override
    public @Nullable Destination getDestination() throws JMSException {
        checkOpen();
        return destination.orElse(null);
    }

    @Override
    public @Nullable Queue getQueue() throws JMSException {
        checkOpen();
        return destination.isPresent() && destination.get() instanceof Queue queue ? queue : null;
    }

    @Override
    public @Nullable Topic getTopic() throws JMSException {
        checkOpen();
        return destination.isPresent() && destination.get() instanceof Topic topic ? topic : null;
    }

    // ---- sending (7.1 to 7.3) ----

    @Override
    public void send(Message message) throws JMSException {
        send(own(), message, deliveryMode, Optional.empty());
    }

    @Override
    public void send(Message message, int mode, int priority, long timeToLiveMs) throws JMSException {
        check(mode, priority, timeToLiveMs);
        send(own(), message, mode, Optional.empty());
    }

    @Override
    public void send(@Nullable Destination to, Message message) throws JMSException {
        send(named(to), message, deliveryMode, Optional.empty());
    }

    @Override
    public void send(@Nullable Destination to, Message message, int mode, int priority, long timeToLiveMs)
            throws JMSException {
        check(mode, priority, timeToLiveMs);
        send(named(to), message, mode, Optional.empty());
    }

    @Override
    public void send(Message message, @Nullable CompletionListener listener) throws JMSException {
        send(own(), message, deliveryMode, present(listener));
    }

    @Override
    public void send(Message message, int mode, int priority, long timeToLiveMs, @Nullable CompletionListener listener)
            throws JMSException {
        check(mode, priority, timeToLiveMs);
        send(own(), message, mode, present(listener));
    }

    @Override
    public void send(@Nullable Destination to, Message message, @Nullable CompletionListener listener)
            throws JMSException {
        send(named(to), message, deliveryMode, present(listener));
    }

    @Override
    public void send(
            @Nullable Destination to,
            Message message,
            int mode,
            int priority,
            long timeToLiveMs,
            @Nullable CompletionListener listener)
            throws JMSException {
        check(mode, priority, timeToLiveMs);
        send(named(to), message, mode, present(listener));
    }

    @Override
    public void send(@Nullable Queue queue, Message message) throws JMSException {
        send((Destination) queue, message);
    }

    @Override
    public void send(@Nullable Queue queue, Message message, int mode, int priority, long timeToLiveMs)
            throws JMSException {
        send((Destination) queue, message, mode, priority, timeToLiveMs);
    }

    @Override
    public void publish(Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(Message message, int mode, int priority, long timeToLiveMs) throws JMSException {
        send(message, mode, priority, timeToLiveMs);
    }

    @Override
    public void publish(@Nullable Topic topic, Message message) throws JMSException {
        send((Destination) topic, message);
    }

    @Override
    public void publish(@Nullable Topic topic, Message message, int mode, int priority, long timeToLiveMs)
            throws JMSException {
        send((Destination) topic, message, mode, priority, timeToLiveMs);
    }

    private void check(int mode, int priority, long timeToLiveMs) throws JMSException {
        checkOpen();
        checkDeliveryMode(mode);
        checkPriority(priority);
        checkTimeToLive(timeToLiveMs);
    }

    private MillraceDestination own() throws JMSException {
        checkOpen();
        return destination.orElseThrow(() -> new WrongSendMethodException(
                "The producer was created without a destination: name one in the call of send"));
    }

    private MillraceDestination named(@Nullable Destination to) throws JMSException {
        checkOpen();
        if (destination.isPresent()) {
            throw new WrongSendMethodException(
                    "The producer sends to " + destination.get() + ": send must not name another destination");
        }
        if (to == null) {
            throw new InvalidDestinationException("There is no destination to send to");
        }
        MillraceDestination own = Destinations.own(to);
        session.checkKind(own, "send");
        return own;
    }

    private void send(
            MillraceDestination to, @Nullable Message message, int mode, Optional<CompletionListener> listener)
            throws JMSException {
        if (message == null) {
            throw new MessageFormatException("There is no message to send");
        }
        sender.send(to, message, new Terms(mode == DeliveryMode.PERSISTENT, withId, withTimestamp), listener);
    }

    private static Optional<CompletionListener> present(@Nullable CompletionListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("A send with a CompletionListener needs one");
        }
        return Optional.of(listener);
    }

    // ---- life ----

    /** Waits for the answers to its sends, as close of the session does (7.3.5). */
    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        session.checkNotInCompletionListener("MessageProducer.close");
        closed = true;
        if (session.isClosed()) {
            return;
        }
        session.connection()
                .calls()
                .callForClose("Waiting for sends", session.connection().sendTimeoutMs(), session.sends()::drained);
    }

    private void checkOpen() throws IllegalStateException {
        if (closed) {
            throw JmsFailures.closed("producer");
        }
        session.checkOpen();
    }
}
