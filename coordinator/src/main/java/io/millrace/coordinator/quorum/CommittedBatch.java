package io.millrace.coordinator.quorum;

import java.util.List;

/**
 * Records that a majority has on disk, written by one leader in one step: they take effect together or not at all.
 *
 * <p>Offsets have gaps between batches, where the quorum keeps records of its own.
 *
 * @param baseOffset offset of the first record, 0 or more
 * @param epoch leader epoch in which the batch was written
 * @param appendTimeMs the writing leader's clock, in ms; for people only, it says nothing about order
 * @param records the records as they were proposed, at least one; not to be modified
 */
public record CommittedBatch(long baseOffset, int epoch, long appendTimeMs, List<byte[]> records) {

    public CommittedBatch {
        records = List.copyOf(records);
        if (baseOffset < 0 || epoch < 1 || records.isEmpty()) {
            throw new IllegalArgumentException(
                    "not a batch: offset " + baseOffset + ", epoch " + epoch + ", " + records.size() + " records");
        }
    }

    /** Returns the offset of the last record. */
    public long lastOffset() {
        return baseOffset + records.size() - 1;
    }

    /** Returns the place after this batch. */
    public LogPoint end() {
        return new LogPoint(lastOffset() + 1, epoch);
    }
}
