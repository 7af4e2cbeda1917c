package io.millrace.log.internal.clean;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.ConsumedRecords;
import io.millrace.log.LogConfig;
import io.millrace.log.PartitionId;
import io.millrace.log.internal.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** What the cleaner needs of a log. From any thread: what belongs to the shard is done there, and answered later. */
public interface CleanableLog {
    PartitionId partition();

    LogConfig config();

    /** The data directory that it is in. */
    Path directory();

    /** The log as it is now, below everything that is undecided. */
    View view();

    /** The log as it is now, with what is undecided too: for a rule that leaves that alone, and the ends of transactions. */
    View durableView();

    /** The last batch of each producer, as of some moment after the call. */
    CompletionStage<Map<Long, LastBatch>> lastBatches();

    /** A new segment that is no part of the log yet; {@code .cleaned} until it is. */
    Segment newSegment(long baseOffset) throws IOException;

    /**
     * Puts a segment that is sealed, and durable, in the place of others that lie next to each other, whose offsets it covers.
     *
     * @param stillWanted asked on the shard, right before: whether it is to be done
     * @return whether that was done; if not, the others are no longer what they were, and the segment is of no use
     */
    CompletionStage<Boolean> replace(List<Segment> old, Segment cleaned, BooleanSupplier stillWanted);

    /** Whether records may go that were consumed. */
    boolean dropsConsumed();

    /** Of each segment, the number of offsets that were consumed. */
    CompletionStage<List<Long>> countConsumed(List<Segment> segments);

    /** The offsets of a segment that were consumed for good. */
    CompletionStage<ConsumedRecords.Found> findConsumed(Segment segment);

    /** The aborted transactions that have a record, or their marker, within some offsets, wherever in the log their marker is. */
    List<AbortedTransaction> aborted(long fromOffset, long endOffsetExclusive);

    /**
     * The part of a log that may be rewritten.
     *
     * @param logStartOffset first offset that can be read
     * @param segments oldest first: sealed, durable, and as far as was asked for
     * @param logEndOffset offset of the next record
     */
    record View(long logStartOffset, List<Segment> segments, long logEndOffset) {
        public View {
            segments = List.copyOf(segments);
        }
    }

    /**
     * What must be kept of a producer, so that its next batch is recognized.
     *
     * @param lastDataOffset last offset of its last batch of records, if one is known
     * @param epoch its epoch
     */
    record LastBatch(OptionalLong lastDataOffset, short epoch) {}
}
