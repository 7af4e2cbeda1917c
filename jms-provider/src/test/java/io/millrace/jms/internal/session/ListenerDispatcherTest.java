package io.millrace.jms.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jms.internal.transport.StepLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenerDispatcherTest {

    private final StepLoop loop = new StepLoop();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final ListenerDispatcher dispatcher = new ListenerDispatcher(loop, tasks::add);
    private final List<String> log = new ArrayList<>();

    @Test
    void shouldCallNobodyBeforeItIsStarted() {
        FakeTarget target = target("a", 3);
        dispatcher.wake();
        run();
        assertThat(log).isEmpty();

        dispatcher.start();
        run();

        assertThat(log).containsExactly("a", "a", "a", "a hungry");
        assertThat(target.messages).isZero();
    }

    @Test
    void shouldTakeTurnsBetweenConsumers() {
        target("a", 2);
        target("b", 2);
        dispatcher.start();
        run();

        assertThat(log).containsExactly("a", "b", "a", "b", "a hungry", "b hungry");
    }

    @Test
    void shouldLetOthersHaveTheThreadAfterATurn() {
        FakeTarget target = target("a", 300);
        dispatcher.start();
        tasks.remove().run();

        assertThat(target.messages).isEqualTo(300 - 256);
        run();
        assertThat(target.messages).isZero();
    }

    @Test
    void shouldPauseLongerEachTimeAListenerThrows() {
        FakeTarget target = target("a", 1);
        target.fails = true;
        dispatcher.start();
        run();
        assertThat(log).containsExactly("a");
        long[] pausesMs = {10, 20, 40, 80, 160, 320, 640, 1_000, 1_000};
        for (long pauseMs : pausesMs) {
            log.clear();
            target.messages = 1;
            dispatcher.wake();
            loop.advanceMs(pauseMs - 1);
            run();
            assertThat(log).as("before %d ms", pauseMs).isEmpty();
            loop.advanceMs(1);
            run();
            assertThat(log).contains("a");
        }
    }

    @Test
    void shouldForgetItsPausesWhenAListenerReturns() {
        FakeTarget target = target("a", 1);
        target.fails = true;
        dispatcher.start();
        run();
        loop.advanceMs(10);
        target.fails = false;
        target.messages = 1;
        dispatcher.wake();
        run();
        target.fails = true;
        target.messages = 1;
        dispatcher.wake();
        run();
        log.clear();
        target.messages = 1;

        loop.advanceMs(10);
        run();

        assertThat(log).contains("a");
    }

    @Test
    void shouldStopInTheMiddle() throws InterruptedException {
        FakeTarget target = target("a", 3);
        target.stopsAfterFirst = true;
        dispatcher.start();
        run();

        assertThat(log).containsExactly("a");
        assertThat(dispatcher.inListener()).isFalse();
        dispatcher.stop();
    }

    @Test
    void shouldNotCallWhoWasRemoved() {
        FakeTarget target = target("a", 3);
        dispatcher.remove(target);
        dispatcher.start();
        run();

        assertThat(log).isEmpty();
    }

    private FakeTarget target(String name, int messages) {
        FakeTarget target = new FakeTarget(name, messages);
        dispatcher.add(target);
        return target;
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private final class FakeTarget implements ListenerDispatcher.Target {

        private final String name;
        private int messages;
        private boolean fails;
        private boolean stopsAfterFirst;

        FakeTarget(String name, int messages) {
            this.name = name;
            this.messages = messages;
        }

        @Override
        public boolean dispatchOne() {
            if (messages == 0) {
                return false;
            }
            messages--;
            log.add(name);
            if (fails) {
                dispatcher.onListenerFailed();
            } else {
                dispatcher.onListenerSucceeded();
            }
            if (stopsAfterFirst) {
                stopFromListener();
            }
            return true;
        }

        private void stopFromListener() {
            assertThat(dispatcher.inListener()).isTrue();
            try {
                dispatcher.stop(); // must not wait for itself
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }

        @Override
        public void hunger() {
            log.add(name + " hungry");
        }
    }
}
