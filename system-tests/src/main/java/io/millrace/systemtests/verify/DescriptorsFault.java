package io.millrace.systemtests.verify;

import io.millrace.testkit.process.BrokerProcess.Surroundings;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.name.DestinationKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A broker that may open 256 files gets more connections and queues than that: it refuses some, and is as before when they are gone. */
final class DescriptorsFault implements Fault {
    private static final String LIMIT = "256";
    private static final int CONNECTIONS = 400;
    private static final int QUEUES = 200;

    @Override
    public Optional<String> missing() {
        return Files.exists(Path.of("/usr/bin/prlimit")) ? Optional.empty() : Optional.of("prlimit (util-linux)");
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        BrokerUnderTest broker = stage.broker();
        if (stage.round() == 1) {
            broker.restart(new Surroundings(Map.of(), List.of("prlimit", "--nofile=" + LIMIT + ":" + LIMIT)));
            stage.load().awaitWork();
        }
        int port = broker.port();
        String what;
        int most;
        try (Peers peers = new Peers()) {
            int[] queues = {0, 0};
            peers.arrive(1, () -> RawPeer.loggedIn(port));
            peers.each(peer -> createQueues(peer, stage.round(), queues));
            peers.arrive(CONNECTIONS, () -> RawPeer.loggedIn(port));
            most = broker.openFiles();
            requireRefusal(stage);
            stage.load().work(2_000);
            what = "%d queues (%d refused) and %d connections (%d not let in)"
                    .formatted(queues[0], queues[1], peers.count(), peers.refused());
        }
        broker.requireAlive(what);
        stage.load().awaitWork();
        requireHealthy(broker);
        return what + ", " + most + " files open";
    }

    private static void createQueues(RawPeer peer, int round, int[] counts) throws IOException {
        for (int i = 0; i < QUEUES; i++) {
            peer.send(new DescribeDestination(
                    i + 1, Optional.of(DestinationKind.QUEUE), "descriptors." + round + '.' + i, true));
            boolean refused = peer.readFrame() instanceof AnswerFrame answer && answer instanceof Failure;
            counts[refused ? 1 : 0]++;
        }
    }

    /** A client for which there is no room hears why. */
    private static void requireRefusal(Stage stage) {
        String code = stage.load().probe();
        if (!code.equals("limit_exceeded")) {
            throw new ScenarioFailedException("a client above max.connections failed with '" + code + "'");
        }
    }

    private static void requireHealthy(BrokerUnderTest broker) throws IOException {
        for (String line : Files.readAllLines(broker.log())) {
            if (line.contains("read-only") || line.contains("this is a bug")) {
                throw new ScenarioFailedException("the broker took too many open files for something worse: " + line);
            }
        }
    }
}
