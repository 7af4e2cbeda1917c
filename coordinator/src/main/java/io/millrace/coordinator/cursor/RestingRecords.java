package io.millrace.coordinator.cursor;

import io.millrace.wire.time.TimeSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/**
 * Records of all cursors of a partition that came back and rest before they are lent again, as the {@link RedeliveryPolicy} says. Known in
 * memory only: another leader lends them at once.
 *
 * <p>They are among the records that have attempts, of which a cursor has no more than its window.
 *
 * <p>Not thread-safe: runs on the shard of its partition. Obtained from {@link PartitionCursors#resting}.
 */
public final class RestingRecords {

    private record Rest(long untilNs, long number, Lending of, long first, long end) implements Comparable<Rest> {
        @Override
        public int compareTo(Rest other) {
            int byTime = Long.compare(untilNs - other.untilNs, 0);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** What rests are made of, once somebody wants any. */
    private record Terms(RedeliveryPolicy policy, TimeSource time) {}

    private final PriorityQueue<Rest> rests = new PriorityQueue<>();
    private Optional<Terms> terms = Optional.empty();
    private long number;

    /**
     * Goes by a policy from now on; what rests already does so for the time that it was given. Before the first call nothing rests.
     *
     * @param time its monotonic clock says when a rest is over
     */
    public void restBy(RedeliveryPolicy policy, TimeSource time) {
        terms = Optional.of(new Terms(policy, time)).filter(some -> some.policy.delays());
    }

    /** Has records available again whose rest is over by a time of the monotonic clock; returns whether there are any. */
    public boolean wake(long nowNs) {
        boolean woken = false;
        for (Rest next = rests.peek(); next != null && next.untilNs - nowNs <= 0; next = rests.peek()) {
            rests.remove();
            next.of.onRested(next.first, next.end);
            woken = true;
        }
        return woken;
    }

    /** Returns the time of the monotonic clock at which the next rest is over, if anything rests. */
    public OptionalLong nextNs() {
        Rest next = rests.peek();
        return next == null ? OptionalLong.empty() : OptionalLong.of(next.untilNs);
    }

    /** Returns whether {@link #rest} would do anything. */
    boolean areWanted() {
        return terms.isPresent();
    }

    /** Records were delivered, and came back. Returns whether they rest now. */
    boolean rest(Lending of, long first, long end, int attempts) {
        if (terms.isEmpty()) {
            return false;
        }
        Terms by = terms.get();
        long delayNs = by.policy.delayNs(first, attempts);
        if (delayNs <= 0) {
            return false;
        }
        rests.add(new Rest(by.time.nanoTime() + delayNs, number++, of, first, end));
        return true;
    }
}
