package io.millrace.testkit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Runs tasks when the test says so, in order, on the test's thread: a shard or a loop that stands still otherwise. Any thread may hand
 * in tasks.
 */
public final class SteppedExecutor implements Executor {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs everything that waits, and what that hands in. */
    public void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Forgets what waits, as a process that ends. */
    public void dropAll() {
        tasks.clear();
    }
}
