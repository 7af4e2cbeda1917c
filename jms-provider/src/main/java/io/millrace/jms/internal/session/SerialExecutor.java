package io.millrace.jms.internal.session;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Runs tasks one after the other on threads that it borrows from a pool. For any thread. */
final class SerialExecutor implements Executor {

    private final Executor pool;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean running;

    SerialExecutor(Executor pool) {
        this.pool = pool;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        borrowThread();
    }

    private void borrowThread() {
        try {
            pool.execute(this::runAll);
        } catch (RejectedExecutionException closed) {
            // The connection is closed: nothing is called any more.
            synchronized (tasks) {
                tasks.clear();
                running = false;
            }
        }
    }

    private void runAll() {
        boolean finished = false;
        try {
            Runnable next = next();
            while (next != null) {
                next.run();
                next = next();
            }
            finished = true;
        } finally {
            if (!finished) {
                // A task failed with an error: the ones behind it still have their turn.
                borrowThread();
            }
        }
    }

    private @Nullable Runnable next() {
        synchronized (tasks) {
            Runnable next = tasks.poll();
            running = next != null;
            return next;
        }
    }
}
