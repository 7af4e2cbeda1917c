package io.millrace.log.internal.clean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.log.CleanerConfig;
import io.millrace.log.LogClosedException;
import io.millrace.testkit.FakeTimeSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    void shouldWorkAsFastAsItIsToldNow() {
        threads.waitNsFor(1_000);
        threads.reconfigure(new CleanerConfig(true, 2, 100, 1_024, 1));
        threads.waitNsFor(100);
        assertThat(threads.waitNsFor(1)).isEqualTo(2 * SECOND_NS);
    }

    @Test
    void shouldHaveAsManyThreadsAsItIsToldNow() {
        Set<Thread> working = ConcurrentHashMap.newKeySet();
        threads.start(Thread.ofVirtual().factory(), () -> {
            working.add(Thread.currentThread());
            return false;
        });
        await().until(() -> alive(working) == 2);

        threads.reconfigure(new CleanerConfig(true, 5, 1_000, 1_024, 1));
        await().until(() -> alive(working) == 5);
        threads.reconfigure(new CleanerConfig(true, 1, 1_000, 1_024, 1));
        await().until(() -> alive(working) == 1);
        threads.reconfigure(new CleanerConfig(true, 3, 1_000, 1_024, 1));
        await().until(() -> alive(working) == 3);
        threads.close();
        assertThat(alive(working)).isZero();
    }

    private static long alive(Set<Thread> threads) {
        return threads.stream().filter(Thread::isAlive).count();
    }

    @Test
    void shouldEndWhoeverGoesOnWhenItIsClosed() {
        threads.close();
        assertThatThrownBy(() -> threads.await(1)).isInstanceOf(LogClosedException.class);
    }
}
