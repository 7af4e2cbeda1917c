package io.millrace.broker.internal.metrics;

import io.millrace.log.SyncObserver;

/** What the disks take for a round of syncs. Called by the syncers. */
public final class SyncMetrics implements SyncObserver {

    private final Histogram durationNs = new Histogram();
    private final Histogram logs = new Histogram();

    @Override
    public void onRound(int syncedLogs, int forces, long roundNs) {
        durationNs.record(roundNs);
        logs.record(syncedLogs);
    }

    /** From the first force of a round to the end of the last. */
    Histogram durationNs() {
        return durationNs;
    }

    /** Logs that share a round. */
    Histogram logs() {
        return logs;
    }
}
