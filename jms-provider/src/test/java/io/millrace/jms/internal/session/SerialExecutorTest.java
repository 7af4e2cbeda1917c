package io.millrace.jms.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {

    private final Deque<Runnable> pool = new ArrayDeque<>();
    private final List<String> log = new ArrayList<>();

    @Test
    void shouldRunTasksInOrderOnOneThreadOfThePool() {
        SerialExecutor serial = new SerialExecutor(pool::add);
        serial.execute(() -> {
            log.add("a");
            serial.execute(() -> log.add("c"));
        });
        serial.execute(() -> log.add("b"));
        assertThat(pool).hasSize(1);

        pool.remove().run();

        assertThat(log).containsExactly("a", "b", "c");
        serial.execute(() -> log.add("d"));
        pool.remove().run();
        assertThat(log).containsExactly("a", "b", "c", "d");
    }

    @Test
    void shouldGoOnAfterATaskThatFails() {
        SerialExecutor serial = new SerialExecutor(pool::add);
        serial.execute(() -> {
            throw new IllegalArgumentException("on purpose");
        });
        serial.execute(() -> log.add("behind"));

        assertThatThrownBy(() -> pool.remove().run()).isInstanceOf(IllegalArgumentException.class);
        pool.remove().run();

        assertThat(log).containsExactly("behind");
    }

    @Test
    void shouldDropTasksWhenThePoolIsClosed() {
        boolean[] closed = {true};
        SerialExecutor serial = new SerialExecutor(task -> {
            if (closed[0]) {
                throw new RejectedExecutionException("closed");
            }
            pool.add(task);
        });

        serial.execute(() -> log.add("never"));

        closed[0] = false;
        serial.execute(() -> log.add("later"));
        pool.remove().run();
        assertThat(log).containsExactly("later");
    }
}
