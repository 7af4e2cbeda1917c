package io.millrace.broker.internal.partition;

/** Where the cursor of a new consumer comes from. */
public sealed interface CursorStart {

    /** The queue's own cursor, created at offset 0 with the first consumer. */
    record OfQueue() implements CursorStart {}

    /** A subscription's cursor, which exists. */
    record Existing() implements CursorStart {}

    /** A new one in memory, at the end of the log. */
    record Latest() implements CursorStart {}

    /** A new one in memory, at the first record that the log still has. */
    record Earliest() implements CursorStart {}

    /**
     * A new one in memory, at an offset, or as near to it as the log allows.
     *
     * @param offset 0 or more
     */
    record At(long offset) implements CursorStart {}

    /** Returns whether the cursor belongs to the consumer alone and ends with it. */
    default boolean isPrivate() {
        return this instanceof Latest || this instanceof Earliest || this instanceof At;
    }
}
