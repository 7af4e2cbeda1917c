package io.millrace.benchmarks.program;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that do the same, begin at one moment, and whose first failure is that of the run. */
final class Workers {
    private Workers() {}

    /** The work of one thread. */
    @FunctionalInterface
    interface Work {
        void run(int index) throws JMSException, InterruptedException;
    }

    /** Called when all threads are there, just before they begin. */
    @FunctionalInterface
    interface Start {
        void begin();
    }

    /** Runs and waits for all. */
    static void run(int threads, Start start, Work work) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(threads);
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<Exception> failure = new AtomicReference<>();
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int index = i;
            started.add(Thread.ofPlatform().name("worker-" + i).start(() -> {
                try {
                    ready.countDown();
                    go.await();
                    work.run(index);
                } catch (JMSException | InterruptedException | RuntimeException failed) {
                    failure.compareAndSet(null, failed);
                }
            }));
        }
        ready.await();
        start.begin();
        go.countDown();
        for (Thread thread : started) {
            thread.join();
        }
        Exception first = failure.get();
        if (first != null) {
            throw new BenchmarkException("a worker failed: " + first, first);
        }
    }
}
