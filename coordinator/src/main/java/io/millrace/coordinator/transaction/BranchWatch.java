package io.millrace.coordinator.transaction;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Looks for prepared branches that nobody decides. What such a branch wrote is in the way of others: of the last stable offset of its
 * partitions, and of whoever would get the messages that it acknowledged.
 *
 * <p>Time is the monotonic clock's: a jump of the other one raises no alert, and a branch that was prepared before a restart begins to count
 * anew, so that its transaction manager has its time to recover.
 */
final class BranchWatch {

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final TransactionTable table;
    private final BranchAlerts alerts;
    private final Map<String, Waiting> told = new HashMap<>();

    /** A branch that was told of, and since when it was prepared. */
    private record Waiting(Transaction branch, long sinceNs) {

        /** What is decided is in the way until the partitions know. */
        boolean isOver() {
            TransactionState state = branch.record().state();
            return branch.isForgotten() || (!state.isPromised() && !state.isEnding());
        }
    }

    BranchWatch(TransactionTable table, BranchAlerts alerts) {
        this.table = table;
        this.alerts = alerts;
    }

    void look(long nowNs) {
        for (Iterator<Waiting> all = told.values().iterator(); all.hasNext(); ) {
            Waiting one = all.next();
            if (one.isOver()) {
                all.remove();
                alerts.onOver(one.branch.record(), ms(nowNs - one.sinceNs));
            }
        }
        for (Transaction transaction : table.prepared()) {
            long waitingNs = nowNs - transaction.touchedNs();
            if (waitingNs > PATIENCE_NS && !told.containsKey(transaction.id())) {
                told.put(transaction.id(), new Waiting(transaction, transaction.touchedNs()));
                alerts.onInDoubt(transaction.record(), ms(waitingNs));
            }
        }
    }

    private static long ms(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
