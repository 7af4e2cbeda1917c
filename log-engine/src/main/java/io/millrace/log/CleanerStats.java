package io.millrace.log;

/**
 * What the cleaner has done since it began.
 *
 * @param runs rewritings of a log that came to their end
 * @param failures those that did not
 * @param compacted what compaction by key did
 * @param consumed what the removal of consumed records did
 * @param lastRunMs how long the last one took, in ms, or -1
 * @param maxDirtyRatio largest share of a compacted log that was not cleaned yet, from 0 to 1, when it was looked last
 */
public record CleanerStats(
        long runs, long failures, Work compacted, Work consumed, long lastRunMs, double maxDirtyRatio) {
    /** Nothing yet. */
    public static final CleanerStats NONE = new CleanerStats(0, 0, Work.NONE, Work.NONE, -1, 0);

    /**
     * What was rewritten.
     *
     * @param bytesBefore its size
     * @param bytesAfter what that is now
     * @param recordsBefore number of records in it
     * @param recordsAfter number that is left
     */
    public record Work(long bytesBefore, long bytesAfter, long recordsBefore, long recordsAfter) {
        /** Nothing. */
        public static final Work NONE = new Work(0, 0, 0, 0);

        public Work plus(Work more) {
            return new Work(
                    bytesBefore + more.bytesBefore,
                    bytesAfter + more.bytesAfter,
                    recordsBefore + more.recordsBefore,
                    recordsAfter + more.recordsAfter);
        }

        public long recordsRemoved() {
            return recordsBefore - recordsAfter;
        }
    }

    /** These, and one that came to its end; with what it did, of which one is nothing. */
    public CleanerStats withRun(Work byKey, Work byConsumption, long tookMs) {
        return new CleanerStats(
                runs + 1, failures, compacted.plus(byKey), consumed.plus(byConsumption), tookMs, maxDirtyRatio);
    }

    /** These, and one that failed. */
    public CleanerStats withFailure() {
        return new CleanerStats(runs, failures + 1, compacted, consumed, lastRunMs, maxDirtyRatio);
    }

    /** These, as of a look at what there is to do. */
    public CleanerStats withMaxDirtyRatio(double ratio) {
        return new CleanerStats(runs, failures, compacted, consumed, lastRunMs, ratio);
    }
}
