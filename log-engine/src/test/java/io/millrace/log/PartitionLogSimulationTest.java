package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Simulation;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PartitionLogSimulationTest {
    private int crashes;
    private int damagesFound;

    @Test
    void shouldKeepItsPromisesOnADiskThatFails() {
        simulate(1, 150, 150);

        assertThat(crashes).isGreaterThan(500);
        assertThat(damagesFound).isGreaterThan(50);
    }

    /** To look further, give other seeds: {@code -Dtest.jvm.args=-Dmillrace.simulation.firstSeed=200000}. */
    @Test
    @Tag("long")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldKeepItsPromisesForThousandsOfSeeds() {
        simulate(Long.getLong("millrace.simulation.firstSeed", 10_000), 5_000, 200);
    }

    private void simulate(long firstSeed, int seeds, int steps) {
        Simulation.underSeeds(firstSeed, seeds, steps, PartitionLogSimulation::new, simulation -> {
            crashes += simulation.crashes();
            damagesFound += simulation.damagesFound;
        });
    }
}
