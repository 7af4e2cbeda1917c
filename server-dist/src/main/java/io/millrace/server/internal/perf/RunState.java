package io.millrace.server.internal.perf;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** What the workers of a run share: its identity, its end, and what went wrong first. Any thread. */
final class RunState {
    /** Whether a worker goes on, and what its message counts for. */
    enum Turn {
        WARMUP,
        MEASURED,
        END
    }

    private final long run;
    private final OptionalLong count;
    private final AtomicLong taken = new AtomicLong();
    private final LongAdder confirmed = new LongAdder();
    private final LongAdder returned = new LongAdder();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile boolean measuring;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean sendingEnded;
    private volatile long lastReceivedNs;

    RunState(long run, OptionalLong count) {
        this.run = run;
        this.count = count;
    }

    long run() {
        return run;
    }

    /** The warm-up is over. */
    void measure(long nowNs) {
        lastReceivedNs = nowNs;
        measuring = true;
    }

    boolean isMeasuring() {
        return measuring;
    }

    /** Asks for one more message to send, or where nothing is sent to receive. Those of the warm-up are not counted. */
    Turn take() {
        if (sendingEnded || isStopped()) {
            return Turn.END;
        }
        if (!measuring) {
            return Turn.WARMUP;
        }
        return count.isEmpty() || taken.getAndIncrement() < count.getAsLong() ? Turn.MEASURED : Turn.END;
    }

    /** Producers end; consumers go on. */
    void endSending() {
        sendingEnded = true;
    }

    boolean isSending() {
        return !sendingEnded;
    }

    /** Everybody ends. */
    void stop() {
        stopped.countDown();
    }

    boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Waits for the end, at most so long, and returns whether it has come. */
    boolean awaitStop(long mostMs) throws InterruptedException {
        return stopped.await(mostMs, TimeUnit.MILLISECONDS);
    }

    void fail(Exception cause) {
        failure.compareAndSet(null, cause);
        stop();
    }

    Optional<Exception> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** The broker has a message of this run. */
    void confirm() {
        confirmed.increment();
    }

    /** All messages of this run that the broker has, those of the warm-up too. */
    long confirmed() {
        return confirmed.sum();
    }

    /** A message came, of this run or of others. */
    void received(boolean ours, long nowNs) {
        if (ours) {
            returned.increment();
        }
        lastReceivedNs = nowNs;
    }

    /** Receptions of messages of this run. */
    long returned() {
        return returned.sum();
    }

    /** When the last message came; what was given to {@link #measure} when none has come since. */
    long lastReceivedNs() {
        return lastReceivedNs;
    }
}
