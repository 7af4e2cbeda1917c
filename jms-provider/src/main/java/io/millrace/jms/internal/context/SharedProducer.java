package io.millrace.jms.internal.context;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;

/**
 * The one producer that all producers of a context send through, which makes those cheap. It has no destination of its own, and
 * exists from the first send on. Used by one thread at a time, as the session is.
 */
final class SharedProducer {
    private @Nullable MessageProducer producer;

    /**
     * Sends a message.
     *
     * @param session that of the context, which is the same at every call
     * @throws JMSException if the message was perhaps not sent, or the session is closed
     */
    void send(Session session, Destination destination, Message message, SendOptions options) throws JMSException {
        MessageProducer sender = configured(session, options);
        CompletionListener listener = options.completionListener;
        if (listener == null) {
            sender.send(destination, message, options.deliveryMode(), options.priority(), options.timeToLiveMs());
        } else {
            sender.send(
                    destination, message, options.deliveryMode(), options.priority(), options.timeToLiveMs(), listener);
        }
    }

    /** These options can be given to a producer only, and are those of whoever sent last. */
    private MessageProducer configured(Session session, SendOptions options) throws JMSException {
        if (producer == null) {
            producer = session.createProducer(null);
        }
        if (producer.getDisableMessageID() != options.disableMessageId) {
            producer.setDisableMessageID(options.disableMessageId);
        }
        if (producer.getDisableMessageTimestamp() != options.disableMessageTimestamp) {
            producer.setDisableMessageTimestamp(options.disableMessageTimestamp);
        }
        if (producer.getDeliveryDelay() != options.deliveryDelayMs()) {
            producer.setDeliveryDelay(options.deliveryDelayMs());
        }
        return producer;
    }
}
