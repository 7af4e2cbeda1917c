package io.millrace.log.internal.sync;

import io.millrace.log.internal.journal.JournalEntry;
import java.util.List;

/**
 * Decides whether a round writes its logs to the commit journal, or forces their files. The figures are measured; the decision record on the
 * commit journal has them.
 *
 * <p>The journal costs one force of a file whose metadata stays as it is, whatever the number of logs, and a second copy of all bytes. Files
 * cost a dearer force each, plus one of {@code synced-offsets}. So the journal pays, even for one log, as long as each has little.
 *
 * @param mostBytesEach most bytes of a log, on average
 * @param mostBytes most bytes of a round
 * @param mostUnsettled most logs whose files are kept open because only the journal has their last bytes
 */
record JournalSwitch(long mostBytesEach, long mostBytes, int mostUnsettled) {
    /**
     * As measured.
     *
     * @param maxOpenFiles most open files: those whose last bytes only the journal has may be most of them
     */
    static JournalSwitch measured(int maxOpenFiles) {
        return new JournalSwitch(64 << 10, 4 << 20, maxOpenFiles / 5 * 4);
    }

    /**
     * Whether the journal is the better place.
     *
     * @param jobs those that can be written to it
     * @param unsettled number of logs whose files are kept open already
     */
    boolean paysFor(List<SyncJob> jobs, int unsettled) {
        if (jobs.isEmpty() || unsettled + jobs.size() > mostUnsettled) {
            return false;
        }
        long bytes = 0;
        for (SyncJob job : jobs) {
            bytes += job.journal().map(JournalEntry::sizeBytes).orElse(0L);
        }
        return bytes <= mostBytes && bytes <= mostBytesEach * jobs.size();
    }
}
