package io.millrace.broker.internal.partition;

import io.millrace.log.LogSlice;

/**
 * What was read last of a partition. Cursors that keep up with the end of the log all want the same batches: one of them reads, the
 * others find it here. On the shard.
 */
final class RecentSlice {

    private LogSlice slice = LogSlice.empty(0);

    LogSlice slice() {
        return slice;
    }

    void set(LogSlice read) {
        slice = read;
    }

    /** Lets go of the memory. */
    void forget() {
        slice = LogSlice.empty(0);
    }

    static boolean holds(LogSlice slice, long offset) {
        return !slice.isEmpty() && offset >= slice.firstOffset() && offset < slice.nextOffset();
    }
}
