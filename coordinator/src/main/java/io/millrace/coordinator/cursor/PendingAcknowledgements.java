package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Acknowledgements of one cursor that count when their transactions are committed: for each producer id those of one epoch. */
final class PendingAcknowledgements {

    private static final OffsetSet NONE = new OffsetSet();

    private record Pending(ProducerIdentity transaction, OffsetSet offsets) {}

    /** By producer id, ascending, so that all images of one state are equal. */
    private final Map<Long, Pending> byProducer = new TreeMap<>();

    private final OffsetSet all = new OffsetSet();

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns how many records are pending. */
    long count() {
        return all.count();
    }

    /** Returns all that are pending; to be read only. */
    OffsetSet all() {
        return all;
    }

    /** Returns those of one transaction; to be read only. */
    OffsetSet of(ProducerIdentity transaction) {
        Pending pending = byProducer.get(transaction.id());
        return pending == null || !pending.transaction.equals(transaction) ? NONE : pending.offsets;
    }

    /** Returns whether a producer id has any. */
    boolean has(long producerId) {
        return byProducer.containsKey(producerId);
    }

    /** Returns the transactions that have any. */
    List<ProducerIdentity> transactions() {
        List<ProducerIdentity> transactions = new ArrayList<>();
        byProducer.values().forEach(pending -> transactions.add(pending.transaction));
        return transactions;
    }

    /** Returns whether those of another epoch of the same producer id have to be ended before there can be any of this one. */
    boolean isOtherEpochOpen(ProducerIdentity transaction) {
        Pending pending = byProducer.get(transaction.id());
        return pending != null && !pending.transaction.equals(transaction);
    }

    /** Adds records that are not pending, of a producer id of which no other epoch is. */
    void add(ProducerIdentity transaction, long first, long end) {
        byProducer
                .computeIfAbsent(transaction.id(), id -> new Pending(transaction, new OffsetSet()))
                .offsets
                .add(first, end);
        all.add(first, end);
    }

    /** Forgets records, whosever they are. */
    void remove(long first, long end) {
        long next = all.nextPresent(first);
        if (next == OffsetSet.NONE || next >= end) {
            return;
        }
        all.remove(first, end);
        for (Iterator<Pending> each = byProducer.values().iterator(); each.hasNext(); ) {
            OffsetSet offsets = each.next().offsets;
            offsets.remove(first, end);
            if (offsets.isEmpty()) {
                each.remove();
            }
        }
    }

    /** Forgets those of a producer id, if their epoch is at most this one, and returns them. */
    OffsetSet end(ProducerIdentity marker) {
        Pending pending = byProducer.get(marker.id());
        if (pending == null || pending.transaction.epoch() > marker.epoch()) {
            return NONE;
        }
        byProducer.remove(marker.id());
        pending.offsets.forEachIn(0, Long.MAX_VALUE, all::remove);
        return pending.offsets;
    }
}
