package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
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
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            CommitJournalSimulation simulation = new CommitJournalSimulation(seed);
            try {
                simulation.run(steps);
            } catch (AssertionError | RuntimeException | IOException e) {
                List<String> history = simulation.history();
                List<String> last = history.subList(Math.max(0, history.size() - 60), history.size());
                throw new AssertionError("seed " + seed + ", " + steps + " steps:\n" + String.join("\n", last), e);
            }
            crashes += simulation.crashes;
            replays += simulation.replays;
        }
    }
}
