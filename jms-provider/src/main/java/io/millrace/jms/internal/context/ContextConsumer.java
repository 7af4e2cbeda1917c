package io.millrace.jms.internal.context;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A consumer of the simplified API (Jakarta Messaging 8.1). Used as the session is: by one thread at a time. */
final class ContextConsumer implements JMSConsumer {
    private final MessageConsumer consumer;
    private final int sessionMode;
    private final ConsumedMessages consumed;

    ContextConsumer(MessageConsumer consumer, int sessionMode, ConsumedMessages consumed) {
        this.consumer = consumer;
        this.sessionMode = sessionMode;
        this.consumed = consumed;
    }

    @Override
    public @Nullable String getMessageSelector() {
        return Unchecked.call(consumer::getMessageSelector);
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return ConsumedMessages.unwatched(Unchecked.call(consumer::getMessageListener));
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) {
        Unchecked.run(() -> consumer.setMessageListener(listener == null ? null : consumed.watch(listener)));
    }

    @Override
    public @Nullable Message receive() {
        return consumed.consumed(Unchecked.call(consumer::receive));
    }

    @Override
    public @Nullable Message receive(long timeoutMs) {
        return consumed.consumed(Unchecked.call(() -> consumer.receive(timeoutMs)));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return consumed.consumed(Unchecked.call(consumer::receiveNoWait));
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type) {
        return receiveBody(type, 0);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeoutMs) {
        Objects.requireNonNull(type, "type");
        try {
            return sessionAcknowledges()
                    ? reading().receiveAndRead(timeoutMs, message -> body(message, type))
                    : bodyOrNull(receive(timeoutMs), type);
        } catch (JMSException e) {
            throw Unchecked.of(e);
        }
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        Objects.requireNonNull(type, "type");
        try {
            return sessionAcknowledges()
                    ? reading().receiveAndReadNoWait(message -> body(message, type))
                    : bodyOrNull(receiveNoWait(), type);
        } catch (JMSException e) {
            throw Unchecked.of(e);
        }
    }

    /**
     * Where the session acknowledges by itself, a message whose body is not as wanted must stay as if it had not been received;
     * in the other modes it was received, and comes again only after recover or rollback (8.6).
     */
    private boolean sessionAcknowledges() {
        return sessionMode == Session.AUTO_ACKNOWLEDGE || sessionMode == Session.DUPS_OK_ACKNOWLEDGE;
    }

    private ReadingConsumer reading() throws JMSException {
        if (consumer instanceof ReadingConsumer reading) {
            return reading;
        }
        throw new JMSException("a consumer of " + consumer.getClass()
                + " cannot keep a message whose body is not as wanted, in a session that acknowledges by itself:"
                + " use receive() and Message.getBody()");
    }

    private static <T> @Nullable T bodyOrNull(@Nullable Message message, Class<T> type) throws JMSException {
        return message == null ? null : body(message, type);
    }

    /** A plain message has no body, and a stream gives none as a whole: both end in the exception that 8.6 demands. */
    private static <T> T body(Message message, Class<T> type) throws JMSException {
        T body = message.getBody(type);
        if (body == null) {
            throw new MessageFormatException("the message has no body");
        }
        return body;
    }

    @Override
    public void close() {
        Unchecked.run(consumer::close);
    }
}
