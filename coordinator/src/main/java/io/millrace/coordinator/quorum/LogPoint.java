package io.millrace.coordinator.quorum;

/**
 * A place in the metadata log: everything before {@code endOffset}, the last of it written in {@code epoch}.
 *
 * @param endOffset offset after the last record that is included, 0 for nothing at all
 * @param epoch leader epoch of the record before {@code endOffset}, 0 for nothing at all
 */
public record LogPoint(long endOffset, int epoch) implements Comparable<LogPoint> {

    /** Before the first record. */
    public static final LogPoint START = new LogPoint(0, 0);

    public LogPoint {
        if (endOffset < 0 || epoch < 0) {
            throw new IllegalArgumentException("not a place in a log: offset " + endOffset + ", epoch " + epoch);
        }
    }

    @Override
    public int compareTo(LogPoint other) {
        int byEpoch = Integer.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(endOffset, other.endOffset);
    }

    @Override
    public String toString() {
        return endOffset + "@" + epoch;
    }
}
