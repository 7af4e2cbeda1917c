package io.millrace.jms.internal.context;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/** How a producer of the simplified API sends: its delivery options (Jakarta Messaging 7.4). */
final class SendOptions {
    private int deliveryMode = Message.DEFAULT_DELIVERY_MODE;
    private int priority = Message.DEFAULT_PRIORITY;
    private long timeToLiveMs = Message.DEFAULT_TIME_TO_LIVE;
    private long deliveryDelayMs = Message.DEFAULT_DELIVERY_DELAY;

    /** Without rules of their own. */
    boolean disableMessageId;

    boolean disableMessageTimestamp;

    @Nullable
    CompletionListener completionListener;

    int deliveryMode() {
        return deliveryMode;
    }

    void setDeliveryMode(int value) {
        if (value != DeliveryMode.PERSISTENT && value != DeliveryMode.NON_PERSISTENT) {
            throw new JMSRuntimeException(
                    "a delivery mode is DeliveryMode.NON_PERSISTENT (1) or DeliveryMode.PERSISTENT (2), not " + value);
        }
        deliveryMode = value;
    }

    int priority() {
        return priority;
    }

    void setPriority(int value) {
        if (value < 0 || value > 9) {
            throw new JMSRuntimeException("a priority is 0 to 9, not " + value);
        }
        priority = value;
    }

    long timeToLiveMs() {
        return timeToLiveMs;
    }

    void setTimeToLiveMs(long value) {
        timeToLiveMs = notNegative("time to live", value);
    }

    long deliveryDelayMs() {
        return deliveryDelayMs;
    }

    void setDeliveryDelayMs(long value) {
        deliveryDelayMs = notNegative("delivery delay", value);
    }

    private static long notNegative(String what, long valueMs) {
        if (valueMs < 0) {
            throw new JMSRuntimeException("a " + what + " is 0 milliseconds or more, not " + valueMs);
        }
        return valueMs;
    }
}
