package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class LaneTest {

    private final Queue<Runnable> executor = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private final Lane lane = new Lane(executor::add, 2);

    @Test
    void shouldLeaveTheExecutorToOthersWhileItHasManyTasks() {
        for (int i = 0; i < 5; i++) {
            String name = "task " + i;
            lane.execute(() -> done.add(name));
        }
        executor.add(() -> done.add("of somebody else"));
        assertThat(executor).hasSize(3);

        while (!executor.isEmpty()) {
            executor.remove().run();
        }

        assertThat(done).containsExactly("task 0", "task 1", "of somebody else", "task 2", "task 3", "task 4");
    }

    @Test
    void shouldGoOnWhenATaskFails() {
        for (int i = 0; i < 3; i++) {
            lane.execute(() -> {
                throw new IllegalStateException("on purpose");
            });
        }
        lane.execute(() -> done.add("last"));

        while (!executor.isEmpty()) {
            runQuietly(executor.remove());
        }

        assertThat(done).containsExactly("last");
    }

    private static void runQuietly(Runnable task) {
        try {
            task.run();
        } catch (IllegalStateException onPurpose) {
            assertThat(onPurpose).hasMessage("on purpose");
        }
    }

    @Test
    void shouldRefuseToBeTooNarrowForAnything() {
        assertThatThrownBy(() -> new Lane(Runnable::run, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
