package io.millrace.coordinator.transaction;

import io.millrace.testkit.FakeTimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Time, chance, and what is on its way: each step one of the waiting things happens, whichever chance picks. */
final class SimulatedWorld {

    private record Timer(long dueNs, Runnable task) {}

    final FakeTimeSource time = new FakeTimeSource();
    final RandomGenerator random;
    final List<String> history = new ArrayList<>();
    private final List<Runnable> onTheWay = new ArrayList<>();
    private final List<Timer> timers = new ArrayList<>();
    private final List<Runnable> callers = new ArrayList<>();
    /** Nothing is lost and nothing fails any more: so that what is left comes to its end. */
    boolean healed;

    SimulatedWorld(RandomGenerator random) {
        this.random = random;
    }

    void say(String what) {
        history.add(what);
    }

    boolean chance(int percent) {
        return !healed && random.nextInt(100) < percent;
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Something happens at some time, unless there is a crash before. */
    void later(Runnable task) {
        onTheWay.add(task);
    }

    void schedule(long delayNs, Runnable task) {
        timers.add(new Timer(time.nanoTime() + delayNs, task));
    }

    /** Returns whether anything was left to happen. */
    boolean step() {
        if (!onTheWay.isEmpty()) {
            onTheWay.remove(random.nextInt(onTheWay.size())).run();
            return true;
        }
        return false;
    }

    void pass(long durationNs) {
        time.advanceNs(durationNs);
        List<Timer> due =
                timers.stream().filter(timer -> timer.dueNs <= time.nanoTime()).toList();
        timers.removeAll(due);
        due.forEach(timer -> timer.task.run());
    }

    /** The broker is gone: nothing that was on its way arrives, and callers notice. */
    void crash() {
        onTheWay.clear();
        timers.clear();
        List<Runnable> waiting = List.copyOf(callers);
        callers.clear();
        waiting.forEach(Runnable::run);
    }

    /**
     * A client calls the broker. Question and answer take their time, and get lost with the broker, or by themselves.
     *
     * @param lost told, instead of the other two, when no answer will come
     */
    <T> void call(
            Supplier<CompletionStage<T>> call, Consumer<T> done, Consumer<TransactionException> failed, Runnable lost) {
        boolean[] over = {false};
        Runnable onLost = () -> {
            if (!over[0]) {
                over[0] = true;
                lost.run();
            }
        };
        callers.add(onLost);
        later(() -> {
            if (chance(2)) {
                forget(onLost);
                onLost.run();
                return;
            }
            call.get()
                    .whenComplete((answer, failure) -> later(() -> {
                        forget(onLost);
                        if (over[0]) {
                            return;
                        }
                        if (chance(3)) {
                            onLost.run();
                            return;
                        }
                        over[0] = true;
                        answer(answer, failure, done, failed);
                    }));
        });
    }

    private static <T> void answer(
            @Nullable T answer, @Nullable Throwable failure, Consumer<T> done, Consumer<TransactionException> failed) {
        if (failure == null) {
            done.accept(answer);
        } else if (Failures.cause(failure) instanceof TransactionException known) {
            failed.accept(known);
        } else {
            throw new AssertionError("a call failed with something that no client knows", failure);
        }
    }

    private void forget(Runnable caller) {
        callers.remove(caller);
    }
}
