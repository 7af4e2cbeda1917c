package io.millrace.jms.internal.consumer;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.wire.frame.Subscribe;
import java.util.Optional;
import java.util.UUID;

/**
 * What a consumer consumes.
 *
 * @param destination in the eyes of the application
 * @param logId identity of its log
 * @param partitions how many it has when the consumer is created
 * @param privateCursor whether it is a topic without a subscription of its own: an unshared, non-durable one
 * @param subscribe makes the frame that creates or joins its subscription; empty: it has none
 * @param selector of the consumer, if it is not one of its subscription
 * @param messages makes messages of records
 * @param acknowledger of its messages
 * @param maxPrefetch most messages ahead of the application
 * @param partitionRefreshNs how long until it is asked again how many partitions there are
 */
public record ConsumerSpec(
        MillraceDestination destination,
        UUID logId,
        int partitions,
        boolean privateCursor,
        Optional<SubscribeFrame> subscribe,
        Optional<String> selector,
        MessageFactory messages,
        Acknowledger acknowledger,
        int maxPrefetch,
        long partitionRefreshNs) {

    /** Makes the frame with which a consumer joins its subscription. */
    @FunctionalInterface
    public interface SubscribeFrame {
        /** Makes it for a correlation id and the number of the consumer. */
        Subscribe make(int corr, int consumer);
    }
}
