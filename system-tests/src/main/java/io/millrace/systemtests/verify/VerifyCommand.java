package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Verdict;
import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./millrace verify}: hurts a broker of the built distribution under load and prints the checker's verdict. */
@Command(
        name = "millrace verify",
        mixinStandardHelpOptions = true,
        subcommands = ExactlyOnceCommand.class,
        header = "Hurts a broker under load and checks that it kept its promises.",
        description = {"  ./millrace verify kill --rounds 100 --seed 7", ""},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:every promise was kept",
            " 1:one was broken, or the scenario could not go on",
            " 2:usage",
            " 3:not run, since this machine lacks what the fault needs"
        })
public final class VerifyCommand implements Callable<Integer> {
    static final int NOT_RUN = 3;

    /** The faults with their descriptions, for the help. */
    static final class Faults implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(FaultKind.values()).map(FaultKind::toString).iterator();
        }
    }

    @Parameters(
            paramLabel = "FAULT",
            arity = "0..1",
            completionCandidates = Faults.class,
            description = "One of the faults below.")
    private @Nullable FaultKind kind;

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
            names = "--clients",
            paramLabel = "jms|kafka|both",
            description =
                    "Who is at work. Default: both for kill, powercut and diskfull; the others know JMS clients only.")
    private @Nullable Clients clients;

    @Option(
            names = "--home",
            hidden = true,
            paramLabel = "DIR",
            required = true,
            description = "The unpacked distribution (given by ./millrace).")
    private Path home = Path.of("");

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new VerifyCommand()).setCaseInsensitiveEnumValuesAllowed(true);
        StringBuilder faults = new StringBuilder("%nFaults:%n");
        for (FaultKind kind : FaultKind.values()) {
            faults.append("  %-13s%s%%n".formatted(kind, kind.description().replace("%", "%%")));
        }
        line.getCommandSpec().usageMessage().footer(faults.toString());
        return line;
    }

    /** The chances of a trial, or of a client process of it. */
    static SplittableRandom chance(long seed) {
        return new SplittableRandom(seed);
    }

    Path home() {
        return home;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        FaultKind fault = kind;
        if (fault == null) {
            System.err.println("verify needs a fault, as `millrace verify kill`; `millrace verify --help` lists them");
            return CommandLine.ExitCode.USAGE;
        }
        Optional<String> missing = fault.missing();
        if (missing.isPresent()) {
            System.out.println("verify " + fault + ": skipped: needs " + missing.get());
            return NOT_RUN;
        }
        Clients working = clients == null ? fault.clients() : clients;
        if (working.kafka() && !fault.isForKafka()) {
            System.err.println("verify " + fault + " knows JMS clients only");
            return CommandLine.ExitCode.USAGE;
        }
        System.out.printf("verify %s: %d rounds, seed %d, clients: %s%n", fault, rounds, seed, working);
        Verdict verdict = new Trial(
                        home, rounds, working, chance(seed), SystemTimeSource.instance(), System.out::println)
                .run(fault);
        System.out.println(verdict);
        return verdict.valid() ? 0 : 1;
    }
}
