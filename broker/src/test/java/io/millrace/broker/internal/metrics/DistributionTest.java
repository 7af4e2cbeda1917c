package io.millrace.broker.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DistributionTest {

    private final Histogram first = new Histogram();
    private final Histogram second = new Histogram();
    private final Distribution distribution = new Distribution(List.of(first, second));

    @Test
    void shouldPutEveryValueIntoTheBucketThatEndsAboveItByAQuarterAtMost() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            long value = random.nextLong(1L << random.nextInt(1, 42));

            int bucket = Histogram.bucketOf(value);

            assertThat(Histogram.endOf(bucket)).isGreaterThan(value).isLessThanOrEqualTo(value + value / 4 + 1);
            assertThat(bucket == 0 ? 0 : Histogram.endOf(bucket - 1)).isLessThanOrEqualTo(value);
        }
    }

    @Test
    void shouldCountTheLargestValuesInTheLastBucketAndNegativeOnesAsZero() {
        first.record(Long.MAX_VALUE >> 8);
        second.record(-5);
        distribution.look();

        assertThat(distribution.count()).isEqualTo(2);
        assertThat(distribution.quantile(0.5)).isZero();
        assertThat(distribution.quantile(1)).isEqualTo(Histogram.endOf(Histogram.BUCKETS - 1) - 1);
    }

    @Test
    void shouldTakeTheQuantilesOverAllParts() {
        for (int i = 1; i <= 1_000; i++) {
            (i % 2 == 0 ? first : second).record(i * 1_000L);
        }
        distribution.look();

        assertThat(distribution.count()).isEqualTo(1_000);
        assertThat(distribution.sum()).isEqualTo(500_500_000L);
        assertThat(distribution.quantile(0.5)).isBetween(500_000L, 625_000L);
        assertThat(distribution.quantile(0.99)).isBetween(990_000L, 1_240_000L);
    }

    @Test
    void shouldForgetInTheQuantilesWhatIsOlderThanTheWindowAndKeepItInTheCount() {
        first.record(1_000_000);
        distribution.look();
        assertThat(distribution.quantile(1)).isGreaterThanOrEqualTo(1_000_000);
        for (int i = 0; i <= Distribution.WINDOW_TICKS; i++) {
            distribution.tick();
        }
        second.record(10);
        distribution.look();

        assertThat(distribution.quantile(1)).isBetween(10L, 12L);
        assertThat(distribution.count()).isEqualTo(2);
    }

    @Test
    void shouldSayZeroWhereNothingWasMeasured() {
        distribution.tick();

        assertThat(distribution.quantile(0.99)).isZero();
        assertThat(distribution.count()).isZero();
    }
}
