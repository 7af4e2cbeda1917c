package io.millrace.server.internal.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import org.junit.jupiter.api.Test;

final class PaceTest {
    private static final long MS = 1_000_000;

    private final FakeTimeSource time = new FakeTimeSource();

    @Test
    void shouldKeepTheTimetableWhenASendTookLong() {
        long startNs = time.nanoTime();
        Pace pace = new Pace(time, startNs, 100, 0, 1);

        assertThat(pace.nextNs()).isEqualTo(startNs);
        time.advanceMs(35);

        assertThat(pace.nextNs()).isEqualTo(startNs + 10 * MS);
        assertThat(pace.nextNs()).isEqualTo(startNs + 20 * MS);
        long late = pace.nextNs();
        pace.await(late);
        assertThat(late).isEqualTo(startNs + 30 * MS);
        assertThat(pace.nextNs()).isEqualTo(startNs + 40 * MS);
    }

    @Test
    void shouldShareTheRateAmongProducers() {
        long startNs = time.nanoTime();
        Pace first = new Pace(time, startNs, 1_000, 0, 4);
        Pace last = new Pace(time, startNs, 1_000, 3, 4);

        assertThat(first.nextNs()).isEqualTo(startNs);
        assertThat(last.nextNs()).isEqualTo(startNs + 3 * MS);
        assertThat(first.nextNs()).isEqualTo(startNs + 4 * MS);
    }

    @Test
    void shouldTakeNowWithoutARate() {
        Pace pace = new Pace(time, time.nanoTime(), 0, 0, 1);
        time.advanceMs(7);

        assertThat(pace.nextNs()).isEqualTo(time.nanoTime());
    }
}
