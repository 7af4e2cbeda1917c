package io.millrace.systemtests.verify;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ConsumerSource;
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
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Clients that mean no good, while others work: the others go on, and when the bad ones are gone, so is what they held. Each round has
 * one kind of them, in turn.
 */
final class HostileFault implements Fault {
    /** Of bad clients. */
    private static final int KINDS = 5;

    private static final int HALF_WAY = 5_000;
    private static final int DEAF = 500;
    private static final int DRIBBLING = 500;
    private static final int QUEUES = 10_000;
    private static final int QUEUES_AT_A_TIME = 16;

    private static final long WARM_UP_MS = 8_000;
    private static final long WORK_MS = 2_000;
    private static final long BETWEEN_BYTES_MS = 1_000;

    /** Long enough for every timeout to have its say. */
    private static final int DRIBBLE_BYTES = 20;

    private static final long GONE_MS = 40_000;

    /** Of good clients that were away for a moment before. */
    private static final int OTHER_SOCKETS = 20;

    private static final long CREATE_MS = 240_000;

    private static final int HOARDERS = 50;

    /** So many of the load's own messages each: they are lent to nobody else meanwhile, and come back when these are gone. */
    private static final int HOARDED_WORK = 20;

    /** As much as a client of ours asks for at a time. */
    private static final int HOARDED_PRICES = 1_000;

    private static final int WITHOUT_END = 1_000_000;

    @Override
    public List<String> settings() {
        return List.of("max.destinations=" + (QUEUES / 2));
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        BrokerUnderTest broker = stage.broker();
        if (stage.round() == 1) {
            // What is usual is seen when all are warm.
            stage.load().work(WARM_UP_MS);
        }
        int socketsBefore = broker.openSockets();
        long memoryBefore = broker.residentMib();
        String what;
        String others;
        try (Bystander bystander = Bystander.watch(stage)) {
            Fare fare;
            try (Peers peers = new Peers()) {
                what = switch (stage.round() % KINDS) {
                    case 1 -> halfWay(stage, peers);
                    case 2 -> deaf(stage, peers);
                    case 3 -> dribbling(stage, peers);
                    case 4 -> neverAcknowledging(stage);
                    default -> createQueues(stage, peers);
                };
                stage.load().work(WORK_MS);
                fare = bystander.end(what);
                broker.requireAlive(what);
            }
            awaitGone(stage, socketsBefore + OTHER_SOCKETS);
            others = bystander.judge(what, fare);
        }
        return "%s; %s; memory %d MiB before, %d after".formatted(what, others, memoryBefore, broker.residentMib());
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
            consume(peer, Load.PRICES, WITHOUT_END);
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

    /** Asks for messages of a destination, up to so many. */
    static void consume(RawPeer peer, Place place, int mostMessages) throws IOException {
        DestinationKind kind = place.kind() == Place.Kind.QUEUE ? DestinationKind.QUEUE : DestinationKind.TOPIC;
        peer.send(new OpenSession(1, 1, RawPeer.newId()));
        peer.send(new DescribeDestination(2, Optional.of(kind), place.name(), true));
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
                mostMessages,
                1 << 30,
                List.of()));
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

    /** Reads at once all that it gets, and keeps it: some of what the others work on, and a queue of its own. */
    private static String neverAcknowledging(Stage stage) throws IOException, InterruptedException {
        try (Hoarders hoarders = new Hoarders(stage)) {
            Place queue = Place.queue("hostile.hoarded." + stage.round());
            hoarders.come(HOARDERS, Load.WORK, HOARDED_WORK);
            hoarders.come(HOARDERS, Load.PRICES, HOARDED_PRICES);
            String what = hoarders.hoard(HOARDERS, queue);
            int came = 3 * HOARDERS;
            if (hoarders.count() < came) {
                throw new ScenarioFailedException("%d of %d clients were thrown out, who only did not acknowledge"
                        .formatted(came - hoarders.count(), came));
            }
            return "%d clients: %s".formatted(came, what);
        }
    }

    /**
     * Creates queues without end: the broker has as many as it may in the end, and refuses the others with the reason.
     *
     * @throws ScenarioFailedException if that takes too long, or there are fewer or more
     */
    private static String createQueues(Stage stage, Peers peers) throws IOException {
        int port = stage.broker().port();
        peers.arrive(1, () -> RawPeer.loggedIn(port));
        int[] created = {0};
        int[] refused = {0};
        long startNs = stage.load().nanoTime();
        peers.each(peer -> {
            for (int next = 0; next < QUEUES; next += QUEUES_AT_A_TIME) {
                for (int i = next; i < next + QUEUES_AT_A_TIME; i++) {
                    peer.send(new DescribeDestination(
                            i + 10, Optional.of(DestinationKind.QUEUE), "hostile." + stage.round() + '.' + i, true));
                }
                for (int i = 0; i < QUEUES_AT_A_TIME; i++) {
                    if (await(peer, AnswerFrame.class) instanceof Failure failure) {
                        requireLimit(failure);
                        refused[0]++;
                    } else {
                        created[0]++;
                    }
                }
            }
        });
        long tookMs = TimeUnit.NANOSECONDS.toMillis(stage.load().nanoTime() - startNs);
        String what = "one client created %,d queues (%,d refused at max.destinations) in %,d ms"
                .formatted(created[0], refused[0], tookMs);
        boolean first = stage.round() == KINDS;
        if (created[0] + refused[0] < QUEUES || refused[0] == 0 || (first && created[0] == 0) || tookMs > CREATE_MS) {
            throw new ScenarioFailedException(what + ", and should have asked for " + QUEUES);
        }
        return what;
    }

    private static void requireLimit(Failure failure) {
        if (failure.code() != ErrorCode.LIMIT_EXCEEDED || !failure.message().contains("max.destinations")) {
            throw new ScenarioFailedException(
                    "a queue was refused for another reason than max.destinations: " + failure);
        }
    }

    private static <F> F await(RawPeer peer, Class<F> type) throws IOException {
        Frame frame = peer.readFrame();
        while (!type.isInstance(frame)) {
            frame = peer.readFrame();
        }
        return type.cast(frame);
    }

    private static void awaitGone(Stage stage, int mostSockets) throws IOException, InterruptedException {
        long deadlineNs = stage.load().nanoTime() + GONE_MS * 1_000_000L;
        while (stage.broker().openSockets() > mostSockets) {
            if (stage.load().nanoTime() - deadlineNs > 0) {
                throw new ScenarioFailedException("the broker still has "
                        + stage.broker().openSockets() + " sockets open " + GONE_MS
                        + " ms after the bad clients are gone");
            }
            stage.load().work(200);
        }
    }
}
