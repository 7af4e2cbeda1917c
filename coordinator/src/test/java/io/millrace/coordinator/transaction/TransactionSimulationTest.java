package io.millrace.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Simulation;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs {@link TransactionSimulation} under many seeds. A failure names its seed, with which it happens again. */
class TransactionSimulationTest {

    @Test
    void shouldDoEachTransactionAsAWholeOrNotAtAllUnderSomeSeeds() {
        assertThat(run(1, 300, 1_500))
                .as("a simulation in which nothing happens proves nothing")
                .containsKeys(
                        "crash",
                        "init",
                        "fenced",
                        "abandoned",
                        "not told",
                        "not secured",
                        "producer commit",
                        "producer rollback",
                        "session COMMITTED",
                        "session ROLLED_BACK",
                        "session asks again",
                        "session told of rollback",
                        "prepared",
                        "branch COMMITTED",
                        "branch ROLLED_BACK",
                        "committed before")
                .allSatisfy((what, times) -> assertThat(times).as(what).isGreaterThan(20));
    }

    @Test
    void shouldNotMindThatAnEngineTakesItsTime() {
        assertThat(run(1_000, 50, 1_500, LateCommitEngine::new)).isNotEmpty();
    }

    @Test
    @Tag("long")
    void shouldDoEachTransactionAsAWholeOrNotAtAllUnderManySeeds() {
        assertThat(run(Simulation.firstSeed(10_000), Simulation.seeds(10_000), 3_000))
                .isNotEmpty();
    }

    @Test
    @Tag("long")
    void shouldNotMindThatAnEngineTakesItsTimeUnderManySeeds() {
        assertThat(run(Simulation.firstSeed(20_000), Simulation.seeds(2_000), 3_000, LateCommitEngine::new))
                .isNotEmpty();
    }

    /** The disk was full when the log was to know that a transaction is over; the next one had the same epoch. */
    @Test
    void shouldNotTakeWhatIsOpenForWhatWasDecidedBefore() {
        assertThat(run(20_225, 1, 3_000, LateCommitEngine::new)).isNotEmpty();
    }

    private static Map<String, Integer> run(long firstSeed, int seeds, int steps) {
        return run(firstSeed, seeds, steps, world -> new PlainCommitEngine());
    }

    private static Map<String, Integer> run(
            long firstSeed, int seeds, int steps, Function<SimulatedWorld, CommitEngine> engines) {
        Map<String, Integer> did = new HashMap<>();
        Simulation.underSeeds(
                firstSeed,
                seeds,
                steps,
                seed -> new TransactionSimulation(seed, engines),
                one -> one.did.forEach((what, times) -> did.merge(what, times, Integer::sum)));
        return did;
    }
}
