package io.millrace.coordinator.metadata;

/**
 * The life of a durable subscription: {@code CREATING -> ACTIVE -> DELETED}, or {@code CREATING -> DELETED}.
 *
 * <p>The metadata owns only the existence. The position is in the cursor logs of the log's partitions, under the subscription's id: the
 * subscription becomes active once each of them has created its cursor, and a cursor whose subscription is gone is dropped.
 */
public enum SubscriptionState {
    /** Known, but some partitions have no cursor yet: nobody may consume, records are kept. */
    CREATING(1),
    /** Every partition has a cursor. */
    ACTIVE(2),
    /** The end; the image forgets the subscription. */
    DELETED(3);

    private final int code;

    SubscriptionState(int code) {
        this.code = code;
    }

    /** Returns the number that stands for this state in metadata records. */
    int code() {
        return code;
    }

    boolean mayBecome(SubscriptionState next) {
        return next.code > code;
    }
}
