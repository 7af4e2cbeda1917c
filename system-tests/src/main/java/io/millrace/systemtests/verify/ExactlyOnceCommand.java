package io.millrace.systemtests.verify;

import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ./millrace verify exactly-once}: kills what moves messages in transactions, and counts what arrived. */
@Command(
        name = "exactly-once",
        mixinStandardHelpOptions = true,
        header =
                "Moves messages from one place to another in transactions, while broker, programs and database are killed.",
        description = {
            "Each message must be at its destination exactly once in the end, and none may be left where it came from."
                    + " Kills come at random moments and, for jms and xa, at named points between the steps of a commit,"
                    + " each in turn (for xa, 50 kills reach all of them); connections are cut as well. In the end it"
                    + " prints how often each came.",
            "  ./millrace verify exactly-once --mode xa --kills 200 --seed 7",
            ""
        })
final class ExactlyOnceCommand implements Callable<Integer> {

    private static final String ALL = "all";

    @ParentCommand
    private @Nullable VerifyCommand verify;

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "10",
            description = "How often, of the broker, of a program, or of the database. Default: ${DEFAULT-VALUE}.")
    private int kills;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Of all chances. Default: 1.")
    private long seed;

    @Option(
            names = "--mode",
            paramLabel = "jms|kafka|xa|all",
            defaultValue = "all",
            description =
                    "Who moves: transacted JMS sessions from queue to queue; Kafka's clients from topic to topic, with"
                            + " the offsets in the transaction; or XA sessions from queue to queue with a row in"
                            + " PostgreSQL for each message, in transactions of Narayana's. Default: one after the other.")
    private String modes = ALL;

    private List<TransferMode> modes() {
        return Arrays.stream(TransferMode.values())
                .filter(mode -> modes.equalsIgnoreCase(ALL) || modes.equalsIgnoreCase(mode.name()))
                .toList();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (verify == null) {
            throw new IllegalStateException("not called through `millrace verify`");
        }
        if (modes().isEmpty()) {
            System.err.println("verify exactly-once knows no mode " + modes + ": choose jms, kafka, xa or all");
            return CommandLine.ExitCode.USAGE;
        }
        if (kills < 1) {
            System.err.println("--kills is " + kills + ": without a kill nothing is proved; choose 1 or more");
            return CommandLine.ExitCode.USAGE;
        }
        boolean held = true;
        boolean all = true;
        for (TransferMode one : modes()) {
            Optional<String> missing = TransferTrial.missing(one);
            if (missing.isPresent()) {
                System.out.println("verify exactly-once: " + one + ": skipped: needs " + missing.get());
                all = false;
                continue;
            }
            System.out.printf("verify exactly-once: %s, %d kills, seed %d%n", one, kills, seed);
            TransferTrial.Outcome outcome = new TransferTrial(
                            verify.home(),
                            one,
                            kills,
                            VerifyCommand.chance(seed),
                            SystemTimeSource.instance(),
                            System.out::println)
                    .run();
            outcome.pointLines().forEach(System.out::println);
            System.out.println(outcome);
            held &= outcome.held();
        }
        if (!held) {
            return 1;
        }
        return all ? 0 : VerifyCommand.NOT_RUN;
    }
}
