package io.millrace.wire.record;

import java.util.List;

/**
 * Records of a batch break a rule of the log that they were sent to: without a key for a log that keeps one record per key, or with a time
 * that is too far from that of the append. Nothing of the batch was stored; a retry fails in the same way.
 */
public final class RecordRefusedException extends RecordFormatException {
    private static final int NAMED = 10;

    private final Reason reason;
    private final List<Integer> recordIndexes;

    /** What is wrong with the records. */
    public enum Reason {
        NO_KEY("has no key, and the log is compacted by key"),
        TIMESTAMP("has a time further from now than the log allows");

        private final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    /**
     * Says which records are refused.
     *
     * @param recordIndexes their places in the batch, from 0; at least one
     * @param detail what was found and what is allowed
     */
    public RecordRefusedException(Reason reason, List<Integer> recordIndexes, String detail) {
        super((recordIndexes.size() == 1 ? "record " : "each of " + recordIndexes.size() + " records, ")
                + recordIndexes.subList(0, Math.min(NAMED, recordIndexes.size()))
                + (recordIndexes.size() > NAMED ? " and more" : "")
                + " of the batch, " + reason.text + ": " + detail);
        this.reason = reason;
        this.recordIndexes = List.copyOf(recordIndexes);
    }

    public Reason reason() {
        return reason;
    }

    /** Places of the records in the batch, from 0, rising. */
    public List<Integer> recordIndexes() {
        return recordIndexes;
    }
}
