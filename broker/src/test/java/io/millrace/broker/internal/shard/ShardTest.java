package io.millrace.broker.internal.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.FakeTimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShardTest {

    private final FakeTimeSource time = new FakeTimeSource(Long.MAX_VALUE - 1_000, 0);
    private final List<Throwable> faults = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();
    private final Shard shard = new Shard("shard-0", time, 3, (where, fault) -> faults.add(fault));

    @Test
    void shouldRunTasksInTheOrderOfQueueing() {
        shard.execute(() -> ran.add("a"));
        shard.execute(() -> ran.add("b"));

        assertThat(shard.runTurn()).isTrue();

        assertThat(ran).containsExactly("a", "b");
        assertThat(shard.runTurn()).isFalse();
    }

    @Test
    void shouldRefuseClientTasksBeyondItsCapacityButNeverItsOwn() {
        for (int i = 0; i < 3; i++) {
            assertThat(shard.offer(() -> ran.add("client"))).isTrue();
        }

        assertThat(shard.offer(() -> ran.add("refused"))).isFalse();
        shard.execute(() -> ran.add("own"));

        shard.runTurn();
        assertThat(ran).containsExactly("client", "client", "client", "own");
        assertThat(shard.offer(() -> ran.add("later"))).isTrue();
    }

    @Test
    void shouldRunTimersByDeadlineAcrossTheOverflowOfTheClock() {
        shard.schedule(2_000, () -> ran.add("after overflow"));
        shard.schedule(500, () -> ran.add("before overflow"));
        shard.schedule(500, () -> ran.add("second of the same time"));

        assertThat(shard.runTurn()).isFalse();
        time.advanceNs(500);
        shard.runTurn();
        assertThat(ran).containsExactly("before overflow", "second of the same time");
        time.advanceNs(1_499);
        shard.runTurn();
        assertThat(ran).hasSize(2);
        time.advanceNs(1);
        shard.runTurn();
        assertThat(ran).hasSize(3).last().isEqualTo("after overflow");
    }

    @Test
    void shouldNotRunCancelledTimer() {
        ShardTimer timer = shard.schedule(1, () -> ran.add("cancelled"));

        timer.cancel();
        time.advanceNs(2);

        assertThat(shard.runTurn()).isFalse();
        assertThat(ran).isEmpty();
    }

    @Test
    void shouldEndTheTurnAfterAllItsTasks() {
        shard.execute(() -> {
            ran.add("first");
            shard.atTurnEnd(() -> ran.add("end"));
        });
        shard.execute(() -> ran.add("second"));

        shard.runTurn();

        assertThat(ran).containsExactly("first", "second", "end");
    }

    @Test
    void shouldCallAtTheEndOfTheNextTurnWhoeverAsksWhileATurnEnds() {
        shard.atTurnEnd(() -> {
            ran.add("end");
            shard.atTurnEnd(() -> ran.add("next end"));
        });

        shard.runTurn();
        assertThat(ran).containsExactly("end");
        assertThat(shard.idleNs(Long.MAX_VALUE)).isZero();
        shard.runTurn();

        assertThat(ran).containsExactly("end", "next end");
    }

    @Test
    void shouldAskForAllSyncsOfATurnBeforeAnybodyGoesOn() {
        class Member implements TurnEnd {
            private final String name;

            Member(String name) {
                this.name = name;
            }

            @Override
            public void askForSyncs() {
                ran.add(name + " syncs");
            }

            @Override
            public void onTurnEnd() {
                ran.add(name + " goes on");
            }
        }
        shard.execute(() -> {
            shard.beforeTurnEnd(() -> {
                ran.add("written");
                shard.atTurnEnd(new Member("second"));
            });
            shard.atTurnEnd(new Member("first"));
        });

        shard.runTurn();

        assertThat(ran).containsExactly("written", "first syncs", "second syncs", "first goes on", "second goes on");
    }

    @Test
    void shouldCutATurnThatHasWrittenItsShare() {
        shard.execute(() -> shard.wroteBytes(Shard.MAX_WRITTEN_BYTES_PER_TURN));
        shard.execute(() -> ran.add("next turn"));

        shard.runTurn();
        assertThat(ran).isEmpty();
        shard.runTurn();

        assertThat(ran).containsExactly("next turn");
    }

    @Test
    void shouldGoOnAfterATaskThatThrows() {
        IllegalStateException fault = new IllegalStateException("a bug");
        shard.execute(() -> {
            throw fault;
        });
        shard.execute(() -> ran.add("after"));

        shard.runTurn();

        assertThat(faults).containsExactly(fault);
        assertThat(ran).containsExactly("after");
    }

    @Test
    void shouldTellHowLongItIsIdle() {
        assertThat(shard.idleNs(700)).isEqualTo(700);

        shard.schedule(300, () -> ran.add("timer"));
        assertThat(shard.idleNs(700)).isEqualTo(300);

        time.advanceNs(400);
        assertThat(shard.idleNs(700)).isZero();
    }

    @Test
    void shouldRefuseImpossibleCapacityAndDelay() {
        assertThatThrownBy(() -> new Shard("none", time, 0, (where, fault) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none");
        assertThatThrownBy(() -> shard.schedule(-TimeUnit.SECONDS.toNanos(1), () -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
