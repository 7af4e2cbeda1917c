package io.millrace.log;

/** Sees how long the disk takes. Called on the threads of the syncers, one for each data directory, so it must be quick. */
@FunctionalInterface
public interface SyncObserver {

    /** Looks away. */
    SyncObserver NONE = (logs, forces, durationNs) -> {};

    /**
     * A round of a directory's syncer has made durable what was asked for.
     *
     * @param logs logs that were synced, 0 when only {@code synced-offsets} was
     * @param forces files and directories that were forced, at the same time; the commit journal is one for many logs
     * @param durationNs from the first force to the end of the last
     */
    void onRound(int logs, int forces, long durationNs);
}
