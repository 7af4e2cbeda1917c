package io.millrace.broker.internal.simulation;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.log.AbortedTransaction;
import io.millrace.log.LogSlice;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A consumer of Kafka with {@code read_committed} on one queue: reads from the start up to the last stable offset, over and over, and sees each time
 * what it saw before.
 */
final class CommittedReader {

    private static final int READ_BYTES = 1 << 16;

    private record Seen(long offset, String text) {}

    private final SimulatedWorld world;
    private final String queue;
    private List<Seen> before = List.of();

    CommittedReader(SimulatedWorld world, String queue) {
        this.world = world;
        this.queue = queue;
    }

    /** Reads, and compares with what was read before and with what clients know; returns the messages. */
    List<String> read() {
        Partition partition = world.broker().partition(world.logOf(queue));
        if (!partition.snapshot().online()) {
            return List.of();
        }
        List<Seen> now = read(partition);
        int common = Math.min(now.size(), before.size());
        SimulatedWorld.check(
                now.subList(0, common).equals(before.subList(0, common)),
                "what is committed in " + queue + " has changed: it was " + before + " and is " + now);
        // After a crash, until the markers are written again, there may be less.
        if (now.size() > common) {
            now.subList(common, now.size()).forEach(seen -> world.ledger.onRead(seen.text));
            before = now;
        }
        return now.stream().map(Seen::text).toList();
    }

    private static List<Seen> read(Partition partition) {
        List<Seen> seen = new ArrayList<>();
        long end = Math.min(
                partition.log().lastStableOffset(), partition.snapshot().highWatermark());
        List<AbortedTransaction> aborted = partition.log().abortedTransactions(0, end);
        long next = 0;
        while (next < end) {
            LogSlice slice = partition.read(next, READ_BYTES, end);
            SimulatedWorld.check(!slice.isEmpty(), "nothing to read at " + next + " below " + end + " of " + partition);
            RecordBatches batches = RecordBatches.over(slice.batches());
            while (batches.next()) {
                RecordBatch batch = batches.current();
                if (!batch.isControl() && aborted.stream().noneMatch(one -> isOf(batch, one))) {
                    addAll(batch, seen);
                }
            }
            next = slice.nextOffset();
        }
        return seen;
    }

    private static boolean isOf(RecordBatch batch, AbortedTransaction aborted) {
        return batch.isTransactional()
                && aborted.producerId() == batch.producerId()
                && aborted.firstOffset() <= batch.baseOffset()
                && batch.baseOffset() <= aborted.lastOffset();
    }

    private static void addAll(RecordBatch batch, List<Seen> seen) {
        try (RecordCursor records = batch.records()) {
            while (records.next()) {
                seen.add(new Seen(
                        records.offset(),
                        StandardCharsets.UTF_8
                                .decode(Objects.requireNonNull(records.value()))
                                .toString()));
            }
        }
    }
}
