package io.millrace.benchmarks.micro;

import io.millrace.coordinator.cursor.Acquisition;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.CursorLimits;
import io.millrace.coordinator.cursor.CursorOutcome;
import io.millrace.coordinator.cursor.LeaderStart;
import io.millrace.coordinator.cursor.LeaderTerm;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.cursor.PartitionCursors;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A turn of a queue's cursor in which a consumer is lent a hundred messages, and acknowledges them, all at once or one by one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CursorBenchmark {
    private static final int MESSAGES = 100;
    private static final long ENDLESS = 1L << 50;

    private final ConsumerKey consumer = new ConsumerKey(new UUID(1, 1), 0);
    private final ConsumerKey other = new ConsumerKey(new UUID(2, 2), 0);

    /** Unacknowledged messages of another consumer that lie apart from one another before those of ours. */
    @Param({"0", "1000"})
    private int holes;

    private PartitionCursors cursors = new PartitionCursors(CursorLimits.DEFAULT);

    @SuppressWarnings("NullAway.Init") // by setUp
    private Cursor cursor;

    private long logEnd;

    /** Makes a queue without end, of which the other consumer holds every second message. */
    @Setup(Level.Iteration)
    public void setUp() {
        cursors = new PartitionCursors(CursorLimits.DEFAULT);
        logEnd = 0;
        cursors.lead(new LeaderTerm(0, 1), LeaderStart.COMPLETE, 0);
        cursors.truncate(0);
        endTurn();
        cursor = cursors.create(CursorId.QUEUE, 0);
        cursors.onHighWatermark(ENDLESS);
        endTurn();
        cursor.attach(consumer);
        cursor.attach(other);
        for (int i = 0; i < holes; i++) {
            if (cursor.acquire(other, 1).isEmpty()) {
                throw new IllegalStateException("the queue without end has nothing to lend");
            }
            Acquisition mine = cursor.acquire(consumer, 1).orElseThrow();
            cursor.acknowledge(consumer, mine.id(), List.of(OffsetRange.of(2L * i + 1)));
        }
        endTurn();
    }

    /** One range for all. */
    @Benchmark
    public CursorOutcome acknowledgeRange() {
        Acquisition lent = cursor.acquire(consumer, MESSAGES).orElseThrow();
        long first = lent.grants().getFirst().firstOffset();
        cursor.acknowledge(consumer, lent.id(), List.of(OffsetRange.ofCount(first, MESSAGES)));
        return endTurn();
    }

    /** One request for each, newest first, so that nothing joins until the end. */
    @Benchmark
    public CursorOutcome acknowledgeEach() {
        Acquisition lent = cursor.acquire(consumer, MESSAGES).orElseThrow();
        long first = lent.grants().getFirst().firstOffset();
        for (int i = MESSAGES - 1; i >= 0; i--) {
            cursor.acknowledge(consumer, lent.id(), List.of(OffsetRange.of(first + i)));
        }
        return endTurn();
    }

    private CursorOutcome endTurn() {
        CursorOutcome outcome = cursors.endTurn();
        logEnd += outcome.records().size();
        cursors.onAppended(logEnd);
        cursors.onCursorLogHighWatermark(logEnd);
        return outcome;
    }
}
