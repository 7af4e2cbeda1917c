package io.millrace.systemtests.verify;

import io.millrace.systemtests.network.TcpProxy;
import io.millrace.systemtests.verify.TransferBlow.Victim;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Sends messages, cuts connections and kills, round by round. Used by one thread. */
final class TransferRounds {

    private static final int MESSAGES_AT_A_TIME = 300;

    /** Transactions of two resources take longer. */
    private static final int MESSAGES_AT_A_TIME_BY_XA = 100;

    private static final int LONGEST_WAIT_MS = 750;
    private static final int LONGEST_DELAY_MS = 4;

    /** Within this a point is reached, or there are too few messages. */
    private static final long POINT_MS = 3_000;

    private static final int MOST_TRIES = 10;

    private final TransferMode mode;
    private final BrokerUnderTest broker;
    private final TcpProxy proxy;
    private final FrameTrap trap;
    private final TransferPrograms programs;
    private final Optional<PostgresServer> database;
    private final TransferEnds ends;
    private final RandomGenerator random;
    private final int messages;
    private final Consumer<String> progress;

    private final Queue<TransferBlow> blows = new ArrayDeque<>();
    private final Queue<FramePoint> cutsAt = new ArrayDeque<>();
    private final Tally kills = new Tally();
    private final Tally points = new Tally();
    private int cuts;
    private int sent;

    TransferRounds(
            TransferMode mode,
            BrokerUnderTest broker,
            TcpProxy proxy,
            FrameTrap trap,
            TransferPrograms programs,
            Optional<PostgresServer> database,
            TransferEnds ends,
            RandomGenerator random,
            Consumer<String> progress) {
        this.mode = mode;
        this.broker = broker;
        this.proxy = proxy;
        this.trap = trap;
        this.programs = programs;
        this.database = database;
        this.ends = ends;
        this.random = random;
        this.progress = progress;
        this.messages = mode == TransferMode.XA ? MESSAGES_AT_A_TIME_BY_XA : MESSAGES_AT_A_TIME;
        for (TransferBlow blow : TransferBlow.all(mode)) {
            kills.expect(blow.victim().toString());
            points.expect(name(blow));
        }
        FramePoint.all(mode).forEach(point -> points.expect(cutName(point)));
    }

    private static String name(TransferBlow blow) {
        return blow.victim() + " killed: " + blow;
    }

    private static String cutName(FramePoint point) {
        return "connection cut: " + point;
    }

    void run(int count) throws IOException, InterruptedException {
        for (int round = 1; round <= count; round++) {
            String cut = random.nextBoolean() ? cut() : "";
            TransferBlow blow = nextBlow();
            switch (blow) {
                case TransferBlow.AtRandom chance -> {
                    send();
                    pause();
                    kill(chance.victim());
                }
                case TransferBlow.OfProgram crash -> crash(crash.point());
                case TransferBlow.OfBroker frame -> {
                    ProcessHandle process = ProcessHandle.of(broker.pid()).orElseThrow();
                    long delayMs = random.nextInt(LONGEST_DELAY_MS);
                    reach(
                            frame.point(),
                            false,
                            () -> {
                                if (frame.point().moment() == FramePoint.Moment.UNDER_WAY) {
                                    new Stop().await(delayMs);
                                }
                                process.destroyForcibly();
                            },
                            () -> kill(Victim.BROKER));
                }
            }
            kills.count(blow.victim().toString());
            points.count(name(blow));
            progress.accept("%d of %d: %s%s".formatted(round, count, cut, name(blow)));
        }
    }

    private TransferBlow nextBlow() {
        if (blows.isEmpty()) {
            blows.addAll(TransferBlow.cycle(mode, random));
        }
        return blows.remove();
    }

    private void send() {
        ends.send(sent, messages);
        sent += messages;
    }

    private void pause() {
        new Stop().await(random.nextInt(LONGEST_WAIT_MS));
    }

    /** Cuts at the next point, or at a random moment; returns what was done. */
    private String cut() throws IOException, InterruptedException {
        List<FramePoint> all = FramePoint.all(mode);
        if (!all.isEmpty() && random.nextBoolean()) {
            if (cutsAt.isEmpty()) {
                cutsAt.addAll(all);
            }
            FramePoint point = cutsAt.remove();
            reach(point, true, () -> {}, () -> {});
            points.count(cutName(point));
            cuts++;
            return cutName(point) + "; ";
        }
        send();
        pause();
        int count = proxy.cutSome(random);
        cuts += count;
        return count + " connections cut; ";
    }

    /** What follows when a trap has sprung. */
    private interface Afterwards {
        void run() throws IOException, InterruptedException;
    }

    /** Has the trap spring at a point, sending as much as is needed; the rest of that is sent afterwards. */
    private void reach(FramePoint point, boolean cutsThere, Runnable strike, Afterwards afterwards)
            throws IOException, InterruptedException {
        trap.arm(point, cutsThere, strike);
        for (int i = 0; i < MOST_TRIES; i++) {
            int first = sent;
            FutureTask<Void> sending = new FutureTask<>(() -> ends.send(first, messages), null);
            Thread.ofPlatform().name("sender").start(sending);
            sent += messages;
            boolean sprung = trap.await(POINT_MS);
            if (sprung) {
                trap.disarm();
                afterwards.run();
            }
            try {
                sending.get();
            } catch (ExecutionException e) {
                throw new ScenarioFailedException("messages cannot be sent", e);
            }
            if (sprung) {
                return;
            }
        }
        throw new ScenarioFailedException("no program comes to the point: " + point);
    }

    private void crash(CrashPoint point) throws IOException, InterruptedException {
        int number = random.nextInt(programs.count());
        programs.order(number, point.toLine());
        for (int i = 0; i < MOST_TRIES; i++) {
            send();
            if (programs.awaitEnd(number, POINT_MS)) {
                programs.restart(number);
                return;
            }
        }
        throw new ScenarioFailedException("program " + number + " does not come to the point: " + point);
    }

    private void kill(Victim victim) throws IOException, InterruptedException {
        switch (victim) {
            case BROKER -> {
                broker.kill();
                broker.start();
            }
            case PROGRAM -> programs.restart(random.nextInt(programs.count()));
            case DATABASE -> {
                PostgresServer server = database.orElseThrow();
                server.kill();
                server.start();
            }
        }
    }

    Map<String, Integer> kills() {
        return kills.counts();
    }

    Map<String, Integer> points() {
        return points.counts();
    }

    int cuts() {
        return cuts;
    }

    int sent() {
        return sent;
    }
}
