package io.millrace.broker.internal.partition;

import io.millrace.log.LogSlice;
import io.millrace.log.OffsetOutOfRangeException;
import io.millrace.log.PartitionLog;
import io.millrace.log.SegmentInfo;
import io.millrace.wire.MillraceException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Reads of the data log that may have to wait for the disk: whoever consumes an old backlog must not hold up the other partitions of the
 * shard. What was written last is in the page cache and read on the shard itself. On the shard, but for the reads.
 */
final class ColdReads {

    private final PartitionLog log;
    private final long coldBytes;
    private final Executor io;
    private final Executor shard;
    private final Consumer<MillraceException> failed;

    /**
     * Creates the reads of a log.
     *
     * @param coldBytes distance from the end of the log, in bytes, from which on records may not be in the page cache
     * @param io where a read may wait
     * @param failed takes what went wrong, on the shard
     */
    ColdReads(PartitionLog log, long coldBytes, Executor io, Executor shard, Consumer<MillraceException> failed) {
        this.log = log;
        this.coldBytes = coldBytes;
        this.io = io;
        this.shard = shard;
        this.failed = failed;
    }

    /** Returns whether a read at this offset may have to wait for the disk. */
    boolean isCold(long offset) {
        if (log.sizeBytes() < coldBytes) {
            return false;
        }
        List<SegmentInfo> segments = log.segments();
        long behind = 0;
        for (int i = segments.size() - 1; i >= 0 && segments.get(i).baseOffset() > offset; i--) {
            behind += segments.get(i).sizeBytes();
        }
        return behind >= coldBytes;
    }

    /** Reads elsewhere and passes the result on, on the shard. */
    void read(long offset, int maxBytes, long endOffset, Consumer<LogSlice> done) {
        io.execute(() -> {
            try {
                LogSlice slice = log.read(offset, maxBytes, endOffset);
                shard.execute(() -> done.accept(slice));
            } catch (OffsetOutOfRangeException removedMeanwhile) {
                shard.execute(() -> done.accept(LogSlice.empty(offset)));
            } catch (MillraceException e) {
                shard.execute(() -> failed.accept(e));
            }
        });
    }
}
