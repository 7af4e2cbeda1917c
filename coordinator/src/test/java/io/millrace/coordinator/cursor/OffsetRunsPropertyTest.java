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

/** Compares the runs of offsets with a sorted set. */
class OffsetRunsPropertyTest {

    record Change(boolean add, long first, long length) {}

    @Provide
    Arbitrary<List<Change>> changes() {
        return Combinators.combine(
                        Arbitraries.of(true, true, false),
                        Arbitraries.longs().between(0, 60),
                        Arbitraries.longs().between(1, 15))
                .as(Change::new)
                .list()
                .ofMaxSize(40);
    }

    @Property(tries = 1_000)
    void shouldHoldTheFewestRunsOfItsOffsets(@ForAll("changes") List<Change> changes) {
        OffsetRuns runs = new OffsetRuns();
        TreeSet<Long> expected = new TreeSet<>();
        for (Change change : changes) {
            long end = change.first() + change.length();
            if (change.add()) {
                runs.add(change.first(), end);
                for (long offset = change.first(); offset < end; offset++) {
                    expected.add(offset);
                }
            } else {
                runs.remove(change.first(), end);
                expected.subSet(change.first(), end).clear();
            }
        }

        assertThat(rangesOf(runs)).isEqualTo(rangesOf(expected));
        assertThat(runs.count()).isEqualTo(expected.size());
        for (long offset = 0; offset < 80; offset++) {
            int run = runs.runEndingAfter(offset);
            boolean contained = run < runs.runs() && runs.first(run) <= offset;
            assertThat(contained).as("contains %d", offset).isEqualTo(expected.contains(offset));
        }
    }

    private static List<OffsetRange> rangesOf(OffsetRuns runs) {
        List<OffsetRange> ranges = new ArrayList<>();
        for (int run = 0; run < runs.runs(); run++) {
            ranges.add(new OffsetRange(runs.first(run), runs.end(run)));
        }
        return ranges;
    }

    private static List<OffsetRange> rangesOf(SortedSet<Long> offsets) {
        List<OffsetRange> ranges = new ArrayList<>();
        for (long offset : offsets) {
            if (!ranges.isEmpty() && ranges.getLast().endOffset() == offset) {
                ranges.add(new OffsetRange(ranges.removeLast().firstOffset(), offset + 1));
            } else {
                ranges.add(OffsetRange.of(offset));
            }
        }
        return ranges;
    }
}
