package io.millrace.server.internal.demo;

import java.util.BitSet;

/** Watches numbered messages arrive: which are missing, came twice, or came before an earlier one did. */
final class SequenceCheck {
    private final int expected;
    private final BitSet seen;
    private int highest = -1;
    private int outOfOrder;
    private int redelivered;
    private int unmarkedDuplicates;

    SequenceCheck(int expected) {
        this.expected = expected;
        this.seen = new BitSet(expected);
    }

    synchronized void received(int number, boolean markedRedelivered) {
        if (seen.get(number)) {
            redelivered++;
            unmarkedDuplicates += markedRedelivered ? 0 : 1;
            return;
        }
        seen.set(number);
        if (number < highest) {
            outOfOrder++;
        }
        highest = Math.max(highest, number);
    }

    synchronized int count() {
        return seen.cardinality();
    }

    synchronized boolean complete() {
        return seen.cardinality() == expected;
    }

    synchronized boolean good() {
        return complete() && outOfOrder == 0 && unmarkedDuplicates == 0;
    }

    @Override
    public synchronized String toString() {
        return "%,d of %,d received, %d lost, %d out of order, %d delivered again and marked as such, %d unmarked duplicates"
                .formatted(
                        seen.cardinality(),
                        expected,
                        expected - seen.cardinality(),
                        outOfOrder,
                        redelivered - unmarkedDuplicates,
                        unmarkedDuplicates);
    }
}
