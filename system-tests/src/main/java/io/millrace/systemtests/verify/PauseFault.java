package io.millrace.systemtests.verify;

import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * SIGSTOP and SIGCONT of the broker, of a client, or of both: to everybody else they are as good as dead meanwhile, and they do not know
 * it when they go on. The timeouts are short, and every pause is longer than all of them; {@link #LONG_ROUND}s have the default ones.
 */
final class PauseFault implements Fault {
    /** Each so manieth round runs with the default timeouts. */
    private static final int LONG_ROUND = 10;

    /** Beyond the silence after which a side is taken for dead (900 ms), the grace (1 s) and the clients' timeouts (2 s). */
    private static final long PAUSE_MS = 3_000;

    /** Beyond 15 s of silence and 15 s of grace. */
    private static final long LONG_PAUSE_MS = 33_000;

    /** All in all a pause stays below the 60 s after which a client gives its broker up for good. */
    private static final int APART_DIVISOR = 3;

    private static final List<String> SHORT = List.of("session.heartbeat.interval.ms=300", "session.grace.ms=1000");

    @Override
    public List<String> settings() {
        return SHORT;
    }

    @Override
    public String clientOptions() {
        return "?sendTimeout=2000&requestTimeout=2000&connectTimeout=1000";
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        boolean isLong = stage.round() % LONG_ROUND == 0;
        if (!isLong) {
            return pause(stage, PAUSE_MS);
        }
        restart(stage, List.of());
        String what = pause(stage, LONG_PAUSE_MS);
        stage.load().awaitWork();
        restart(stage, SHORT);
        return what + " with the default timeouts";
    }

    private static void restart(Stage stage, List<String> settings) throws IOException, InterruptedException {
        stage.broker().use(settings);
        stage.broker().terminate();
        stage.broker().start();
        stage.load().awaitWork();
    }

    private static String pause(Stage stage, long pauseMs) throws InterruptedException {
        RandomGenerator random = stage.random();
        // The first round, which may be the only one, stops both.
        int chance = stage.round() == 1 ? 2 : random.nextInt(4);
        boolean broker = chance != 0;
        boolean clients = chance != 1;
        int index = random.nextInt(stage.load().processCount());
        long durationMs = pauseMs + random.nextLong(pauseMs / APART_DIVISOR);
        stage.load().work(random.nextLong(1_000));
        if (clients) {
            stage.load().process(index).pause();
        }
        if (broker) {
            stage.broker().pause();
        }
        stage.load().work(durationMs);
        if (broker && clients && random.nextBoolean()) {
            stage.load().process(index).resume();
            stage.load().work(random.nextLong(pauseMs / APART_DIVISOR));
            stage.broker().resume();
        } else if (broker) {
            stage.broker().resume();
            stage.load().work(clients ? random.nextLong(pauseMs / APART_DIVISOR) : 0);
        }
        if (clients) {
            stage.load().process(index).resume();
        }
        return "stopped %s%s for %,d ms"
                .formatted(
                        broker ? "the broker" + (clients ? " and " : "") : "",
                        clients ? "client process " + index : "",
                        durationMs);
    }
}
