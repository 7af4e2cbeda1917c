package io.millrace.broker.internal.partition;

/**
 * What a purge removed, or would remove.
 *
 * @param removed messages that nobody held
 * @param inFlight messages that stay with their consumers
 * @param consumers consumers attached
 */
public record Purged(long removed, long inFlight, int consumers) {

    /** Nothing to remove. */
    public static final Purged NOTHING = new Purged(0, 0, 0);

    /** The same over two partitions. */
    public Purged plus(Purged other) {
        return new Purged(removed + other.removed, inFlight + other.inFlight, consumers + other.consumers);
    }
}
