package io.millrace.broker.internal.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardLoopTest {

    private final ScheduledThreadPoolExecutor loop = new ScheduledThreadPoolExecutor(1);
    private final List<Throwable> faults = new ArrayList<>();

    @AfterEach
    void end() {
        loop.shutdownNow();
    }

    private Shard shard(TimeSource time) {
        return new Shard("shard", time, 10_000, (where, fault) -> faults.add(fault));
    }

    @Test
    void shouldRunOnItsLoopWhateverIsQueuedFromOtherThreads() throws InterruptedException {
        Shard shard = shard(SystemTimeSource.instance());
        ShardLoop.start(shard, loop);
        int[] ran = new int[1];
        int threads = 4;
        int each = 2_000;
        CountDownLatch done = new CountDownLatch(threads * each);

        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            callers.add(Thread.ofPlatform().start(() -> {
                for (int task = 0; task < each; task++) {
                    // Not atomic: only one thread at a time may be here.
                    shard.execute(() -> {
                        ran[0]++;
                        done.countDown();
                    });
                }
            }));
        }

        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ran[0]).isEqualTo(threads * each);
        for (Thread caller : callers) {
            caller.join();
        }
    }

    @Test
    void shouldMakeOneTurnOfWhatItsLoopQueues() {
        Shard shard = shard(SystemTimeSource.instance());
        ShardLoop.start(shard, loop);
        List<String> events = new ArrayList<>();
        CompletableFuture<Void> ended = new CompletableFuture<>();

        loop.execute(() -> {
            for (int i = 0; i < 3; i++) {
                int number = i;
                shard.execute(() -> {
                    events.add("task " + number);
                    if (number == 0) {
                        shard.atTurnEnd(() -> {
                            events.add("end");
                            ended.complete(null);
                        });
                    }
                });
            }
        });

        ended.orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(events).containsExactly("task 0", "task 1", "task 2", "end");
    }

    @Test
    void shouldGoOnAfterATurnThatLeftTasks() {
        Shard shard = shard(SystemTimeSource.instance());
        AtomicInteger ran = new AtomicInteger();
        int tasks = 3 * Shard.MAX_TASKS_PER_TURN + 1;
        for (int i = 0; i < tasks; i++) {
            shard.execute(ran::incrementAndGet);
        }

        ShardLoop.start(shard, loop);

        await().until(() -> ran.get() == tasks);
    }

    @Test
    void shouldFireTimersAndTheEarlierOfTwoFirst() {
        Shard shard = shard(SystemTimeSource.instance());
        ShardLoop.start(shard, loop);
        CompletableFuture<String> first = new CompletableFuture<>();

        shard.execute(() -> shard.schedule(TimeUnit.HOURS.toNanos(1), () -> first.complete("late")));
        shard.execute(() -> shard.schedule(TimeUnit.MILLISECONDS.toNanos(5), () -> first.complete("early")));

        assertThat(first.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo("early");
    }

    @Test
    void shouldFireTimersOfAClockThatIsMovedByHand() {
        FakeTimeSource time = new FakeTimeSource();
        Shard shard = shard(time);
        ShardLoop.start(shard, loop);
        AtomicInteger fired = new AtomicInteger();
        shard.execute(() -> shard.schedule(TimeUnit.HOURS.toNanos(1), fired::incrementAndGet));
        await().until(() -> shard.queuedTasks() == 0);

        time.advanceMs(TimeUnit.HOURS.toMillis(1));

        await().until(() -> fired.get() == 1);
    }

    @Test
    void shouldLeaveTheLoopAloneWhileNothingWaits() {
        Shard shard = shard(SystemTimeSource.instance());
        ShardLoop.start(shard, loop);
        CompletableFuture<Void> ran = new CompletableFuture<>();
        shard.execute(() -> ran.complete(null));
        ran.orTimeout(10, TimeUnit.SECONDS).join();

        await().until(() -> loop.getQueue().isEmpty() && loop.getActiveCount() == 0);
        long tasks = loop.getTaskCount();

        // Longer than a tick would take to come.
        await().during(200, TimeUnit.MILLISECONDS).until(() -> loop.getTaskCount() == tasks);
    }

    @Test
    void shouldLetThePresentTurnEndAndRunNoOther() throws InterruptedException {
        Shard shard = shard(SystemTimeSource.instance());
        ShardLoop runner = ShardLoop.start(shard, loop);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        shard.execute(() -> {
            entered.countDown();
            awaitQuietly(release);
            ran.incrementAndGet();
        });
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();

        Thread stopper = Thread.ofPlatform().start(runner::stop);
        release.countDown();
        stopper.join(10_000);
        shard.execute(ran::incrementAndGet);

        assertThat(stopper.isAlive()).isFalse();
        runner.stop();
        assertThat(ran).hasValue(1);
        assertThat(shard.queuedTasks()).isEqualTo(1);
    }

    @Test
    void shouldStopWhenTheLoopHasEnded() {
        Shard shard = shard(SystemTimeSource.instance());
        ShardLoop runner = ShardLoop.start(shard, loop);
        loop.shutdownNow();

        shard.execute(() -> {});
        runner.stop();

        assertThat(shard.queuedTasks()).isEqualTo(1);
        assertThat(faults).isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
