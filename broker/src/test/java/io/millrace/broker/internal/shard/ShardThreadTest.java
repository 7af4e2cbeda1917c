package io.millrace.broker.internal.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.wire.time.SystemTimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardThreadTest {

    private final List<ShardThread> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(ShardThread::stop);
    }

    private ShardThread start(Shard shard) {
        ShardThread thread =
                ShardThread.start(shard, Thread.ofPlatform().daemon().factory());
        started.add(thread);
        return thread;
    }

    @Test
    void shouldWakeUpForEveryTask() {
        Shard shard = new Shard("shard", SystemTimeSource.instance(), 10, (where, fault) -> {});
        ShardThread thread = start(shard);

        for (int i = 0; i < 1_000; i++) {
            CompletableFuture<Boolean> onShard = new CompletableFuture<>();
            shard.execute(() -> onShard.complete(thread.isCurrent()));
            assertThat(onShard.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
        }
        assertThat(thread.isCurrent()).isFalse();
    }

    @Test
    void shouldFireTimersOfAClockThatIsMovedByHand() {
        FakeTimeSource time = new FakeTimeSource();
        Shard shard = new Shard("shard", time, 10, (where, fault) -> {});
        start(shard);
        AtomicInteger fired = new AtomicInteger();
        shard.execute(() -> shard.schedule(TimeUnit.HOURS.toNanos(1), fired::incrementAndGet));
        await().until(() -> shard.queuedTasks() == 0);

        time.advanceMs(TimeUnit.HOURS.toMillis(1));

        await().until(() -> fired.get() == 1);
    }

    @Test
    void shouldEndItsThread() {
        Shard shard = new Shard("shard", SystemTimeSource.instance(), 10, (where, fault) -> {});
        ShardThread thread = start(shard);

        thread.stop();
        AtomicInteger ran = new AtomicInteger();
        shard.execute(ran::incrementAndGet);

        assertThat(shard.queuedTasks()).isEqualTo(1);
        assertThat(ran).hasValue(0);
    }
}
