package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Compares what a consumer holds with a map from offset to acquisition. */
class LentRunsPropertyTest {

    /** Lends the next offsets with gaps between them, or takes back what {@code pick} and {@code length} choose. */
    record Change(boolean lend, int pick, int length) {}

    @Provide
    Arbitrary<List<Change>> changes() {
        return Combinators.combine(
                        Arbitraries.of(true, false, false),
                        Arbitraries.integers().between(0, 300),
                        Arbitraries.integers().between(1, 9))
                .as(Change::new)
                .list()
                .ofMaxSize(150);
    }

    @Property(tries = 500)
    void shouldHoldWhatWasLentAndNotTaken(@ForAll("changes") List<Change> changes) {
        LentRuns lent = new LentRuns();
        TreeMap<Long, Long> expected = new TreeMap<>();
        long acquisition = 0;
        long next = 0;
        for (Change change : changes) {
            if (change.lend()) {
                acquisition++;
                for (int run = 0; run <= change.pick() % 4; run++) {
                    lent.add(acquisition, next, next + change.length());
                    for (int i = 0; i < change.length(); i++) {
                        expected.put(next++, acquisition);
                    }
                    next++;
                }
            } else if (!expected.isEmpty()) {
                long offset = List.copyOf(expected.keySet()).get(change.pick() % expected.size());
                int run = lent.find(expected.getOrDefault(offset, 0L), offset);
                long end = Math.min(offset + change.length(), lent.end(run));
                lent.remove(run, offset, end);
                expected.subMap(offset, end).clear();
            }
            assertThat(lent.offsets()).isEqualTo(expected.size());
        }

        assertThat(offsetsOf(lent)).isEqualTo(List.copyOf(expected.keySet()));
        assertThat(lent.isEmpty()).isEqualTo(expected.isEmpty());
        for (long offset = 0; offset < next; offset++) {
            for (long of = 1; of <= acquisition; of++) {
                int run = lent.find(of, offset);
                boolean held = run != LentRuns.NONE && lent.first(run) <= offset;
                assertThat(held).as("%d of %d", offset, of).isEqualTo(expected.getOrDefault(offset, 0L) == of);
            }
        }
    }

    private static List<Long> offsetsOf(LentRuns lent) {
        List<Long> offsets = new ArrayList<>();
        int runs = 0;
        for (int run = lent.first(); run != LentRuns.NONE; run = lent.next(run)) {
            runs++;
            for (long offset = lent.first(run); offset < lent.end(run); offset++) {
                offsets.add(offset);
            }
        }
        assertThat(lent.count()).isEqualTo(runs);
        return offsets;
    }

    @Test
    void shouldFindRunsThoughMostOfManyWereTakenInAnyOrder() {
        LentRuns lent = new LentRuns();
        int count = 50_000;
        for (int i = 0; i < count; i++) {
            lent.add(i + 1, 2L * i, 2L * i + 1);
        }
        // Every number once, scattered.
        for (int i = 0; i < count; i++) {
            int of = (int) (i * 7_919L % count);
            int run = lent.find(of + 1, 2L * of);
            assertThat(lent.first(run)).isEqualTo(2L * of);
            lent.remove(run, 2L * of, 2L * of + 1);
            assertThat(lent.count()).isEqualTo(count - i - 1);
        }

        assertThat(lent.first()).isEqualTo(LentRuns.NONE);
    }
}
