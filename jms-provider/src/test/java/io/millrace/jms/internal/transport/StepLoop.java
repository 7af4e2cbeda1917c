package io.millrace.jms.internal.transport;

import io.millrace.testkit.FakeTimeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A loop that a test steps by hand, in its own thread and its own time. */
public final class StepLoop implements Loop {

    private final FakeTimeSource time = new FakeTimeSource();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<Waiting> timers = new ArrayList<>();
    private long lastOrder;

    private record Waiting(long dueNs, long order, Runnable task) {}

    public FakeTimeSource time() {
        return time;
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public Timer schedule(long delayNs, Runnable task) {
        lastOrder++;
        Waiting waiting = new Waiting(time.nanoTime() + delayNs, lastOrder, task);
        timers.add(waiting);
        return () -> timers.remove(waiting);
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    /** There is no other thread that could wait: runs what there is to do, and lets the time pass if that was not enough. */
    @Override
    public boolean awaitDone(CompletableFuture<?> result, long deadlineNs) {
        run();
        while (!result.isDone() && time.nanoTime() - deadlineNs < 0) {
            advanceMs(1);
        }
        return result.isDone();
    }

    /** Runs what was handed in, and what that hands in. */
    public void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    /** Lets time pass, and runs what becomes due in it, in order. */
    public void advanceMs(long ms) {
        run();
        long endNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        Optional<Waiting> next = next(endNs);
        while (next.isPresent()) {
            timers.remove(next.get());
            time.advanceNs(Math.max(0, next.get().dueNs() - time.nanoTime()));
            next.get().task().run();
            run();
            next = next(endNs);
        }
        time.advanceNs(endNs - time.nanoTime());
    }

    public int openTimers() {
        return timers.size();
    }

    private Optional<Waiting> next(long endNs) {
        return timers.stream()
                .filter(timer -> timer.dueNs() - endNs <= 0)
                .min(Comparator.comparingLong(Waiting::dueNs).thenComparingLong(Waiting::order));
    }
}
