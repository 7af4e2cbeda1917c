package io.millrace.benchmarks.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.testkit.FakeTimeSource;
import org.junit.jupiter.api.Test;

/** What makes the figures of a workload void: what others did, and never what the command itself did. */
class NeighboursTest {

    private static final int PROCESSORS = 2;

    private final FakeTimeSource time = new FakeTimeSource();
    private long machineCpuMs = 123_000;
    private long ourCpuMs = 45_000;

    @Test
    void shouldNotCountOurOwnLoad() {
        Neighbours neighbours = neighbours(0.3);

        Disturbance disturbance = workload(neighbours, 10_000, 20_000, 0);

        assertThat(disturbance.othersCpuShare()).isZero();
        assertThat(disturbance.tooMuch()).isFalse();
    }

    @Test
    void shouldBeVoidWhenOthersUsedMoreThanATenth() {
        Neighbours neighbours = neighbours(0.3);

        Disturbance little = workload(neighbours, 10_000, 5_000, 2_000);
        Disturbance more = workload(neighbours, 10_000, 5_000, 2_010);

        assertThat(little.othersCpuShare()).isCloseTo(0.1, within(1e-9));
        assertThat(little.tooMuch()).isFalse();
        assertThat(more.tooMuch()).isTrue();
        assertThat(more.text()).isEqualTo("others used 10 % of the processors: VOID, the machine was not quiet");
    }

    @Test
    void shouldAskForTheLoadAverageBeforeTheFirstWorkloadOnly() {
        Neighbours neighbours = neighbours(2.5);

        Disturbance first = workload(neighbours, 10_000, 20_000, 0);
        Disturbance second = workload(neighbours, 10_000, 20_000, 0);

        assertThat(first.loadBefore()).hasValue(2.5);
        assertThat(first.tooMuch()).isTrue();
        assertThat(first.text())
                .isEqualTo("others used 0 % of the processors, load average 2.50 before the first workload: "
                        + "VOID, the machine was not quiet");
        assertThat(second.loadBefore()).isEmpty();
        assertThat(second.tooMuch()).isFalse();
        assertThat(second.text()).isEqualTo("others used 0 % of the processors");
    }

    @Test
    void shouldBearALoadAverageOfTwoBeforeTheFirstWorkload() {
        assertThat(workload(neighbours(2.0), 10_000, 0, 0).tooMuch()).isFalse();
    }

    @Test
    void shouldNotCountWhatHappensBetweenWorkloads() {
        Neighbours neighbours = neighbours(0.3);
        workload(neighbours, 10_000, 0, 0);
        pass(60_000, 0, 100_000);

        assertThat(workload(neighbours, 10_000, 20_000, 0).tooMuch()).isFalse();
    }

    /** The clocks of processes and of the machine tick by 10 ms, and are read one after the other. */
    @Test
    void shouldTakeLessThanNothingForNothing() {
        Neighbours neighbours = neighbours(0.3);

        Disturbance disturbance = workload(neighbours, 1_000, 1_000, -20);

        assertThat(disturbance.text()).startsWith("others used 0 % of the processors");
    }

    private Neighbours neighbours(double load) {
        return new Neighbours(load, () -> machineCpuMs, PROCESSORS, time);
    }

    private Disturbance workload(Neighbours neighbours, long durationMs, long oursMs, long othersMs) {
        Neighbours.Watch watch = neighbours.begin(() -> ourCpuMs);
        pass(durationMs, oursMs, othersMs);
        return watch.end();
    }

    private void pass(long durationMs, long oursMs, long othersMs) {
        time.advanceNs(durationMs * 1_000_000);
        ourCpuMs += oursMs;
        machineCpuMs += oursMs + othersMs;
    }
}
