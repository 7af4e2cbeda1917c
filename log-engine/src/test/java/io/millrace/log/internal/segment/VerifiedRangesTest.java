package io.millrace.log.internal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VerifiedRangesTest {
    @Test
    void shouldNeverClaimMoreThanWasAdded() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            VerifiedRanges ranges = new VerifiedRanges();
            BitSet model = new BitSet();
            for (int i = 0; i < 300; i++) {
                int from = random.nextInt(1_000);
                int to = from + random.nextInt(30);
                if (random.nextInt(50) == 0) {
                    ranges.cut(from);
                    model.clear(from, 2_000);
                } else {
                    ranges.add(from, to);
                    model.set(from, to);
                    assertThat(ranges.covers(from, to) || to - from < 30).isTrue();
                }
                int probe = random.nextInt(1_000);
                int length = 1 + random.nextInt(40);
                if (ranges.covers(probe, probe + length)) {
                    assertThat(model.nextClearBit(probe)).as("seed " + seed).isGreaterThanOrEqualTo(probe + length);
                }
            }
        }
    }

    @Test
    void shouldHaveRangesThatTouchGrowTogether() {
        VerifiedRanges ranges = new VerifiedRanges();
        for (int i = 0; i < 1_000; i += 2) {
            ranges.add(10 * i, 10 * i + 10);
        }
        for (int i = 1; i < 1_000; i += 2) {
            ranges.add(10 * i, 10 * i + 10);
        }
        for (int i = 0; i < 1_000; i++) {
            ranges.add(10 * i, 10 * i + 10);
        }

        assertThat(ranges.covers(0, 10_000)).isTrue();
        ranges.cut(5_000);
        assertThat(ranges.covers(0, 5_000)).isTrue();
        assertThat(ranges.covers(4_999, 5_001)).isFalse();
    }
}
