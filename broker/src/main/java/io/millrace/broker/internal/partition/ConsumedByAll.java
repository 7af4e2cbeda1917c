package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.ConsumedSet;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.ConsumedRecords;
import io.millrace.log.LogClosedException;
import io.millrace.log.PartitionLog;
import io.millrace.log.SegmentInfo;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.time.TimeSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Tells the cleaner which records of a queue its own cursor and every {@code queue::name} cursor have consumed. With a time for which they have
 * to stay, those of a segment may go once nothing of it was consumed for so long: one note for each segment, in memory, so after a restart the
 * time begins again. On the shard.
 */
final class ConsumedByAll implements ConsumedRecords {

    private record Note(long endOffset, long consumed, long sinceNs) {}

    private final PartitionLog data;
    private final PartitionCursors cursors;
    private final PartitionCursorLog cursorLog;
    private final PartitionEdge edge;
    private final Runnable markDirty;
    private final TimeSource time;
    private final Map<Long, Note> notes = new HashMap<>();
    private long rewindsSeen;
    private long retentionNs;

    ConsumedByAll(
            long consumedRetentionMs,
            PartitionLog data,
            PartitionCursors cursors,
            PartitionCursorLog cursorLog,
            PartitionEdge edge,
            Runnable markDirty,
            TimeSource time) {
        this.data = data;
        this.cursors = cursors;
        this.cursorLog = cursorLog;
        this.edge = edge;
        this.markDirty = markDirty;
        this.time = time;
        consumedRetentionMs(consumedRetentionMs);
    }

    /** Consumed records stay so long from now on. */
    void consumedRetentionMs(long newRetentionMs) {
        retentionNs = TimeUnit.MILLISECONDS.toNanos(newRetentionMs);
        if (newRetentionMs == 0) {
            notes.clear();
        }
    }

    @Override
    public long countIn(long firstOffset, long endOffset) {
        boolean known = !edge.isOffline()
                && cursors.isLeading()
                && cursors.cursor(CursorId.QUEUE).isPresent();
        long consumed = known ? cursors.consumedIn(firstOffset, endOffset) : 0;
        return consumed > 0 && mayGo(firstOffset, endOffset, consumed) ? consumed : 0;
    }

    private boolean mayGo(long firstOffset, long endOffset, long consumed) {
        if (retentionNs == 0) {
            return true;
        }
        if (cursors.rewinds() != rewindsSeen) {
            // What was consumed once more was so for less time than its number tells.
            rewindsSeen = cursors.rewinds();
            notes.clear();
        }
        long nowNs = time.nanoTime();
        Note note = notes.get(firstOffset);
        if (note != null && note.endOffset == endOffset && note.consumed == consumed) {
            return nowNs - note.sinceNs >= retentionNs;
        }
        forgetSegmentsThatAreGone();
        notes.put(firstOffset, new Note(endOffset, consumed, nowNs));
        return false;
    }

    private void forgetSegmentsThatAreGone() {
        if (notes.size() > data.segments().size()) {
            Set<Long> there =
                    data.segments().stream().map(SegmentInfo::baseOffset).collect(Collectors.toSet());
            notes.keySet().retainAll(there);
        }
    }

    @Override
    public CompletionStage<Found> find(long firstOffset, long endOffset) {
        CompletableFuture<Found> answer = new CompletableFuture<>();
        Reply<Found> reply = new Reply<>() {
            @Override
            public void onDone(Found found) {
                answer.complete(found);
            }

            @Override
            public void onFailed(ErrorCode code, String why) {
                answer.completeExceptionally(new LogClosedException(data.partition() + " is offline: " + why));
            }
        };
        if (edge.refuse(reply)) {
            return answer;
        }
        boolean any = countIn(firstOffset, endOffset) > 0;
        // A crash must not bring back somebody who needs them: so what was noted up to now has to be safe first.
        cursorLog.answerWhenReplicated(
                reply, any ? new Consumed(cursors.consumed(firstOffset, endOffset), cursors.rewinds()) : new None());
        markDirty.run();
        return answer;
    }

    private final class Consumed implements Found {
        private final ConsumedSet offsets;
        private final long rewinds;

        Consumed(ConsumedSet offsets, long rewinds) {
            this.offsets = offsets;
            this.rewinds = rewinds;
        }

        @Override
        public boolean contains(long offset) {
            return offsets.contains(offset);
        }

        @Override
        public boolean stillHolds() {
            return !edge.isOffline() && cursors.rewinds() == rewinds;
        }
    }

    private static final class None implements Found {
        @Override
        public boolean contains(long offset) {
            return false;
        }

        @Override
        public boolean stillHolds() {
            return true;
        }
    }
}
