package io.millrace.broker.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Simulation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs {@link BrokerSimulation} under many seeds. A failure names its seed, with which it happens again. */
class BrokerSimulationTest {

    private static final int STEPS = 4_000;

    @Test
    void shouldDoEachTransactionAsAWholeOrNotAtAllUnderSomeSeeds() {
        assertThat(run(1, 40))
                .as("a simulation in which nothing happens proves nothing")
                .containsKeys(
                        "session commit known later",
                        "branch found committed",
                        "producer COMMITTED known later",
                        "crash at the start")
                .extractingByKeys(
                        "kill",
                        "power cut",
                        "crash in the middle",
                        "full disk",
                        "failing disk",
                        "cut",
                        "session commit",
                        "session rollback",
                        "session asks again",
                        "session told of rollback",
                        "prepared",
                        "branch COMMITTED",
                        "branch ROLLED_BACK",
                        "producer COMMITTED",
                        "producer ROLLED_BACK",
                        "producer fenced",
                        "producer repeats")
                .allSatisfy(times -> assertThat(times).isGreaterThan(10));
    }

    @Test
    void shouldDoTheSameOnceMoreUnderTheSameSeed() {
        assertThat(history(7)).isEqualTo(history(7)).hasSizeGreaterThan(50);
    }

    private static List<String> history(long seed) {
        BrokerSimulation simulation = new BrokerSimulation(seed);
        simulation.run(STEPS);
        return simulation.history();
    }

    @Test
    @Tag("long")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldDoEachTransactionAsAWholeOrNotAtAllUnderManySeeds() {
        assertThat(run(Simulation.firstSeed(10_000), Simulation.seeds(2_000))).isNotEmpty();
    }

    private static Map<String, Integer> run(long firstSeed, int seeds) {
        Map<String, Integer> did = new HashMap<>();
        Simulation.underSeeds(
                firstSeed,
                seeds,
                STEPS,
                BrokerSimulation::new,
                one -> one.did().forEach((what, times) -> did.merge(what, times, Integer::sum)));
        return did;
    }
}
