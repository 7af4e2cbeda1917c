package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.DamageSimulation.Outcome;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Damage of any kind in any file of a data directory. */
class DamageTest {
    @Test
    void shouldDetectReportAndMendDamage() throws IOException {
        Set<Outcome> outcomes = run(1, 80);

        assertThat(outcomes).contains(Outcome.SERVED_ALL_THE_SAME, Outcome.MENDED, Outcome.MENDED_WITH_LOSS);
    }

    @Test
    @Tag("long")
    void shouldDetectReportAndMendDamageForManySeeds() throws IOException {
        assertThat(run(1_000, 21_000)).containsExactlyInAnyOrder(Outcome.values());
    }

    private static Set<Outcome> run(long from, long to) throws IOException {
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        for (long seed = from; seed < to; seed++) {
            try {
                outcomes.add(new DamageSimulation(seed).run());
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        return outcomes;
    }
}
