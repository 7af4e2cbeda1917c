package io.millrace.wire.frame;

import java.util.Objects;
import java.util.UUID;

/**
 * State of one subscription on one partition.
 *
 * @param name name of the subscription, empty for a queue's own cursor
 * @param subscriptionUuid its identity, zero for a queue's own cursor
 * @param nextOffset first offset that it has not dealt with
 * @param unacknowledged messages that are not acknowledged, acquired ones included
 * @param acquired messages that are with a consumer
 * @param consumers consumers attached to it
 * @param lost messages that retention removed before they were acknowledged, since the broker leads the partition
 */
public record CursorDescription(
        String name,
        UUID subscriptionUuid,
        long nextOffset,
        long unacknowledged,
        long acquired,
        int consumers,
        long lost) {

    /** Checks the ranges. */
    public CursorDescription {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(subscriptionUuid, "subscriptionUuid");
        FieldChecks.atLeast(0, nextOffset, "nextOffset");
        FieldChecks.atLeast(0, unacknowledged, "unacknowledged");
        FieldChecks.atLeast(0, acquired, "acquired");
        FieldChecks.atLeast(0, consumers, "consumers");
        FieldChecks.atLeast(0, lost, "lost");
    }

    static CursorDescription read(FieldReader in) {
        return new CursorDescription(
                in.string("name"),
                in.uuid("subscriptionUuid"),
                in.i64("nextOffset"),
                in.i64("unacknowledged"),
                in.i64("acquired"),
                in.i32("consumers"),
                in.i64("lost"));
    }

    static void write(FieldWriter out, CursorDescription item) {
        out.string(item.name);
        out.uuid(item.subscriptionUuid);
        out.i64(item.nextOffset);
        out.i64(item.unacknowledged);
        out.i64(item.acquired);
        out.i32(item.consumers);
        out.i64(item.lost);
    }
}
