package io.millrace.broker.internal.destination;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A part of an executor: so many tasks run at a time, and the others wait in the order in which they came. Work of one kind then leaves
 * threads to all others, however much of it there is. From any thread.
 */
final class Lane implements Executor {

    private final Executor executor;
    private final int width;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    /** @param width tasks that run at a time, 1 or more */
    Lane(Executor executor, int width) {
        if (width < 1) {
            throw new IllegalArgumentException("a lane of width " + width);
        }
        this.executor = executor;
        this.width = width;
    }

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            if (running == width) {
                waiting.add(task);
                return;
            }
            running++;
        } finally {
            lock.unlock();
        }
        start(task);
    }

    private void start(Runnable task) {
        executor.execute(() -> {
            try {
                task.run();
            } finally {
                next();
            }
        });
    }

    private void next() {
        Runnable task;
        lock.lock();
        try {
            task = waiting.poll();
            running -= task == null ? 1 : 0;
        } finally {
            lock.unlock();
        }
        if (task != null) {
            start(task);
        }
    }
}
