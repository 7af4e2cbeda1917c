package io.millrace.systemtests.verify;

import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.ListDestinations;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.name.DestinationKind;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Clients that mean no good, while others work: the others go on, and when the bad ones are gone, so is what they held. Each round has
 * one kind of them, in turn.
 */
final class HostileFault implements Fault {
    private static final int HALF_WAY = 5_000;
    private static final int DEAF = 500;
    private static final int DRIBBLING = 500;
    private static final int QUEUES = 10_000;
    private static final int QUEUES_AT_A_TIME = 16;

    private static final long WORK_MS = 2_000;
    private static final long BETWEEN_BYTES_MS = 1_000;

    /** Long enough for every timeout to have its say. */
    private static final int DRIBBLE_BYTES = 20;

    private static final long GONE_MS = 40_000;

    /** Files that a broker opens for its own work meanwhile. */
    private static final int OTHER_FILES = 300;

    private static final int CREATE_MS = 20_000;

    @Override
    public List<String> settings() {
        return List.of("max.destinations=" + (QUEUES / 2));
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        BrokerUnderTest broker = stage.broker();
        int filesBefore = broker.openFiles();
        long memoryBefore = broker.residentMib();
        double usual = workPerSecond(stage, WORK_MS);
        String what;
        double meanwhile;
        try (Peers peers = new Peers()) {
            what = switch (stage.round() % 4) {
                case 1 -> halfWay(stage, peers);
                case 2 -> deaf(stage, peers);
                case 3 -> dribbling(stage, peers);
                default -> createQueues(stage, peers);
            };
            meanwhile = workPerSecond(stage, WORK_MS);
            broker.requireAlive(what);
        }
        awaitGone(stage, filesBefore + OTHER_FILES);
        return "%s; others did %.0f operations/s, %.0f meanwhile; memory %d MiB before, %d after"
                .formatted(what, usual, meanwhile, memoryBefore, broker.residentMib());
    }

    /** Stops somewhere in the handshake, and stays. */
    private static String halfWay(Stage stage, Peers peers) throws IOException {
        int port = stage.broker().port();
        RandomGenerator random = stage.random();
        peers.arrive(HALF_WAY, () -> {
            RawPeer peer = RawPeer.connect(port);
            byte[] handshake = RawPeer.handshake();
            peer.write(Arrays.copyOf(handshake, random.nextInt(handshake.length)));
            return peer;
        });
        return "%,d connections stopped half-way (%,d not let in)".formatted(peers.count(), peers.refused());
    }

    /** Asks for much, and reads nothing. */
    private static String deaf(Stage stage, Peers peers) throws IOException, InterruptedException {
        int port = stage.broker().port();
        peers.arrive(DEAF, () -> {
            RawPeer peer = RawPeer.loggedIn(port);
            consume(peer, DestinationKind.TOPIC, Load.PRICES.name());
            return peer;
        });
        int came = peers.count();
        for (int second = 0; second < 10; second++) {
            peers.each(peer -> {
                for (int i = 0; i < 8; i++) {
                    peer.send(new ListDestinations(1_000 + i, Optional.empty()));
                }
            });
            stage.load().work(500);
        }
        return "%,d connections with a consumer each read nothing (%,d not let in, %,d thrown out)"
                .formatted(came, peers.refused(), came - peers.count());
    }

    /** Asks for as many messages of a destination as it has. */
    static void consume(RawPeer peer, DestinationKind kind, String name) throws IOException {
        peer.send(new OpenSession(1, 1, RawPeer.newId()));
        peer.send(new DescribeDestination(2, Optional.of(kind), name, true));
        DestinationDescribed described = await(peer, DestinationDescribed.class);
        peer.send(new OpenConsumer(
                3,
                1,
                1,
                described.logId(),
                0,
                kind == DestinationKind.QUEUE ? ConsumerSource.QUEUE : ConsumerSource.PRIVATE,
                new UUID(0, 0),
                kind == DestinationKind.QUEUE ? StartPosition.LATEST : StartPosition.EARLIEST,
                -1,
                1_000_000,
                1 << 30,
                List.of()));
        peer.send(new Credit(1, 1, 0, 1_000_000, 1 << 30));
    }

    /** Sends its handshake and a frame a byte a second. */
    private static String dribbling(Stage stage, Peers peers) throws IOException, InterruptedException {
        int port = stage.broker().port();
        peers.arrive(DRIBBLING, () -> RawPeer.connect(port));
        peers.arrive(DRIBBLING, () -> RawPeer.loggedIn(port));
        int came = peers.count();
        byte[] beginOfFrame = {0, 3, (byte) 0xff, 0};
        for (int i = 0; i < DRIBBLE_BYTES; i++) {
            byte next = i < beginOfFrame.length ? beginOfFrame[i] : 52;
            peers.each(peer -> peer.write(next));
            stage.load().work(BETWEEN_BYTES_MS);
        }
        return "%,d connections sent a byte a second (%,d thrown out)".formatted(came, came - peers.count());
    }

    /** Creates queues until the broker has enough of it, or the time is over. */
    private static String createQueues(Stage stage, Peers peers) throws IOException {
        int port = stage.broker().port();
        peers.arrive(1, () -> RawPeer.loggedIn(port));
        int[] created = {0};
        int[] refused = {0};
        long deadlineNs = stage.load().nanoTime() + CREATE_MS * 1_000_000L;
        peers.each(peer -> {
            for (int next = 0; next < QUEUES && stage.load().nanoTime() - deadlineNs < 0; next += QUEUES_AT_A_TIME) {
                for (int i = next; i < next + QUEUES_AT_A_TIME; i++) {
                    peer.send(new DescribeDestination(
                            i + 10, Optional.of(DestinationKind.QUEUE), "hostile." + stage.round() + '.' + i, true));
                }
                for (int i = 0; i < QUEUES_AT_A_TIME; i++) {
                    if (await(peer, AnswerFrame.class) instanceof Failure) {
                        refused[0]++;
                    } else {
                        created[0]++;
                    }
                }
            }
        });
        return "one client created %,d queues (%,d refused)".formatted(created[0], refused[0]);
    }

    private static <F> F await(RawPeer peer, Class<F> type) throws IOException {
        Frame frame = peer.readFrame();
        while (!type.isInstance(frame)) {
            frame = peer.readFrame();
        }
        return type.cast(frame);
    }

    private static double workPerSecond(Stage stage, long durationMs) throws InterruptedException {
        int before = stage.load().operations();
        stage.load().work(durationMs);
        return (stage.load().operations() - before) * 1_000.0 / durationMs;
    }

    private static void awaitGone(Stage stage, int mostFiles) throws InterruptedException {
        long deadlineNs = stage.load().nanoTime() + GONE_MS * 1_000_000L;
        while (stage.broker().openFiles() > mostFiles) {
            if (stage.load().nanoTime() - deadlineNs > 0) {
                throw new ScenarioFailedException("the broker still has "
                        + stage.broker().openFiles() + " files and sockets open " + GONE_MS
                        + " ms after the bad clients are gone");
            }
            stage.load().work(200);
        }
    }
}
