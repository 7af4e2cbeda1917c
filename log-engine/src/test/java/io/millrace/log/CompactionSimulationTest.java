package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CompactionSimulationTest {
    private int crashes;
    private int removed;

    @Test
    void shouldLoseNothingThatCountsWhateverStepTheDiskFailsAt() throws IOException {
        simulate(1, 50, 100);
        simulate(92, 1, 120);
        simulate(10_580, 1, 200);
        simulate(11_470, 1, 200);
        simulate(12_719, 1, 200);

        assertThat(crashes).isGreaterThan(100);
        assertThat(removed).isGreaterThan(4_000);
    }

    @Test
    @Tag("long")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldLoseNothingForThousandsOfSeeds() throws IOException {
        simulate(Long.getLong("millrace.simulation.firstSeed", 10_000), 5_000, 200);
    }

    private void simulate(long firstSeed, int seeds, int steps) throws IOException {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            CompactionSimulation simulation = new CompactionSimulation(seed);
            simulation.run(steps);
            crashes += simulation.crashes;
            removed += simulation.removed;
        }
    }
}
