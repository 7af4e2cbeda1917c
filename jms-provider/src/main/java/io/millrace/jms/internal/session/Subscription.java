package io.millrace.jms.internal.session;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.MillraceQueue;
import io.millrace.jms.MillraceTopic;
import io.millrace.jms.internal.consumer.ConsumerSpec;
import io.millrace.jms.internal.consumer.ConsumerSpec.SubscribeFrame;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.options.Option;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Subscribe;
import jakarta.jms.JMSException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The subscription that a consumer is created on (Jakarta Messaging 8.3).
 *
 * @param name of the subscription, or {@code null} for none
 * @param durable whether it outlives its consumers
 * @param shared whether several consumers may share it
 */
record Subscription(@Nullable String name, boolean durable, boolean shared) {

    /** A queue, or an unshared non-durable subscription: there is nothing to create before the consumer. */
    static final Subscription NONE = new Subscription(null, false, false);

    void check() throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new JMSException("A subscription needs a name");
        }
    }

    /** What messages of a further cursor were sent to. */
    private static MillraceDestination sentTo(DestinationDescribed described) throws JMSException {
        return switch (described.kind()) {
            case QUEUE -> new MillraceQueue(described.name());
            case TOPIC -> new MillraceTopic(described.name());
        };
    }

    ConsumerSpec spec(
            MillraceDestination destination,
            DestinationDescribed described,
            MillraceConnection connection,
            int session,
            Optional<String> selector,
            Acknowledger acknowledger)
            throws JMSException {
        Optional<String> clientId = connection.clientId();
        Optional<SubscribeFrame> cursor = Destinations.cursor(destination)
                .map(known ->
                        (corr, consumer) -> Subscribe.toCursor(corr, session, consumer, described.logId(), known));
        Optional<SubscribeFrame> subscribe = Optional.ofNullable(name)
                .map(known -> (corr, consumer) -> new Subscribe(
                        corr, session, consumer, described.logId(), known, clientId, durable, shared, selector, false));
        return new ConsumerSpec(
                cursor.isPresent() ? sentTo(described) : destination,
                described.logId(),
                described.partitions().size(),
                destination instanceof MillraceTopic && name == null,
                cursor.or(() -> subscribe),
                name == null ? selector : Optional.empty(),
                connection.messages(),
                acknowledger,
                (int) connection.options().number(Option.PREFETCH),
                TimeUnit.MILLISECONDS.toNanos(connection.options().number(Option.PARTITION_REFRESH)));
    }
}
