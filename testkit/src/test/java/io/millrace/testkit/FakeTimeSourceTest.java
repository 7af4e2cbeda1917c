package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FakeTimeSourceTest {

    private final FakeTimeSource time = new FakeTimeSource(500, 1_000);

    @Test
    void shouldStandStillUntilAdvanced() {
        assertThat(time.nanoTime()).isEqualTo(500);
        assertThat(time.nanoTime()).isEqualTo(500);
        assertThat(time.wallClockMs()).isEqualTo(1_000);
    }

    @Test
    void shouldAdvanceBothClocks() {
        time.advanceMs(7);

        assertThat(time.nanoTime()).isEqualTo(7_000_500);
        assertThat(time.wallClockMs()).isEqualTo(1_007);
    }

    @Test
    void shouldAddUpFractionsOfAMillisecond() {
        time.advanceNs(600_000);
        assertThat(time.wallClockMs()).isEqualTo(1_000);

        time.advanceNs(400_000);
        assertThat(time.wallClockMs()).isEqualTo(1_001);
    }

    @Test
    void shouldJumpTheWallClockAlone() {
        time.jumpWallClockMs(-3_000);

        assertThat(time.wallClockMs()).isEqualTo(-2_000);
        assertThat(time.nanoTime()).isEqualTo(500);
    }

    @Test
    void shouldOverflowLikeARealMonotonicClock() {
        FakeTimeSource late = new FakeTimeSource(Long.MAX_VALUE, 1_000);

        late.advanceMs(2);

        assertThat(late.nanoTime()).isNegative();
        assertThat(late.nanoTime() - Long.MAX_VALUE).isEqualTo(2_000_000);
        assertThat(late.wallClockMs()).isEqualTo(1_002);
    }

    @Test
    void shouldRejectTimeThatPassesBackwards() {
        assertThatThrownBy(() -> time.advanceNs(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1 ns");
    }
}
