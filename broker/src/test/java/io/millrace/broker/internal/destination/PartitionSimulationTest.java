package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Simulation;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionSimulationTest {

    private static final int STEPS = 1_500;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldKeepItsPromisesOverCrashes(long seed) {
        assertThat(run(seed, false).removed())
                .as("records that the cleaner took out")
                .isPositive();
    }

    @Test
    void shouldKeepItsPromisesWithTransactionsOverCrashes() {
        Map<String, Integer> did = new HashMap<>();
        for (long seed = 101; seed < 113; seed++) {
            run(seed, true).transactions().forEach((what, times) -> did.merge(what, times, Integer::sum));
        }
        assertThat(did)
                .as("a simulation in which nothing happens proves nothing")
                .containsKeys("commit", "roll back", "leave", "abandon", "tell again")
                .allSatisfy((what, times) -> assertThat(times).as(what).isGreaterThan(20));
    }

    @Test
    @Tag("long")
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldKeepItsPromisesOverCrashesForManySeeds() {
        long first = Simulation.firstSeed(1_000);
        for (long seed = first; seed < first + Simulation.seeds(300); seed++) {
            run(seed, seed % 2 == 0);
        }
    }

    private static PartitionSimulation run(long seed, boolean transactional) {
        try {
            PartitionSimulation simulation = new PartitionSimulation(seed, transactional);
            for (int i = 0; i < STEPS; i++) {
                simulation.step();
            }
            simulation.finish();
            return simulation;
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }
}
