package io.millrace.wire.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SystemTimeSourceTest {

    private final TimeSource time = SystemTimeSource.instance();

    @Test
    void shouldNeverGoBackOnTheMonotonicClock() {
        long first = time.nanoTime();
        long second = time.nanoTime();

        assertThat(second - first).isNotNegative();
    }

    @Test
    void shouldTellTheDateOfTheMachine() {
        Instant told = Instant.ofEpochMilli(time.wallClockMs());

        assertThat(Duration.between(told, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
    }
}
