package io.millrace.wire.frame;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Opens a consumer on one partition. Answered by {@link ConsumerOpened}.
 *
 * <p>In a resumed session, opening a consumer that the server still knows attaches it again: what {@code held} names stays
 * acquired, everything else that it held goes back uncounted, since the client has never seen it.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param logId identity of the log
 * @param partition partition of the log
 * @param source whose cursor to consume from
 * @param subscriptionUuid identity of the subscription for source SUBSCRIPTION, else {@link #NO_SUBSCRIPTION}
 * @param start where a PRIVATE cursor begins; LATEST for the others, whose cursors have a position
 * @param startOffset the offset for start OFFSET, else -1
 * @param selector JMS message selector of this consumer: what it refuses stays for others, unless the cursor is its own. A subscription that
 *     was created with a selector goes by that one
 * @param creditMessages messages that the server may send at first
 * @param creditBytes bytes of records that the server may send at first; exceeded by at most one message
 * @param held acquisitions that the client still holds, when attaching again
 */
public record OpenConsumer(
        int corr,
        int session,
        int consumer,
        UUID logId,
        int partition,
        ConsumerSource source,
        UUID subscriptionUuid,
        StartPosition start,
        long startOffset,
        Optional<String> selector,
        int creditMessages,
        int creditBytes,
        List<HeldAcquisition> held)
        implements RequestFrame {

    /** Checks the ranges. */
    public OpenConsumer {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        Objects.requireNonNull(logId, "logId");
        FieldChecks.atLeast(0, partition, "partition");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(subscriptionUuid, "subscriptionUuid");
        Objects.requireNonNull(start, "start");
        FieldChecks.atLeast(-1, startOffset, "startOffset");
        Objects.requireNonNull(selector, "selector");
        FieldChecks.atLeast(0, creditMessages, "creditMessages");
        FieldChecks.atLeast(0, creditBytes, "creditBytes");
        held = List.copyOf(held);
        FieldChecks.require(
                (source == ConsumerSource.SUBSCRIPTION) != subscriptionUuid.equals(NO_SUBSCRIPTION),
                "subscriptionUuid",
                "must be given for source SUBSCRIPTION and for no other");
        FieldChecks.require(
                source == ConsumerSource.PRIVATE || start == StartPosition.LATEST,
                "start",
                "only a PRIVATE cursor can be placed");
        FieldChecks.require(
                (start == StartPosition.OFFSET) == (startOffset >= 0),
                "startOffset",
                "must be given for start OFFSET and for no other");
    }

    /** Opens a consumer that takes every message. */
    public OpenConsumer(
            int corr,
            int session,
            int consumer,
            UUID logId,
            int partition,
            ConsumerSource source,
            UUID subscriptionUuid,
            StartPosition start,
            long startOffset,
            int creditMessages,
            int creditBytes,
            List<HeldAcquisition> held) {
        this(
                corr,
                session,
                consumer,
                logId,
                partition,
                source,
                subscriptionUuid,
                start,
                startOffset,
                Optional.empty(),
                creditMessages,
                creditBytes,
                held);
    }

    static OpenConsumer read(FieldReader in) {
        return new OpenConsumer(
                in.i32("corr"),
                in.i32("session"),
                in.i32("consumer"),
                in.uuid("logId"),
                in.i32("partition"),
                ConsumerSource.fromId(in, "source"),
                in.uuid("subscriptionUuid"),
                StartPosition.fromId(in, "start"),
                in.i64("startOffset"),
                in.nullableString("selector"),
                in.i32("creditMessages"),
                in.i32("creditBytes"),
                in.list("held", 18, HeldAcquisition::read));
    }

    static void write(FieldWriter out, OpenConsumer frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.uuid(frame.logId);
        out.i32(frame.partition);
        out.u8(frame.source.id());
        out.uuid(frame.subscriptionUuid);
        out.u8(frame.start.id());
        out.i64(frame.startOffset);
        out.nullableString(frame.selector);
        out.i32(frame.creditMessages);
        out.i32(frame.creditBytes);
        out.list(frame.held, HeldAcquisition::write);
    }

    @Override
    public FrameType type() {
        return FrameType.OPEN_CONSUMER;
    }

    /** Stands for no subscription. */
    public static final UUID NO_SUBSCRIPTION = new UUID(0, 0);
}
