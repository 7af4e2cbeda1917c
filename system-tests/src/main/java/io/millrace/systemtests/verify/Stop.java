package io.millrace.systemtests.verify;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells clients to stop. From any thread. */
final class Stop {
    private final CountDownLatch asked = new CountDownLatch(1);

    void ask() {
        asked.countDown();
    }

    boolean isAsked() {
        return asked.getCount() == 0;
    }

    /** Waits for a while, or until it is asked. */
    void await(long durationMs) {
        try {
            if (asked.await(durationMs, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            ask();
        }
    }
}
