package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares the set of offsets with a sorted set, across the border between two bitmaps. */
class OffsetSetPropertyTest {

    private static final long BORDER = 1L << 32;

    record Change(boolean add, long first, long length) {}

    @Provide
    Arbitrary<List<Change>> changes() {
        Arbitrary<Long> offsets = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 200), Arbitraries.longs().between(BORDER - 100, BORDER + 100));
        return Combinators.combine(
                        Arbitraries.of(true, true, false),
                        offsets,
                        Arbitraries.longs().between(1, 60))
                .as(Change::new)
                .list()
                .ofMaxSize(40);
    }

    @Property(tries = 500)
    void shouldBeTheSetThatItsChangesMake(@ForAll("changes") List<Change> changes) {
        OffsetSet set = new OffsetSet();
        TreeSet<Long> expected = new TreeSet<>();
        for (Change change : changes) {
            long end = change.first() + change.length();
            if (change.add()) {
                set.add(change.first(), end);
                for (long offset = change.first(); offset < end; offset++) {
                    expected.add(offset);
                }
            } else {
                set.remove(change.first(), end);
                expected.subSet(change.first(), end).clear();
            }
        }

        assertThat(offsetsOf(set)).containsExactlyElementsOf(expected);
        assertThat(set.count()).isEqualTo(expected.size());
        assertThat(set.isEmpty()).isEqualTo(expected.isEmpty());
        for (long offset : probes(expected)) {
            assertThat(set.contains(offset)).as("contains %d", offset).isEqualTo(expected.contains(offset));
            Long next = expected.ceiling(offset);
            assertThat(set.nextPresent(offset))
                    .as("present from %d", offset)
                    .isEqualTo(next == null ? OffsetSet.NONE : next);
            long absent = offset;
            while (expected.contains(absent)) {
                absent++;
            }
            assertThat(set.nextAbsent(offset)).as("absent from %d", offset).isEqualTo(absent);
            assertThat(set.countIn(offset, BORDER + 50))
                    .as("count from %d", offset)
                    .isEqualTo(
                            offset >= BORDER + 50
                                    ? 0
                                    : expected.subSet(offset, BORDER + 50).size());
        }
    }

    @Property(tries = 100)
    void shouldDropEverythingFromAnOffsetOn(@ForAll("changes") List<Change> changes) {
        OffsetSet set = new OffsetSet();
        changes.forEach(change -> set.add(change.first(), change.first() + change.length()));
        List<Long> below =
                offsetsOf(set).stream().filter(offset -> offset < 150).toList();

        set.remove(150, Long.MAX_VALUE);

        assertThat(offsetsOf(set)).isEqualTo(below);
        assertThat(set.count()).isEqualTo(below.size());
    }

    private static List<Long> probes(SortedSet<Long> expected) {
        List<Long> probes = new ArrayList<>(List.of(0L, 100L, 250L, BORDER - 1, BORDER, BORDER + 1, BORDER + 200));
        for (long offset : expected) {
            probes.add(offset);
            probes.add(offset + 1);
        }
        return probes;
    }

    private static List<Long> offsetsOf(OffsetSet set) {
        List<Long> offsets = new ArrayList<>();
        for (long offset = set.nextPresent(0); offset != OffsetSet.NONE; offset = set.nextPresent(offset + 1)) {
            offsets.add(offset);
        }
        return offsets;
    }
}
