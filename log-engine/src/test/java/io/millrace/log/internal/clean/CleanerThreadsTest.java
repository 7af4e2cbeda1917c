package io.millrace.log.internal.clean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.CleanerConfig;
import io.millrace.log.LogClosedException;
import io.millrace.testkit.FakeTimeSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CleanerThreadsTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final FakeTimeSource time = new FakeTimeSource();
    private final CleanerThreads threads = new CleanerThreads(new CleanerConfig(true, 2, 1_000, 1_024, 1), time);

    @Test
    void shouldHaveEachWaitUntilThoseBeforeAreDone() {
        assertThat(threads.waitNsFor(500)).isZero();
        assertThat(threads.waitNsFor(2_000)).isEqualTo(SECOND_NS / 2);
        assertThat(threads.waitNsFor(1)).isEqualTo(SECOND_NS * 5 / 2);
    }

    @Test
    void shouldNotWaitForWhatIsDone() {
        threads.waitNsFor(1_000);
        time.advanceMs(400);
        assertThat(threads.waitNsFor(1_000)).isEqualTo(SECOND_NS * 6 / 10);
        time.advanceMs(1_600);
        assertThat(threads.waitNsFor(1_000)).isZero();
    }

    @Test
    void shouldNotSaveUpTimeInWhichNothingWasDone() {
        threads.waitNsFor(1_000);
        time.advanceMs(60_000);
        assertThat(threads.waitNsFor(1_000)).isZero();
        assertThat(threads.waitNsFor(1_000)).isEqualTo(SECOND_NS);
    }

    @Test
    void shouldEndWhoeverGoesOnWhenItIsClosed() {
        threads.close();
        assertThatThrownBy(() -> threads.await(1)).isInstanceOf(LogClosedException.class);
    }
}
