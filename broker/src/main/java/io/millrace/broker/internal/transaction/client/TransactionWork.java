package io.millrace.broker.internal.transaction.client;

import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * What one session has under way under one identity. A participant is added at the coordinator before the first that is written there; what comes
 * meanwhile waits, in order. Whoever ends the transaction waits for the outcome of all of it. From any thread.
 *
 * <p>OPEN -> CLOSED. What failed in it, or came too late, makes it fail as a whole.
 */
public final class TransactionWork {

    private final ProducerIdentity identity;
    private final boolean shared;
    private final Function<Participant, CompletionStage<Void>> adding;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Participant> added = new HashSet<>();
    private final Map<Participant, Queue<Step>> waiting = new HashMap<>();
    private final List<CompletableFuture<Optional<String>>> settling = new ArrayList<>();
    private Optional<String> failure = Optional.empty();
    private boolean closed;
    private boolean used;
    private int underWay;

    /** Something that is to be written. One of the two is called, once, and then the outcome is told to {@link #onOutcome}. */
    public interface Step {

        /** The participant is known to the coordinator: it may be written. Must not wait. */
        void run();

        /** It may not be written. */
        void refuse(String why);
    }

    /**
     * Creates work that has not begun.
     *
     * @param shared whether other sessions may write under the same identity
     * @param adding adds a participant at the coordinator
     */
    TransactionWork(ProducerIdentity identity, boolean shared, Function<Participant, CompletionStage<Void>> adding) {
        this.identity = identity;
        this.shared = shared;
        this.adding = adding;
    }

    /** Returns under which it is written. */
    public ProducerIdentity identity() {
        return identity;
    }

    /** Returns whether other sessions may write under the same identity, at the same time. */
    public boolean isShared() {
        return shared;
    }

    /** Has something written, after what was submitted before for the same participant. */
    public void submit(Participant participant, Step step) {
        Optional<String> refusal;
        boolean first = false;
        boolean now = false;
        lock.lock();
        try {
            refusal = closed && failure.isEmpty()
                    ? Optional.of("the transaction of " + identity + " is ending")
                    : failure;
            if (refusal.isEmpty()) {
                used = true;
                underWay++;
                Queue<Step> before = waiting.get(participant);
                if (before != null) {
                    before.add(step);
                } else if (added.contains(participant)) {
                    now = true;
                } else {
                    first = true;
                    waiting.put(participant, new ArrayDeque<>(List.of(step)));
                }
            }
        } finally {
            lock.unlock();
        }
        if (refusal.isPresent()) {
            step.refuse(refusal.get());
        } else if (now) {
            step.run();
        } else if (first) {
            add(participant);
        }
    }

    private void add(Participant participant) {
        adding.apply(participant).whenComplete((done, refused) -> {
            if (refused == null) {
                runWaiting(participant);
            } else {
                String why = ClientTransactions.reason(refused);
                fail(why);
                refuseWaiting(participant, why);
            }
        });
    }

    /** Only when nobody waits any more, whoever comes may go at once: order is kept. */
    private void runWaiting(Participant participant) {
        Optional<Step> next = next(participant, true);
        while (next.isPresent()) {
            next.get().run();
            next = next(participant, true);
        }
    }

    private void refuseWaiting(Participant participant, String why) {
        Optional<Step> next = next(participant, false);
        while (next.isPresent()) {
            next.get().refuse(why);
            onOutcome(Optional.of(why));
            next = next(participant, false);
        }
    }

    private Optional<Step> next(Participant participant, boolean isAdded) {
        lock.lock();
        try {
            Queue<Step> steps = waiting.getOrDefault(participant, new ArrayDeque<>());
            Step next = steps.poll();
            if (next == null) {
                waiting.remove(participant);
                if (isAdded) {
                    added.add(participant);
                }
            }
            return Optional.ofNullable(next);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A step has its outcome.
     *
     * @param why it failed; empty if it is written
     */
    public void onOutcome(Optional<String> why) {
        List<CompletableFuture<Optional<String>>> settled = List.of();
        Optional<String> outcome;
        lock.lock();
        try {
            if (failure.isEmpty()) {
                failure = why;
            }
            outcome = failure;
            underWay--;
            if (underWay == 0) {
                settled = List.copyOf(settling);
                settling.clear();
            }
        } finally {
            lock.unlock();
        }
        settled.forEach(waiter -> waiter.complete(outcome));
    }

    /** The transaction can only be rolled back: a part of it is missing. */
    public void fail(String why) {
        lock.lock();
        try {
            if (failure.isEmpty()) {
                failure = Optional.of(why);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether nothing was ever done in it. */
    boolean isUnused() {
        lock.lock();
        try {
            return !used && failure.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what is completed when all has its outcome, with why the transaction fails, or empty if all of it is written. */
    CompletableFuture<Optional<String>> settled() {
        CompletableFuture<Optional<String>> settled = new CompletableFuture<>();
        Optional<String> outcome;
        lock.lock();
        try {
            if (underWay > 0) {
                settling.add(settled);
                return settled;
            }
            outcome = failure;
        } finally {
            lock.unlock();
        }
        settled.complete(outcome);
        return settled;
    }
}
