package io.millrace.coordinator.cursor;

import java.util.Objects;
import java.util.UUID;

/**
 * Identity of a cursor within its partition: the UUID of the subscription whose position it is.
 *
 * <p>The metadata log owns the existence and the name of subscriptions; the cursor log knows this id only. A subscription that is
 * deleted and made again, or whose selector changes, gets another UUID, so a late record can never hit a later subscription.
 */
public record CursorId(UUID value) {

    /** The cursor that every queue has of itself, on each of its partitions. */
    public static final CursorId QUEUE = new CursorId(new UUID(0, 0));

    public CursorId {
        Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
        return this.equals(QUEUE) ? "queue" : value.toString();
    }
}
