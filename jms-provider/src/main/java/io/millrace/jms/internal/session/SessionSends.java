package io.millrace.jms.internal.session;

import io.millrace.jms.internal.producer.SendListener;
import io.millrace.jms.internal.transport.LinkException;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sends of one session that nobody waits for: those with a CompletionListener, which are called one at a time in the order of the sends,
 * and the NON_PERSISTENT ones, whose failures go to the ExceptionListener. Usable from any thread.
 */
final class SessionSends {

    private final Executor callbacks;
    private final Consumer<JMSException> failureListener;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final List<CompletableFuture<Void>> drains = new ArrayList<>();
    private volatile @Nullable Thread caller;

    /**
     * Creates a session's sends.
     *
     * @param callbacks runs one task at a time, in order
     * @param failureListener hears of messages without a listener that were not stored
     */
    SessionSends(Executor callbacks, Consumer<JMSException> failureListener) {
        this.callbacks = callbacks;
        this.failureListener = failureListener;
    }

    private final class Entry implements SendListener {
        private final Optional<CompletionListener> listener;
        private final Message message;
        private final Runnable done;
        private Optional<JMSException> failure = Optional.empty();
        private boolean answered;

        Entry(Optional<CompletionListener> listener, Message message, Runnable done) {
            this.listener = listener;
            this.message = message;
            this.done = done;
        }

        @Override
        public void onStored() {
            onOutcome(this, Optional.empty());
        }

        @Override
        public void onFailed(LinkException why) {
            onOutcome(this, Optional.of(JmsFailures.of(why)));
        }

        void call() {
            if (listener.isEmpty()) {
                failure.ifPresent(failureListener);
            } else if (failure.isPresent()) {
                listener.get().onException(message, failure.get());
            } else {
                listener.get().onCompletion(message);
            }
        }
    }

    /**
     * Notes a send, after those noted before.
     *
     * @param listener to be called, or empty
     * @param message that the application handed in
     * @param done runs as soon as the outcome is known, on the loop
     * @return to be told the outcome
     */
    SendListener add(Optional<CompletionListener> listener, Message message, Runnable done) {
        Entry entry = new Entry(listener, message, done);
        synchronized (entries) {
            entries.add(entry);
        }
        return entry;
    }

    /** Returns whether the calling thread is in a CompletionListener of this session. */
    boolean inCallback() {
        return Thread.currentThread().equals(caller);
    }

    /** Returns whether each send so far has its outcome, and its listener has been called: then there is nothing to wait for. */
    boolean isDrained() {
        synchronized (entries) {
            return entries.isEmpty();
        }
    }

    /** Returns a future that is completed when each send so far has its outcome, and its listener has been called. */
    CompletableFuture<Void> drained() {
        CompletableFuture<Void> drained = new CompletableFuture<>();
        synchronized (entries) {
            drains.add(drained);
        }
        completeDrains();
        return drained;
    }

    private void onOutcome(Entry entry, Optional<JMSException> failure) {
        synchronized (entries) {
            entry.answered = true;
            entry.failure = failure;
        }
        entry.done.run();
        callbacks.execute(this::callAnswered);
    }

    /** Runs on one thread at a time. */
    private void callAnswered() {
        Entry next = answeredHead();
        while (next != null) {
            caller = Thread.currentThread();
            try {
                next.call();
            } finally {
                caller = null;
                synchronized (entries) {
                    entries.remove();
                }
            }
            next = answeredHead();
        }
        completeDrains();
    }

    private @Nullable Entry answeredHead() {
        synchronized (entries) {
            Entry head = entries.peek();
            return head != null && head.answered ? head : null;
        }
    }

    private void completeDrains() {
        List<CompletableFuture<Void>> now;
        synchronized (entries) {
            if (!entries.isEmpty()) {
                return;
            }
            now = List.copyOf(drains);
            drains.clear();
        }
        now.forEach(drained -> drained.complete(null));
    }
}
