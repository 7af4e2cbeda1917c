package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Operation;
import io.millrace.testkit.history.Verdict;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * Rounds of one fault under load, and the verdict over all that the clients saw.
 *
 * @param home the unpacked distribution
 * @param clients who is at work meanwhile
 * @param random all chances of the trial come from it
 * @param progress told, in a line each, what happens
 */
public record Trial(
        Path home,
        int rounds,
        Clients clients,
        SplittableGenerator random,
        TimeSource time,
        Consumer<String> progress) {

    /**
     * Runs all rounds.
     *
     * @throws IOException if the broker does not start
     * @throws ScenarioFailedException if a client gives up, the queues are never drained, or the fault found something wrong itself
     */
    public Verdict run(FaultKind kind) throws IOException, InterruptedException {
        Optional<Fault> underLoad = kind.underLoad();
        if (underLoad.isEmpty()) {
            return new LieTrial(home, rounds, random, time, progress).run();
        }
        try (Scratch scratch = Scratch.create();
                Fault fault = underLoad.get()) {
            try {
                Verdict verdict = run(fault, scratch);
                if (!verdict.valid()) {
                    scratch.keep();
                }
                return verdict;
            } catch (IOException | ScenarioFailedException failed) {
                scratch.keep();
                progress.accept("the broker's log is " + scratch.resolve("broker.log"));
                throw failed;
            }
        }
    }

    private Verdict run(Fault fault, Scratch scratch) throws IOException, InterruptedException {
        int port = freePort();
        Path data = fault.prepare(scratch);
        try (BrokerUnderTest broker =
                        new BrokerUnderTest(home, data, port, scratch.resolve("broker.log"), fault.settings());
                Load load = new Load(
                        port,
                        fault.clientOptions(),
                        clients,
                        fault.closesConsumers(),
                        scratch.resolve("clients.log"),
                        random,
                        time)) {
            broker.use(fault.surroundings());
            broker.start();
            load.begin();
            for (int round = 1; round <= rounds; round++) {
                load.awaitWork();
                int before = load.operations();
                String what = fault.hurt(new Fault.Stage(broker, load, random, round));
                progress.accept("round %d of %d: after %,d operations %s".formatted(round, rounds, before, what));
            }
            load.awaitWork();
            Verdict verdict = load.end();
            if (!verdict.valid()) {
                save(load, scratch);
            }
            return verdict;
        }
    }

    private void save(Load load, Scratch scratch) throws IOException {
        Path file = scratch.resolve("history.txt");
        try (Writer lines = Files.newBufferedWriter(file)) {
            for (Operation operation : load.history().operations()) {
                lines.write(operation + "\n");
            }
        }
        progress.accept("the whole history is in " + file + ", the broker's log beside it");
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
