package io.millrace.broker.internal.transaction.narayana;

import io.millrace.coordinator.transaction.CommitSteps;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One commit: has each step done on the shard, and waits for it on a thread of its own. The first step is begun by {@link #start} on the shard
 * itself, and the thread when that is done; and as soon as the decision is durable the shard tells the participants, while Narayana wakes up and comes
 * to its second phase. So a client waits for one hand-over to Narayana and one back.
 */
final class DrivenCommit implements Runnable, WaitingSteps {

    private final Executor shard;
    private final CommitSteps steps;
    private final Supplier<TwoPhases> driver;
    private final boolean redo;
    private final CompletableFuture<Void> result = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Throwable> prepared = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Throwable> decided = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Throwable> told = new CompletableFuture<>();
    private boolean isTold;
    private @Nullable Throwable failure;

    /**
     * Creates a commit that is to be run.
     *
     * @param redo whether it is decided already
     */
    DrivenCommit(Executor shard, CommitSteps steps, Supplier<TwoPhases> driver, boolean redo) {
        this.shard = shard;
        this.steps = steps;
        this.driver = driver;
        this.redo = redo;
    }

    /**
     * Begins. On the shard.
     *
     * @return completes on the shard
     */
    CompletionStage<Void> start(Executor threads) {
        var _ = (redo ? told : prepared).thenRun(() -> threads.execute(this));
        if (redo) {
            begin(steps::tell, told);
        } else {
            begin(steps::prepare, prepared);
        }
        return result;
    }

    /** The shard has stopped: whoever waits for a step waits in vain. From any thread. */
    void abandon() {
        UndecidedException stopped = new UndecidedException();
        prepared.complete(stopped);
        decided.complete(stopped);
        told.complete(stopped);
    }

    @Override
    public void run() {
        Throwable broken = drive();
        if (!isTold && decided.isDone() && decided.join() == null) {
            tell();
        }
        Throwable why = failure != null ? failure : broken;
        shard.execute(() -> {
            if (why == null) {
                result.complete(null);
            } else {
                result.completeExceptionally(why);
            }
        });
    }

    /** Returns what went wrong with the driver itself. */
    private @Nullable Throwable drive() {
        try {
            if (redo) {
                driver.get().redo(this);
            } else {
                driver.get().commit(this);
            }
        } catch (RuntimeException | Error e) {
            // Errors too: nobody waits for what this thread throws, and the transaction would hang.
            return e;
        }
        return isTold || failure != null
                ? null
                : new IllegalStateException("the two phases ended before all participants were told");
    }

    @Override
    public boolean prepare() {
        return succeeded(prepared);
    }

    @Override
    public void decide() {
        // Not left to the driver: whatever becomes of it, what is decided is told, or it would be open until a restart.
        var _ = decided.thenAcceptAsync(
                failed -> {
                    if (failed == null) {
                        begin(steps::tell, told);
                    }
                },
                shard);
        shard.execute(() -> begin(steps::decide, decided));
        if (!succeeded(decided)) {
            throw new UndecidedException();
        }
    }

    @Override
    public boolean tell() {
        isTold = true;
        return succeeded(told);
    }

    private boolean succeeded(CompletableFuture<@Nullable Throwable> outcome) {
        Throwable failed = outcome.join();
        if (failed != null) {
            failure = failed;
        }
        return failed == null;
    }

    private static void begin(Supplier<CompletionStage<Void>> step, CompletableFuture<@Nullable Throwable> outcome) {
        try {
            step.get().whenComplete((done, failed) -> outcome.complete(failed == null ? null : unwrapped(failed)));
        } catch (RuntimeException | Error e) {
            outcome.complete(e);
        }
    }

    private static Throwable unwrapped(Throwable failed) {
        Throwable cause = failed instanceof CompletionException ? failed.getCause() : null;
        return cause == null ? failed : cause;
    }
}
