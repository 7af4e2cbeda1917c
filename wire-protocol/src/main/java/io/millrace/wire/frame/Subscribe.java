package io.millrace.wire.frame;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Creates a subscription or joins it, and claims it for a consumer. Answered by {@link Subscribed} once every partition has its
 * cursor.
 *
 * <p>An unshared durable subscription is claimed by one consumer at a time (else {@link
 * io.millrace.wire.ErrorCode#SUBSCRIPTION_IN_USE}); a shared one that is not durable ends with its last consumer. The claim
 * ends with {@link LeaveSubscription} or with the session. A durable subscription of this name on another topic, or with
 * another selector or noLocal, is replaced, unless somebody consumes it.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param logId identity of the topic's log
 * @param name name of the subscription
 * @param clientId JMS client id that the name belongs to
 * @param durable whether it outlives its consumers
 * @param shared whether several consumers may share it
 * @param selector JMS message selector
 * @param noLocal whether to leave out what the own client id sends
 * @param cursor whether this is a further cursor of the log, {@code log::name}, which may be one of a queue too: it is durable, shared, and
 *     belongs to no client
 */
public record Subscribe(
        int corr,
        int session,
        int consumer,
        UUID logId,
        String name,
        Optional<String> clientId,
        boolean durable,
        boolean shared,
        Optional<String> selector,
        boolean noLocal,
        boolean cursor)
        implements RequestFrame {

    /** Checks the ranges. */
    public Subscribe {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        Objects.requireNonNull(logId, "logId");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(clientId, "clientId");
        Objects.requireNonNull(selector, "selector");
        FieldChecks.require(
                durable || shared,
                "durable",
                "a subscription that is neither durable nor shared is opened by OpenConsumer with source PRIVATE");
        FieldChecks.require(
                !cursor || (durable && shared && clientId.isEmpty()),
                "cursor",
                "a further cursor of a log is durable and shared, and has no client id");
    }

    /** Subscribes to a topic. */
    public Subscribe(
            int corr,
            int session,
            int consumer,
            UUID logId,
            String name,
            Optional<String> clientId,
            boolean durable,
            boolean shared,
            Optional<String> selector,
            boolean noLocal) {
        this(corr, session, consumer, logId, name, clientId, durable, shared, selector, noLocal, false);
    }

    /** Joins a further cursor of a log. */
    public static Subscribe toCursor(int corr, int session, int consumer, UUID logId, String name) {
        return new Subscribe(
                corr, session, consumer, logId, name, Optional.empty(), true, true, Optional.empty(), false, true);
    }

    /** Returns the same request with another selector. */
    public Subscribe withSelector(Optional<String> other) {
        return new Subscribe(corr, session, consumer, logId, name, clientId, durable, shared, other, noLocal, cursor);
    }

    static Subscribe read(FieldReader in) {
        return new Subscribe(
                in.i32("corr"),
                in.i32("session"),
                in.i32("consumer"),
                in.uuid("logId"),
                in.string("name"),
                in.nullableString("clientId"),
                in.bool("durable"),
                in.bool("shared"),
                in.nullableString("selector"),
                in.bool("noLocal"),
                in.bool("cursor"));
    }

    static void write(FieldWriter out, Subscribe frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.uuid(frame.logId);
        out.string(frame.name);
        out.nullableString(frame.clientId);
        out.bool(frame.durable);
        out.bool(frame.shared);
        out.nullableString(frame.selector);
        out.bool(frame.noLocal);
        out.bool(frame.cursor);
    }

    @Override
    public FrameType type() {
        return FrameType.SUBSCRIBE;
    }
}
