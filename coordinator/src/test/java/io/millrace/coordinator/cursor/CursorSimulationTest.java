package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Simulation;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs {@link CursorSimulation} under many seeds. A failure names its seed, with which it happens again. */
class CursorSimulationTest {

    @Test
    void shouldHoldTheInvariantsUnderSomeSeeds() {
        Map<String, Integer> did = run(1, 300, 200);

        assertThat(did)
                .as("a simulation in which nothing happens proves nothing")
                .containsKeys(
                        "acquire",
                        "acknowledge",
                        "refused",
                        "pending",
                        "commit",
                        "roll back",
                        "told again",
                        "make way",
                        "release",
                        "redelivered",
                        "consumer gone",
                        "session gone",
                        "reattach",
                        "move",
                        "drop below",
                        "create",
                        "delete",
                        "roll",
                        "remove segments",
                        "kill",
                        "power cut")
                .allSatisfy((what, times) -> assertThat(times).as(what).isGreaterThan(50));
    }

    @Test
    @Tag("long")
    void shouldHoldTheInvariantsUnderManySeeds() {
        assertThat(run(Simulation.firstSeed(1_000), Simulation.seeds(5_000), 400))
                .isNotEmpty();
    }

    private static Map<String, Integer> run(long firstSeed, int seeds, int steps) {
        Map<String, Integer> did = new HashMap<>();
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            CursorSimulation simulation = new CursorSimulation(seed);
            try {
                simulation.run(steps);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", " + steps + " steps: " + e.getMessage(), e);
            }
            simulation.did.forEach((what, times) -> did.merge(what, times, Integer::sum));
        }
        return did;
    }
}
