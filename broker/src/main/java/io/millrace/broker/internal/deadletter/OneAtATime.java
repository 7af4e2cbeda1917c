package io.millrace.broker.internal.deadletter;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs tasks by another executor, in order and one at a time, so that what they hold in memory is held once. From any thread. */
final class OneAtATime implements Executor {

    private final Executor executor;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();

    OneAtATime(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (open.getAndIncrement() == 0) {
            executor.execute(this::runNext);
        }
    }

    private void runNext() {
        Runnable task = tasks.poll();
        try {
            if (task != null) {
                task.run();
            }
        } finally {
            if (open.decrementAndGet() > 0) {
                executor.execute(this::runNext);
            }
        }
    }
}
