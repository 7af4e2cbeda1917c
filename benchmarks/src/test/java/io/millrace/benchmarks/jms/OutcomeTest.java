package io.millrace.benchmarks.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.machine.Disturbance;
import io.millrace.benchmarks.program.Measurement;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    private static final Disturbance QUIET = new Disturbance(OptionalDouble.empty(), 0.02);
    private static final Disturbance BUSY = new Disturbance(OptionalDouble.empty(), 0.2);

    @Test
    void shouldCompareWithTheDiskPairByPair() {
        Outcome near = syncOne(QUIET, 500_000);
        Outcome far = syncOne(QUIET, 500_001);

        assertThat(near.overDiskNs().median()).isEqualTo(300_000);
        assertThat(near.nearDisk()).isTrue();
        assertThat(far.nearDisk()).isFalse();
        assertThat(Report.text(near)).contains("our p50 is 300 us above it, target <= 300: reached");
        assertThat(Report.text(far)).contains("target <= 300: MISSED");
    }

    @Test
    void shouldCallTheComparisonWithTheDiskVoidByWhatOthersUsed() {
        assertThat(Report.text(syncOne(QUIET, 500_000))).doesNotContain("VOID");
        assertThat(Report.text(syncOne(BUSY, 500_000))).contains("others used 20 % of the processors: VOID");
    }

    /** Three pairs, of which one is far off; the disk takes 200 us. */
    private static Outcome syncOne(Disturbance disturbance, long p50Ns) {
        return new Outcome(
                Plan.named("sync-1"),
                List.of(measured(p50Ns - 100_000), measured(p50Ns), measured(90_000_000)),
                List.of(),
                List.of(200_000.0, 200_000.0, 200_000.0),
                200 << 20,
                0,
                disturbance);
    }

    private static Measurement measured(long p50Ns) {
        return new Measurement(1_000, 1_000_000_000, p50Ns, 2 * p50Ns, 100, 100, 1_000, 1_000);
    }
}
