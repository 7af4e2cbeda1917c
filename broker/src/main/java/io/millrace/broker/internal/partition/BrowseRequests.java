package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.BrowseView;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.LogSlice;
import io.millrace.log.PartitionLog;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Shows what a queue holds, page by page, through the eyes of its cursor, and changes nothing. Between two pages it keeps nothing: a browser is
 * an offset that the client names. On the shard.
 */
public final class BrowseRequests {

    /** Runs of a page: where consumed and other records lie scattered, each costs some bytes. */
    private static final int MAX_RUNS = 4_096;

    private final PartitionCursors cursors;
    private final PartitionLog data;
    private final TransactionalRecords transactional;
    private final ColdReads coldReads;
    private final PartitionEdge edge;
    private final ProgressWatchers watchers;
    private final LongSupplier highWatermark;
    private final Runnable wantSync;

    /**
     * Creates it for a partition.
     *
     * @param watchers tell of a new high watermark, and when the partition goes offline
     * @param wantSync has the turn's end ask for a sync of the data log
     */
    BrowseRequests(
            PartitionCursors cursors,
            PartitionLog data,
            TransactionalRecords transactional,
            ColdReads coldReads,
            PartitionEdge edge,
            ProgressWatchers watchers,
            LongSupplier highWatermark,
            Runnable wantSync) {
        this.cursors = cursors;
        this.data = data;
        this.transactional = transactional;
        this.coldReads = coldReads;
        this.edge = edge;
        this.watchers = watchers;
        this.highWatermark = highWatermark;
        this.wantSync = wantSync;
    }

    /** Shows everything that was sent until now, from an offset on. Answered once all of that is below the high watermark. */
    public void begin(long offset, int maxBytes, Reply<BrowsedPage> reply) {
        if (edge.refuse(reply)) {
            return;
        }
        edge.guard(() -> {
            long end = data.logEndOffset();
            if (highWatermark.getAsLong() >= end) {
                page(offset, end, maxBytes, reply);
                return;
            }
            watchers.add(new Waiting(
                    reply, () -> highWatermark.getAsLong() >= end, () -> page(offset, end, maxBytes, reply)));
            wantSync.run();
        });
    }

    /**
     * Shows the next page.
     *
     * @param offset where to go on, 0 or greater
     * @param endOffset where to end
     * @param maxBytes about how many bytes at most, but at least one batch
     */
    public void next(long offset, long endOffset, int maxBytes, Reply<BrowsedPage> reply) {
        if (!edge.refuse(reply)) {
            edge.guard(() -> page(offset, endOffset, maxBytes, reply));
        }
    }

    private void page(long offset, long endOffset, int maxBytes, Reply<BrowsedPage> reply) {
        long limit = Math.min(endOffset, highWatermark.getAsLong());
        Optional<BrowseView.Run> first = view().next(Math.max(offset, data.logStartOffset()), limit);
        if (first.isEmpty()) {
            reply.onDone(BrowsedPage.empty(endOffset, endOffset));
            return;
        }
        long from = first.get().firstOffset();
        if (coldReads.isCold(from)) {
            Waiting loading = new Waiting(reply, () -> false, () -> {});
            watchers.add(loading);
            coldReads.read(from, maxBytes, limit, slice -> {
                watchers.remove(loading);
                edge.guard(() -> answer(slice, from, endOffset, reply));
            });
        } else {
            answer(data.read(from, maxBytes, limit), from, endOffset, reply);
        }
    }

    private BrowseView view() {
        return BrowseView.of(cursors, CursorId.QUEUE);
    }

    /** Looks anew what is consumed: it may have taken a while to read. */
    private void answer(LogSlice slice, long from, long endOffset, Reply<BrowsedPage> reply) {
        if (slice.isEmpty()) {
            // Removed meanwhile, since it was consumed; or there is nothing behind it.
            long next = from < data.logStartOffset() ? Math.min(data.logStartOffset(), endOffset) : endOffset;
            reply.onDone(BrowsedPage.empty(next, endOffset));
            return;
        }
        Page page = new Page(view(), from, Math.min(endOffset, highWatermark.getAsLong()));
        RecordBatches batches = RecordBatches.over(slice.batches());
        while (!page.isFull() && batches.next()) {
            RecordBatch batch = batches.current();
            page.add(batch, batches.nextPosition() - batch.sizeInBytes());
        }
        reply.onDone(page.of(slice.batches(), endOffset));
    }

    /** A page in the making. */
    private final class Page {

        private final BrowseView view;
        private final long limit;
        private final List<BrowseView.Run> runs = new ArrayList<>();
        private long next;
        private int start;
        private int end;

        Page(BrowseView view, long from, long limit) {
            this.view = view;
            this.next = from;
            this.limit = limit;
        }

        boolean isFull() {
            return runs.size() >= MAX_RUNS;
        }

        void add(RecordBatch batch, int position) {
            long batchEnd = Math.min(batch.nextOffset(), limit);
            Optional<BrowseView.Run> run = view.next(Math.max(batch.baseOffset(), next), batchEnd);
            if (run.isPresent() && !batch.isControl() && !transactional.isAborted(batch)) {
                start = runs.isEmpty() ? position : start;
                end = position + batch.sizeInBytes();
                while (run.isPresent() && !isFull()) {
                    add(run.get());
                    next = run.get().endOffset();
                    run = view.next(next, batchEnd);
                }
            } else {
                run = Optional.empty();
            }
            next = run.isPresent() ? next : batch.nextOffset();
        }

        private void add(BrowseView.Run run) {
            BrowseView.Run last = runs.isEmpty() ? null : runs.getLast();
            if (last != null && last.endOffset() == run.firstOffset() && last.deliveryCount() == run.deliveryCount()) {
                runs.set(runs.size() - 1, new BrowseView.Run(last.firstOffset(), run.endOffset(), run.deliveryCount()));
            } else {
                runs.add(run);
            }
        }

        BrowsedPage of(ByteBuffer batches, long endOffset) {
            return new BrowsedPage(Math.min(next, endOffset), endOffset, runs, batches.slice(start, end - start));
        }
    }

    /** Somebody whose turn has not come: goes on when it has, or is told that it will not. */
    private final class Waiting implements Runnable {

        private final Reply<BrowsedPage> reply;
        private final BooleanSupplier due;
        private final Runnable goOn;

        Waiting(Reply<BrowsedPage> reply, BooleanSupplier due, Runnable goOn) {
            this.reply = reply;
            this.due = due;
            this.goOn = goOn;
        }

        @Override
        public void run() {
            if (edge.refuse(reply)) {
                watchers.remove(this);
            } else if (due.getAsBoolean()) {
                watchers.remove(this);
                edge.guard(goOn);
            }
        }
    }
}
