package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The transactions that have acknowledgements in a partition and have not ended. What they acknowledged is pending in the cursors; an end
 * counts for all cursors at once.
 *
 * <p>A transaction stays open here when its cursors are gone, so that whoever ends it is not told that it is unknown. Of those in memory only
 * a new leader knows nothing, and of those of other cursors what their pending acknowledgements tell.
 *
 * <p>Not thread-safe: runs on the shard of its partition. Obtained from {@link PartitionCursors#transactions}.
 */
public final class PendingTransactions {

    /** Producer ids of which an end is remembered. What of an older one is late is found open, and nobody knows it: it is aborted then. */
    private static final int FENCES = 1_000;

    private record Open(ProducerIdentity transaction, Set<Cursor> cursors) {}

    private final Turn turn;
    private final Map<Long, Open> open = new LinkedHashMap<>();
    private final Map<Long, Short> fences = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Short> eldest) {
            return size() > FENCES;
        }
    };

    PendingTransactions(Turn turn) {
        this.turn = turn;
    }

    /**
     * What an end did.
     *
     * @param wasOpen whether there was anything to end
     * @param written whether the end is in this turn's records; if not, nothing of it survives
     * @param acknowledged how many records count as acknowledged by it
     */
    public record Ended(boolean wasOpen, boolean written, long acknowledged) {
        private static final Ended NOTHING = new Ended(false, false, 0);
    }

    /** Returns those that are open. */
    public List<ProducerIdentity> open() {
        return open.values().stream().map(Open::transaction).toList();
    }

    /** Returns the one of a producer id that is open. */
    public Optional<ProducerIdentity> open(long producerId) {
        return Optional.ofNullable(open.get(producerId)).map(Open::transaction);
    }

    /** Returns whether a transaction may acknowledge here: not if it, or a later one of its producer id, is known to have ended. */
    public boolean admits(ProducerIdentity transaction) {
        Short fence = fences.get(transaction.id());
        Open known = open.get(transaction.id());
        return (fence == null || transaction.epoch() >= fence)
                && (known == null || transaction.epoch() >= known.transaction.epoch());
    }

    /**
     * Opens a transaction that has or may have acknowledgements here. One of an older epoch of its producer id that is still open is rolled
     * back: nobody will end it.
     *
     * @throws IllegalArgumentException if it is not {@linkplain #admits admitted}
     */
    public void begin(ProducerIdentity transaction) {
        if (!admits(transaction)) {
            throw new IllegalArgumentException("transaction of " + transaction + " has ended");
        }
        Open known = open.get(transaction.id());
        if (known != null && known.transaction.equals(transaction)) {
            return;
        }
        if (known != null) {
            end(known.transaction, known.transaction, false);
        }
        open.put(transaction.id(), new Open(transaction, new LinkedHashSet<>()));
    }

    /** The same, from now on with pending acknowledgements of a cursor. */
    void begin(ProducerIdentity transaction, Cursor cursor) {
        begin(transaction);
        Open known = open.get(transaction.id());
        if (known != null) {
            known.cursors.add(cursor);
        }
    }

    /** Takes up what is pending in a cursor that was replayed. If records of its log are lost, it may be what another one knows the end of. */
    void restore(Cursor cursor) {
        for (ProducerIdentity transaction : cursor.state().pending().transactions()) {
            if (admits(transaction)) {
                begin(transaction, cursor);
            } else {
                turn.writeUnhurried(new CursorRecord.TransactionEnded(transaction, false));
                cursor.endPending(transaction, false);
            }
        }
    }

    /** A cursor is gone, with all that it had pending. */
    void forget(Cursor cursor) {
        open.values().forEach(known -> known.cursors.remove(cursor));
    }

    /**
     * Ends the transaction of a producer id that is open, unless it is a later one: what it acknowledged is so, or available again with its
     * attempts. What is older than the transaction that is named is rolled back.
     *
     * @param transaction under which it acknowledged
     * @param marker under which it ends, the same or with a later epoch: what comes under an earlier one is refused from now on
     */
    public Ended end(ProducerIdentity transaction, ProducerIdentity marker, boolean commit) {
        fences.merge(marker.id(), marker.epoch(), (before, now) -> before > now ? before : now);
        Open known = open.get(transaction.id());
        if (known == null || known.transaction.epoch() > transaction.epoch()) {
            return Ended.NOTHING;
        }
        open.remove(transaction.id());
        boolean counts = commit && known.transaction.equals(transaction);
        boolean written =
                known.cursors.stream().anyMatch(cursor -> cursor.isDurable() && cursor.hasPending(marker.id()));
        if (written) {
            // What the turn noted before is written before, as it was.
            turn.writeUnhurried(new CursorRecord.TransactionEnded(marker, counts));
        }
        long records = 0;
        for (Cursor cursor : known.cursors) {
            records += cursor.endPending(marker, counts);
        }
        return new Ended(true, written, counts ? records : 0);
    }
}
