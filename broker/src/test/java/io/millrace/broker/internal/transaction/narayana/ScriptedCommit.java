package io.millrace.broker.internal.transaction.narayana;

import static java.util.Objects.requireNonNull;

import io.millrace.coordinator.transaction.CommitEngine;
import io.millrace.coordinator.transaction.CommitSteps;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A commit whose steps end as it is written, and who notes which were done, where, and what came of it. */
final class ScriptedCommit implements CommitSteps {

    /** How a step ends. */
    enum End {
        DONE,
        NOT_AVAILABLE,
        IN_DOUBT,
        /** As a stage that comes from others: its failure is wrapped. */
        WRAPPED,
        /** Nothing comes back but what is thrown. */
        THROWN,
        /** The same, and worse. */
        ERROR
    }

    /** When and where a step ends, if it does not throw. */
    enum Place {
        AT_ONCE,
        LATER_ON_THE_SHARD,
        ELSEWHERE
    }

    /** @param hops tasks of others that come between */
    record Step(End end, Place place, int hops) {
        static final Step DONE = new Step(End.DONE, Place.AT_ONCE, 0);

        static Step failing(End end) {
            return new Step(end, Place.AT_ONCE, 0);
        }

        static Step random(RandomGenerator random) {
            End end = random.nextInt(4) > 0 ? End.DONE : oneOf(List.of(End.values()), random);
            return new Step(end, oneOf(List.of(Place.values()), random), random.nextInt(4));
        }

        private static <T> T oneOf(List<T> all, RandomGenerator random) {
            return all.get(random.nextInt(all.size()));
        }
    }

    /** @param redo whether the decision was found in the log */
    record Script(boolean redo, Step prepare, Step decide, Step tell) {
        static Script random(RandomGenerator random) {
            return new Script(random.nextInt(4) == 0, Step.random(random), Step.random(random), Step.random(random));
        }

        /** Returns what has to come of it, as {@link ScriptedCommit#outcome} says it. */
        String expected() {
            StringBuilder steps = new StringBuilder();
            for (Object[] step : redo
                    ? new Object[][] {{"tell", tell}}
                    : new Object[][] {{"prepare", prepare}, {"decide", decide}, {"tell", tell}}) {
                steps.append(step[0]).append(' ');
                End end = ((Step) step[1]).end();
                if (end != End.DONE) {
                    return steps + "failed by " + step[0] + " " + end;
                }
            }
            return steps + "done";
        }
    }

    private final Script script;
    private final Executors executors;
    private final List<String> steps = new ArrayList<>();
    private final List<String> threads = new ArrayList<>();
    private final CompletableFuture<Void> finished = new CompletableFuture<>();

    /** @param elsewhere any threads but the shard */
    record Executors(ExecutorService shard, ExecutorService elsewhere) {}

    ScriptedCommit(Script script, Executors executors) {
        this.script = script;
        this.executors = executors;
    }

    /** Begins it on the shard. */
    void begin(CommitEngine engine) {
        executors.shard().execute(() -> {
            try {
                CompletionStage<Void> result = script.redo() ? engine.redo(this) : engine.commit(this);
                result.whenComplete((done, failure) -> finish(failure));
            } catch (RuntimeException | Error e) {
                finish(e);
            }
        });
    }

    private void finish(@Nullable Throwable failure) {
        note("result");
        if (failure == null) {
            finished.complete(null);
        } else {
            finished.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
        }
    }

    /** Waits for it, and returns its steps and what came of it. */
    String outcome() throws InterruptedException {
        String end;
        try {
            finished.get(30, TimeUnit.SECONDS);
            end = "done";
        } catch (ExecutionException e) {
            end = "failed by " + requireNonNull(e.getCause()).getMessage();
        } catch (TimeoutException e) {
            end = "never ended";
        }
        synchronized (steps) {
            return String.join(" ", steps) + " " + end;
        }
    }

    /** Waits for it, and returns what failed, or null. */
    @Nullable
    Throwable failure() throws InterruptedException, TimeoutException {
        try {
            finished.get(30, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** Returns the names of the threads that called a step or completed the result. */
    List<String> threads() {
        synchronized (steps) {
            return List.copyOf(threads);
        }
    }

    @Override
    public CompletionStage<Void> prepare() {
        return step("prepare", script.prepare());
    }

    @Override
    public CompletionStage<Void> decide() {
        return step("decide", script.decide());
    }

    @Override
    public CompletionStage<Void> tell() {
        return step("tell", script.tell());
    }

    private void note(String what) {
        synchronized (steps) {
            threads.add(Thread.currentThread().getName());
            if (!what.equals("result")) {
                steps.add(what);
            }
        }
    }

    private CompletionStage<Void> step(String name, Step step) {
        note(name);
        String message = name + " " + step.end();
        CompletableFuture<Void> stage = new CompletableFuture<>();
        Runnable ending = switch (step.end()) {
            case DONE -> () -> stage.complete(null);
            case NOT_AVAILABLE ->
                () -> stage.completeExceptionally(new TransactionException(TransactionError.NOT_AVAILABLE, message));
            case IN_DOUBT ->
                () -> stage.completeExceptionally(new TransactionException(TransactionError.IN_DOUBT, message));
            case WRAPPED ->
                () -> stage.completeExceptionally(
                        new CompletionException(new TransactionException(TransactionError.ROLLED_BACK, message)));
            case THROWN -> throw new IllegalStateException(message);
            case ERROR -> throw new AssertionError(message);
        };
        end(step.place(), step.hops(), ending);
        return stage;
    }

    private void end(Place place, int hops, Runnable ending) {
        switch (place) {
            case AT_ONCE -> ending.run();
            case LATER_ON_THE_SHARD -> hop(executors.shard(), hops, ending);
            case ELSEWHERE -> hop(executors.elsewhere(), hops, ending);
        }
    }

    private static void hop(ExecutorService on, int hops, Runnable ending) {
        on.execute(hops == 0 ? ending : () -> hop(on, hops - 1, ending));
    }
}
