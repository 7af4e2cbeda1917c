package io.millrace.broker.internal.transaction.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.internal.transaction.narayana.ScriptedCommit.End;
import io.millrace.broker.internal.transaction.narayana.ScriptedCommit.Script;
import io.millrace.broker.internal.transaction.narayana.ScriptedCommit.Step;
import io.millrace.coordinator.transaction.CommitSteps;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NarayanaCommitEngineTest {

    private ExecutorService shard;
    private NarayanaCommitEngine engine;

    @BeforeEach
    void start() {
        shard = Executors.newSingleThreadExecutor();
        engine = new NarayanaCommitEngine(shard);
    }

    @AfterEach
    void stop() {
        shard.shutdownNow();
    }

    private ScriptedCommit begun(Script script) {
        ScriptedCommit commit = new ScriptedCommit(script, new ScriptedCommit.Executors(shard, shard));
        commit.begin(engine);
        return commit;
    }

    @Test
    void shouldGoThroughBothPhases() throws Exception {
        assertThat(begun(new Script(false, Step.DONE, Step.DONE, Step.DONE)).outcome())
                .isEqualTo("prepare decide tell done");
    }

    @Test
    void shouldNotDecideWhatCannotBePrepared() throws Exception {
        ScriptedCommit commit = begun(new Script(false, Step.failing(End.NOT_AVAILABLE), Step.DONE, Step.DONE));

        assertThat(commit.outcome()).isEqualTo("prepare failed by prepare NOT_AVAILABLE");
        assertThat(commit.failure())
                .isInstanceOfSatisfying(
                        TransactionException.class,
                        e -> assertThat(e.error()).isEqualTo(TransactionError.NOT_AVAILABLE));
    }

    @Test
    void shouldTellNobodyWhenItIsNotKnownWhetherItIsDecided() throws Exception {
        ScriptedCommit commit = begun(new Script(false, Step.DONE, Step.failing(End.IN_DOUBT), Step.DONE));

        assertThat(commit.outcome()).isEqualTo("prepare decide failed by decide IN_DOUBT");
        assertThat(commit.failure())
                .isInstanceOfSatisfying(
                        TransactionException.class, e -> assertThat(e.error()).isEqualTo(TransactionError.IN_DOUBT));
    }

    @Test
    void shouldDecideOnceWhenTellingFails() throws Exception {
        assertThat(begun(new Script(false, Step.DONE, Step.DONE, Step.failing(End.NOT_AVAILABLE)))
                        .outcome())
                .isEqualTo("prepare decide tell failed by tell NOT_AVAILABLE");
    }

    @Test
    void shouldOnlyTellWhatWasDecidedBefore() throws Exception {
        assertThat(begun(new Script(true, Step.DONE, Step.DONE, Step.DONE)).outcome())
                .isEqualTo("tell done");
    }

    /** A shard that has stopped: the steps never come to their end, and neither does what is handed back to it. */
    @Test
    void shouldKeepNoThreadWaitingForAShardThatStopped() throws Exception {
        CompletableFuture<Thread> driving = new CompletableFuture<>();
        CountDownLatch over = new CountDownLatch(1);
        TwoPhases waiting = new TwoPhases() {
            @Override
            public void commit(WaitingSteps steps) {
                try {
                    driving.complete(Thread.currentThread());
                    steps.prepare();
                    steps.decide();
                } finally {
                    over.countDown();
                }
            }

            @Override
            public void redo(WaitingSteps steps) {}
        };
        DrivenCommit commit = new DrivenCommit(task -> {}, new Steps(), () -> waiting, false);
        var _ = commit.start(Thread::startVirtualThread);
        Thread thread = driving.get(10, TimeUnit.SECONDS);
        Awaitility.await().until(() -> thread.getState() == Thread.State.WAITING);

        commit.abandon();

        assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldTellWhatIsDecidedThoughTheDriverBreaks() {
        Steps steps = new Steps();
        TwoPhases breaking = new TwoPhases() {
            @Override
            public void commit(WaitingSteps waiting) {
                waiting.prepare();
                waiting.decide();
                throw new LinkageError("broken");
            }

            @Override
            public void redo(WaitingSteps waiting) {
                throw new LinkageError("broken");
            }
        };
        DrivenCommit commit = new DrivenCommit(Runnable::run, steps, () -> breaking, false);
        DrivenCommit redo = new DrivenCommit(Runnable::run, steps, () -> breaking, true);

        assertThat(commit.start(Runnable::run).toCompletableFuture()).isCompletedExceptionally();
        assertThat(steps.done).hasToString("prepare decide tell ");
        assertThat(redo.start(Runnable::run).toCompletableFuture()).isCompletedExceptionally();
        assertThat(steps.done).hasToString("prepare decide tell tell ");
    }

    @Test
    void shouldFailWhenTheDriverEndsEarly() {
        Steps steps = new Steps();
        TwoPhases lazy = new TwoPhases() {
            @Override
            public void commit(WaitingSteps waiting) {}

            @Override
            public void redo(WaitingSteps waiting) {}
        };
        DrivenCommit commit = new DrivenCommit(Runnable::run, steps, () -> lazy, false);

        assertThat(commit.start(Runnable::run).toCompletableFuture())
                .failsWithin(1, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("before all participants were told");
        assertThat(steps.done).hasToString("prepare ");
    }

    /** Steps that work. */
    private static final class Steps implements CommitSteps {

        private final StringBuilder done = new StringBuilder();

        @Override
        public CompletionStage<Void> prepare() {
            done.append("prepare ");
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<Void> decide() {
            done.append("decide ");
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<Void> tell() {
            done.append("tell ");
            return CompletableFuture.completedStage(null);
        }
    }
}
