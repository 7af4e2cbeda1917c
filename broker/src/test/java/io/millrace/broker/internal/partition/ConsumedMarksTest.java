package io.millrace.broker.internal.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConsumedMarksTest {
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
    // The monotonic clock begins anywhere.
    private static final long START_NS = Long.MAX_VALUE - 2 * HOUR_NS;

    @Test
    void shouldHoldNothingBackWithoutARetention() {
        assertThat(new ConsumedMarks(0).removableBelow(500, START_NS)).isEqualTo(500);
    }

    @Test
    void shouldHoldBackForAsLongAsWasAskedForAfterItWasConsumed() {
        ConsumedMarks marks = new ConsumedMarks(TimeUnit.HOURS.toMillis(1));

        assertThat(marks.removableBelow(100, START_NS)).isZero();
        assertThat(marks.removableBelow(200, START_NS + HOUR_NS / 2)).isZero();
        assertThat(marks.removableBelow(200, START_NS + HOUR_NS - 1)).isZero();
        assertThat(marks.removableBelow(200, START_NS + HOUR_NS)).isEqualTo(100);
        assertThat(marks.removableBelow(300, START_NS + HOUR_NS * 3 / 2)).isEqualTo(200);
        assertThat(marks.removableBelow(300, START_NS + 3 * HOUR_NS)).isEqualTo(300);
    }

    @Test
    void shouldHoldBackALittleLongerRatherThanRememberEveryAcknowledgement() {
        ConsumedMarks marks = new ConsumedMarks(TimeUnit.HOURS.toMillis(1));
        long released = 0;
        for (int second = 0; second <= 7_200; second++) {
            released = marks.removableBelow(second, START_NS + TimeUnit.SECONDS.toNanos(second));
            assertThat(released).isLessThanOrEqualTo(Math.max(0, second - 3_600));
        }

        assertThat(released).isBetween(3_480L, 3_600L);
    }

    @Test
    void shouldLetGoAtOnceWhenTheRetentionIsTakenBack() {
        ConsumedMarks marks = new ConsumedMarks(TimeUnit.HOURS.toMillis(1));
        marks.removableBelow(100, START_NS);

        marks.retentionMs(0);

        assertThat(marks.removableBelow(100, START_NS + 1)).isEqualTo(100);
    }
}
