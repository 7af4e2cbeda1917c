package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Verdict;
import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./millrace verify}: runs a scenario against the built distribution and prints the checker's verdict. */
@Command(
        name = "millrace verify",
        mixinStandardHelpOptions = true,
        header = "Hurts a broker under load and checks that it kept its promises.",
        description = {"  ./millrace verify kill --rounds 100 --seed 7", ""},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:every promise was kept", " 1:one was broken, or the scenario could not go on", " 2:usage"})
public final class VerifyCommand implements Callable<Integer> {
    enum Fault {
        KILL
    }

    @Parameters(
            paramLabel = "FAULT",
            description = "kill: kill -9 of the broker at random moments, restart on the same data.")
    private Fault fault = Fault.KILL;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Of all chances. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--home",
            paramLabel = "DIR",
            required = true,
            description = "The unpacked distribution (given by ./millrace).")
    private Path home = Path.of("");

    public static void main(String[] args) {
        System.exit(new CommandLine(new VerifyCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("millrace-verify-");
        System.out.printf("verify %s: %d rounds, seed %d, in %s%n", fault, rounds, seed, directory);
        Verdict verdict = switch (fault) {
            case KILL ->
                new KillScenario(
                                home,
                                directory,
                                freePort(),
                                rounds,
                                new SplittableRandom(seed),
                                SystemTimeSource.instance(),
                                System.out::println)
                        .run();
        };
        System.out.println(verdict);
        return verdict.valid() ? 0 : 1;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
