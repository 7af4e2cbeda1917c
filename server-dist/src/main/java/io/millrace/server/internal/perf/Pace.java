package io.millrace.server.internal.perf;

import io.millrace.wire.time.TimeSource;
import java.util.concurrent.locks.LockSupport;

/**
 * When one of several producers is to send each of its messages. A fixed rate keeps its timetable whatever the broker does: a send that
 * took long makes the following ones late, and their latency counts from when they were due. Otherwise one stall of a second would be
 * one slow message instead of a second's worth of them. Runs on the producer's thread.
 */
public final class Pace {
    private static final long SECOND_NS = 1_000_000_000L;

    private final TimeSource time;
    private final long startNs;
    private final double intervalNs;
    private final int producer;
    private final int producers;
    private long sent;

    /**
     * A timetable.
     *
     * @param ratePerSecond of all producers together; 0 for none: a message is due when it is asked for
     */
    public Pace(TimeSource time, long startNs, int ratePerSecond, int producer, int producers) {
        this.time = time;
        this.startNs = startNs;
        this.intervalNs = ratePerSecond == 0 ? 0 : (double) SECOND_NS / ratePerSecond;
        this.producer = producer;
        this.producers = producers;
    }

    /** Returns when the next message is due, which may be in the past. */
    public long nextNs() {
        if (intervalNs == 0) {
            return time.nanoTime();
        }
        return startNs + (long) ((sent++ * producers + producer) * intervalNs);
    }

    /** Waits until then; returns at once when that is past, or when the thread is interrupted. */
    public void await(long dueNs) {
        for (long leftNs = dueNs - time.nanoTime();
                leftNs > 0 && !Thread.currentThread().isInterrupted();
                leftNs = dueNs - time.nanoTime()) {
            LockSupport.parkNanos(this, leftNs);
        }
    }
}
