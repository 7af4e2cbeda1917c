package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares the sliced counts with a map from offset to count. */
class DeliveryAttemptsPropertyTest {

    record Change(boolean set, long first, long length, int attempts, boolean guessed) {}

    private record Count(int attempts, boolean guessed) {}

    @Provide
    Arbitrary<List<Change>> changes() {
        Arbitrary<Integer> attempts = Arbitraries.oneOf(
                Arbitraries.integers().between(0, 4),
                Arbitraries.integers().between(0, 1_000),
                Arbitraries.just(AttemptRange.MAX_ATTEMPTS));
        return Combinators.combine(
                        Arbitraries.of(true, true, true, false),
                        Arbitraries.longs().between(0, 60),
                        Arbitraries.longs().between(1, 15),
                        attempts,
                        Arbitraries.of(true, false))
                .as(Change::new)
                .list()
                .ofMaxSize(40);
    }

    @Property(tries = 1_000)
    void shouldCountEachRecord(@ForAll("changes") List<Change> changes) {
        DeliveryAttempts attempts = new DeliveryAttempts();
        Map<Long, Count> expected = new HashMap<>();
        for (Change change : changes) {
            long end = change.first() + change.length();
            if (change.set()) {
                attempts.set(change.first(), end, change.attempts(), change.guessed());
            } else {
                attempts.remove(change.first(), end);
            }
            for (long offset = change.first(); offset < end; offset++) {
                expected.put(
                        offset, change.set() ? new Count(change.attempts(), change.guessed()) : new Count(0, false));
            }
        }
        expected.values().removeIf(count -> count.equals(new Count(0, false)));

        assertThat(attempts.count()).isEqualTo(expected.size());
        for (long offset = 0; offset < 80; offset++) {
            Count count = expected.getOrDefault(offset, new Count(0, false));
            assertThat(new Count(attempts.attempts(offset), attempts.isGuessed(offset)))
                    .as("offset %d", offset)
                    .isEqualTo(count);
            assertThat(attempts.isKnown(offset)).isEqualTo(expected.containsKey(offset));
            assertThat(attempts.endOfEqual(offset, 80))
                    .as("equal from %d", offset)
                    .isEqualTo(endOfEqual(expected, offset));
        }
    }

    private static long endOfEqual(Map<Long, Count> counts, long first) {
        long end = first + 1;
        while (end < 80 && java.util.Objects.equals(counts.get(end), counts.get(first))) {
            end++;
        }
        return end;
    }
}
