package io.millrace.benchmarks.program;

import io.millrace.wire.time.TimeSource;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Counts what listeners are given, until as many are there as were sent. Each listener comes from {@link #listener()}, and is called by
 * one thread at a time.
 */
final class Arrivals {
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final TimeSource time;
    private final AtomicLong counted = new AtomicLong();
    private final AtomicReference<@Nullable JMSException> failure = new AtomicReference<>();
    private final CountDownLatch complete = new CountDownLatch(1);
    private final Histogram latencies = RunContext.histogram();
    private volatile long expected = UNKNOWN;
    private volatile long lastNs;

    Arrivals(TimeSource time) {
        this.time = time;
    }

    /** Returns a listener that counts only. */
    MessageListener listener() {
        return message -> count();
    }

    /** Returns a listener that also takes the message's number for the moment at which it had to be sent. */
    MessageListener timingListener() {
        return message -> {
            long nowNs = time.nanoTime();
            try {
                long dueNs = ((BytesMessage) message).readLong();
                synchronized (latencies) {
                    latencies.recordValue(Math.max(0, nowNs - dueNs));
                }
            } catch (JMSException unreadable) {
                failure.compareAndSet(null, unreadable);
            }
            count();
        };
    }

    /** Counts a message that was received without a listener. */
    void add(Message message) {
        count();
    }

    private void count() {
        long number = counted.incrementAndGet();
        if (number >= expected) {
            finish();
        }
    }

    private void finish() {
        lastNs = time.nanoTime();
        complete.countDown();
    }

    /** Says how many will come, before or while they do. */
    void expect(long messages) {
        expected = messages;
        if (counted.get() >= messages) {
            finish();
        }
    }

    /**
     * Waits until all are there.
     *
     * @return when the last came
     * @throws BenchmarkException if they do not come
     */
    long await() throws InterruptedException {
        long before = -1;
        while (!complete.await(RunContext.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            long now = counted.get();
            if (now == before) {
                throw new BenchmarkException("%d of %d messages came, and no further one within %s"
                        .formatted(now, expected, RunContext.PATIENCE));
            }
            before = now;
        }
        JMSException first = failure.get();
        if (first != null) {
            throw new BenchmarkException("a listener failed: " + first, first);
        }
        return lastNs;
    }

    long counted() {
        return counted.get();
    }

    Histogram latencies() {
        synchronized (latencies) {
            return latencies.copy();
        }
    }
}
