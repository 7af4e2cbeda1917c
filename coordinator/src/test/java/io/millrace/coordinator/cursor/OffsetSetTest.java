package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OffsetSetTest {

    @Test
    void shouldPassOverAFullBitmapOfTwoToThe32Offsets() {
        OffsetSet set = new OffsetSet();
        set.add(10, (1L << 32) + 5);

        assertThat(set.nextAbsent(10)).isEqualTo((1L << 32) + 5);
        assertThat(set.nextPresent(0)).isEqualTo(10);
        assertThat(set.count()).isEqualTo((1L << 32) - 5);

        set.remove(0, 1L << 32);

        assertThat(set.nextPresent(0)).isEqualTo(1L << 32);
        assertThat(set.count()).isEqualTo(5);
    }

    @Test
    void shouldReachOffsetsAboveManyBitmaps() {
        OffsetSet set = new OffsetSet();
        set.add(Long.MAX_VALUE - 10, Long.MAX_VALUE - 5);

        assertThat(set.nextPresent(3)).isEqualTo(Long.MAX_VALUE - 10);
        assertThat(set.nextAbsent(Long.MAX_VALUE - 8)).isEqualTo(Long.MAX_VALUE - 5);
        assertThat(set.countIn(0, Long.MAX_VALUE)).isEqualTo(5);
    }
}
