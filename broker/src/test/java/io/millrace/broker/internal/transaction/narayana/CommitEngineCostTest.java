package io.millrace.broker.internal.transaction.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.millrace.coordinator.transaction.CommitEngine;
import io.millrace.coordinator.transaction.CommitSteps;
import io.millrace.coordinator.transaction.PlainCommitEngine;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a commit costs in processor time and allocation of the whole process, beyond its steps: each step is a task of the shard, as the
 * answer of a sync is.
 */
@Tag("long")
final class CommitEngineCostTest {

    private static final int ROUNDS = 6;
    private static final int COMMITS = 50_000;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private record Cost(double cpuUs, double bytes, double elapsedUs) {}

    @Test
    @Timeout(300)
    void shouldCostLittle() throws InterruptedException {
        try (ExecutorService shard = Executors.newSingleThreadExecutor()) {
            for (int atATime : new int[] {1, 64}) {
                Cost plain = measure(new PlainCommitEngine(), shard, atATime);
                Cost narayana = measure(new NarayanaCommitEngine(shard), shard, atATime);
                System.out.printf(
                        "commits at a time: %d; plain: %.2f us CPU, %.0f B, %.1f us; Narayana: %.2f us CPU, %.0f B, %.1f us%n",
                        atATime,
                        plain.cpuUs,
                        plain.bytes,
                        plain.elapsedUs,
                        narayana.cpuUs,
                        narayana.bytes,
                        narayana.elapsedUs);
                // A sync of a disk takes several times that; what is seen is a fraction of it.
                assertThat(narayana.cpuUs).isLessThan(1_000);
                assertThat(narayana.bytes).isLessThan(20_000);
            }
        }
    }

    /** Returns the cost of the last round: the others warm up. */
    private Cost measure(CommitEngine engine, ExecutorService shard, int atATime) throws InterruptedException {
        Cost cost = new Cost(0, 0, 0);
        for (int round = 0; round < ROUNDS; round++) {
            Semaphore free = new Semaphore(atATime);
            CommitSteps steps = new QuickSteps(shard);
            long cpuNs = system.getProcessCpuTime();
            long bytes = threads.getTotalThreadAllocatedBytes();
            long startNs = System.nanoTime();
            for (int i = 0; i < COMMITS; i++) {
                free.acquire();
                shard.execute(() -> engine.commit(steps).whenComplete((done, failure) -> free.release()));
            }
            free.acquire(atATime);
            cost = new Cost(
                    (system.getProcessCpuTime() - cpuNs) / 1e3 / COMMITS,
                    (double) (threads.getTotalThreadAllocatedBytes() - bytes) / COMMITS,
                    (System.nanoTime() - startNs) / 1e3 / COMMITS);
        }
        return cost;
    }

    private record QuickSteps(ExecutorService shard) implements CommitSteps {

        @Override
        public CompletionStage<Void> prepare() {
            return later();
        }

        @Override
        public CompletionStage<Void> decide() {
            return later();
        }

        @Override
        public CompletionStage<Void> tell() {
            return later();
        }

        private CompletionStage<Void> later() {
            CompletableFuture<Void> done = new CompletableFuture<>();
            shard.execute(() -> done.complete(null));
            return done;
        }
    }
}
