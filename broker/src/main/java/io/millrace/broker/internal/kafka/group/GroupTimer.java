package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.internal.shard.Shard;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.apache.kafka.server.util.timer.TimerTaskEntry;

/**
 * The timeouts of groups: sessions, rebalances, retention. Tasks are added from any thread and run on a shard, which must not mind: each
 * only queues an event.
 *
 * <p>Every heartbeat takes a timer back and adds another one. Timers that were taken back stay until they are half of all; then they are
 * swept out, so that there are never more than twice as many as members need.
 */
final class GroupTimer implements Timer {

    private static final int SWEEP_FROM = 1_024;

    private record Entry(long deadlineNs, TimerTaskEntry task) {}

    private final Shard shard;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    /** Deadlines are compared by their distance, since the clock may overflow. */
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparing(Entry::deadlineNs, (a, b) -> Long.signum(a - b)));

    private int sweepAt = SWEEP_FROM;
    private boolean armed;
    private long armedForNs;
    private boolean closed;

    GroupTimer(Shard shard, TimeSource time) {
        this.shard = shard;
        this.time = time;
    }

    @Override
    public void add(TimerTask task) {
        long deadlineNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, task.delayMs));
        boolean first;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            entries.add(new Entry(deadlineNs, new TimerTaskEntry(task, TimeUnit.NANOSECONDS.toMillis(deadlineNs))));
            if (entries.size() >= sweepAt) {
                entries.removeIf(entry -> entry.task.cancelled());
                sweepAt = Math.max(SWEEP_FROM, 2 * entries.size());
            }
            first = !armed || deadlineNs - armedForNs < 0;
            if (first) {
                armed = true;
                armedForNs = deadlineNs;
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            shard.execute(() -> fireAt(deadlineNs));
        }
    }

    private void fireAt(long deadlineNs) {
        shard.schedule(Math.max(0, deadlineNs - time.nanoTime()), () -> fire(deadlineNs));
    }

    private void fire(long deadlineNs) {
        for (TimerTaskEntry due : takeDue(deadlineNs)) {
            if (!due.cancelled()) {
                due.timerTask.run();
            }
        }
    }

    private List<TimerTaskEntry> takeDue(long deadlineNs) {
        List<TimerTaskEntry> due = new ArrayList<>();
        lock.lock();
        try {
            if (!armed || armedForNs != deadlineNs) {
                // An earlier one came in between, and has seen to the rest.
                return due;
            }
            long nowNs = time.nanoTime();
            for (Entry next = entries.peek(); next != null; next = entries.peek()) {
                if (!next.task.cancelled() && next.deadlineNs - nowNs > 0) {
                    break;
                }
                entries.poll();
                due.add(next.task);
            }
            Entry next = entries.peek();
            armed = next != null && !closed;
            if (next != null && armed) {
                armedForNs = next.deadlineNs;
                fireAt(armedForNs);
            }
        } finally {
            lock.unlock();
        }
        return due;
    }

    @Override
    public boolean advanceClock(long timeoutMs) {
        throw new IllegalStateException("the clock of the shard moves these timers");
    }

    @Override
    public int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            entries.clear();
        } finally {
            lock.unlock();
        }
    }
}
