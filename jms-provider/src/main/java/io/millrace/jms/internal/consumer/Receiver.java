package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.consumer.MessageBuffer.Wait;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.Loop.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * The application's end of a consumer: takes messages out of its buffer, and lets the loop know when there should be more. Used by one thread
 * at a time.
 */
public final class Receiver {

    private static final long NANOS_PER_MS = 1_000_000;

    /** Below this, what the server has ready counts as there, though the way from the server may take longer than the timeout. */
    private static final long SHORT_TIMEOUT_NS = 100 * NANOS_PER_MS;

    /** For a server that does not answer: what receiveNoWait waits at most. */
    private static final long PULL_TIMEOUT_NS = 2_000 * NANOS_PER_MS;

    private final Loop loop;
    private final ConsumerFeed feed;

    /** Takes from a consumer. */
    public Receiver(Loop loop, ConsumerFeed feed) {
        this.loop = loop;
        this.feed = feed;
    }

    /**
     * Takes the next message if it is here.
     *
     * @throws io.millrace.jms.internal.transport.LinkException if the consumer has failed
     */
    public Optional<HeldMessage> poll() {
        Optional<HeldMessage> message = feed.buffer().poll();
        message.ifPresent(taken -> tell(() -> feed.onTaken(taken)));
        return message;
    }

    /**
     * Waits for the next message.
     *
     * @param timeoutMs 0 for ever
     * @return empty if none came in time or the consumer was closed
     * @throws io.millrace.jms.internal.transport.LinkException if the consumer has failed
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<HeldMessage> receive(long timeoutMs) throws InterruptedException {
        Optional<HeldMessage> here = poll();
        if (here.isPresent()) {
            return here;
        }
        long timeoutNs = Math.min(timeoutMs, Long.MAX_VALUE / NANOS_PER_MS) * NANOS_PER_MS;
        return await(wait -> {
            // Asked on the loop, since a start that the caller knows of may still be on its way there.
            if (timeoutMs > 0 && timeoutNs < SHORT_TIMEOUT_NS && feed.buffer().running()) {
                return pullFor(timeoutNs, wait);
            }
            feed.onHungry();
            return timeoutMs == 0
                    ? List.of()
                    : List.of(loop.schedule(timeoutNs, () -> feed.buffer().end(wait)));
        });
    }

    /**
     * Takes the next message if it is here or the server has it ready.
     *
     * @throws io.millrace.jms.internal.transport.LinkException if the consumer has failed
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<HeldMessage> receiveNoWait() throws InterruptedException {
        Optional<HeldMessage> here = poll();
        if (here.isPresent()) {
            return here;
        }
        return await(wait -> {
            if (feed.buffer().running()) {
                return pullFor(0, wait);
            }
            feed.buffer().end(wait);
            return List.of();
        });
    }

    /** Puts back what was taken last: it is the next message again. */
    public void putBack(HeldMessage message) {
        feed.buffer().putBack(message);
        tell(() -> feed.onPutBack(message));
    }

    /** Tells the loop that a message is wanted and {@link #poll} found none. */
    public void hunger() {
        tell(feed::onHungry);
    }

    /** Returns false if the connection was closed, and its loop has ended: then there is nobody who would need to know. */
    private boolean tell(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException ended) {
            return false;
        }
    }

    /** Starts waiting, on the loop, and returns the timers to be cancelled afterwards. */
    private interface Start {
        List<Timer> begin(Wait wait);
    }

    private Optional<HeldMessage> await(Start start) throws InterruptedException {
        Wait wait = new Wait();
        List<Timer> timers = new ArrayList<>(); // touched on the loop only
        boolean open = tell(() -> {
            feed.onWaitBegin();
            timers.addAll(start.begin(wait));
        });
        if (!open) {
            return Optional.empty();
        }
        Optional<HeldMessage> message = Optional.empty();
        try {
            message = feed.buffer().await(wait);
        } finally {
            Optional<HeldMessage> taken = message;
            tell(() -> {
                feed.onWaitEnd();
                timers.forEach(Timer::cancel);
                taken.ifPresentOrElse(feed::onTaken, feed::onSated);
            });
        }
        return message;
    }

    /** Waits until the time is up and the server has sent what it has. */
    private List<Timer> pullFor(long timeoutNs, Wait wait) {
        Runnable end = () -> feed.buffer().end(wait);
        Runnable half = new Countdown(timeoutNs > 0 ? 2 : 1, end);
        feed.pull(half);
        List<Timer> timers = new ArrayList<>();
        timers.add(loop.schedule(PULL_TIMEOUT_NS, end));
        if (timeoutNs > 0) {
            timers.add(loop.schedule(timeoutNs, half));
        }
        return timers;
    }

    /** Runs a task when it was called so many times. */
    private static final class Countdown implements Runnable {
        private final Runnable task;
        private int left;

        Countdown(int count, Runnable task) {
            this.left = count;
            this.task = task;
        }

        @Override
        public void run() {
            left--;
            if (left == 0) {
                task.run();
            }
        }
    }
}
