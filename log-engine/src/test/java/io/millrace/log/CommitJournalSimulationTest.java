package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Simulation;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CommitJournalSimulationTest {
    private int crashes;
    private int replays;

    @Test
    void shouldKeepWhatWasSyncedByTheJournal() {
        simulate(1, 60, 150);

        assertThat(crashes).isGreaterThan(200);
        assertThat(replays).as("starts that found a journal").isGreaterThan(100);
    }

    /** To look further, give other seeds: {@code -Dtest.jvm.args=-Dmillrace.simulation.firstSeed=200000}. */
    @Test
    @Tag("long")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldKeepItForThousandsOfSeeds() {
        simulate(Long.getLong("millrace.simulation.firstSeed", 10_000), 4_000, 200);
    }

    private void simulate(long firstSeed, int seeds, int steps) {
        Simulation.underSeeds(firstSeed, seeds, steps, CommitJournalSimulation::new, simulation -> {
            crashes += simulation.crashes();
            replays += simulation.replays;
        });
    }
}
