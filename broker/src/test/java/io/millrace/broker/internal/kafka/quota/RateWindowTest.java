package io.millrace.broker.internal.kafka.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateWindowTest {

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Test
    void shouldSpreadABurstOverAllSamplesButOne() {
        RateWindow window = new RateWindow(11, SECOND_NS, 0);

        assertThat(window.add(1_000, 5 * SECOND_NS)).isEqualTo(100);
    }

    @Test
    void shouldForgetWhatIsOlderThanAllSamples() {
        RateWindow window = new RateWindow(11, SECOND_NS, 0);
        window.add(1_000, 0);

        assertThat(window.add(0, 10 * SECOND_NS)).isEqualTo(100);
        assertThat(window.add(10, 11 * SECOND_NS)).isEqualTo(1);
    }

    @Test
    void shouldMeasureASteadyRate() {
        RateWindow window = new RateWindow(11, SECOND_NS, 0);
        double rate = 0;
        for (int tenth = 0; tenth <= 300; tenth++) {
            rate = window.add(50, tenth * SECOND_NS / 10);
        }
        assertThat(rate).isCloseTo(500, within(10.0));
    }

    @Test
    void shouldLetABurstOfChangesBeginWhileThereIsRoom() {
        TokenBucket bucket = new TokenBucket(1, 10, 0);

        assertThat(bucket.take(25, 1, 0)).isTrue();
        assertThat(bucket.take(1, 1, 0)).isFalse();
        assertThat(bucket.waitMs(1, 0)).isEqualTo(15_000);
        assertThat(bucket.take(1, 1, 15 * SECOND_NS)).isTrue();
    }
}
