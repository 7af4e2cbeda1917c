package io.millrace.systemtests.verify;

import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ./millrace verify exactly-once}: kills what moves messages in transactions, and counts what arrived. */
@Command(
        name = "exactly-once",
        mixinStandardHelpOptions = true,
        header = "Moves messages from one place to another in transactions, while broker and programs are killed.",
        description = {
            "Each message must be at its destination exactly once in the end, and none may be left where it came from.",
            "  ./millrace verify exactly-once --kills 200 --mode jms",
            ""
        })
final class ExactlyOnceCommand implements Callable<Integer> {

    @ParentCommand
    private @Nullable VerifyCommand verify;

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "10",
            description = "How often, of the broker or of a program. Default: ${DEFAULT-VALUE}.")
    private int kills;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Of all chances. Default: 1.")
    private long seed;

    @Option(
            names = "--mode",
            paramLabel = "jms|kafka",
            description =
                    "Who moves: transacted JMS sessions from queue to queue, or Kafka's clients from topic to topic, with"
                            + " the offsets in the transaction. Default: one after the other.")
    private @Nullable TransferMode mode;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (verify == null) {
            throw new IllegalStateException("not called through `millrace verify`");
        }
        boolean held = true;
        for (TransferMode one : mode == null ? List.of(TransferMode.values()) : List.of(mode)) {
            System.out.printf("verify exactly-once: %s, %d kills, seed %d%n", one, kills, seed);
            TransferTrial.Outcome outcome = new TransferTrial(
                            verify.home(),
                            one,
                            kills,
                            VerifyCommand.chance(seed),
                            SystemTimeSource.instance(),
                            System.out::println)
                    .run();
            System.out.println(outcome);
            held &= outcome.held();
        }
        return held ? 0 : 1;
    }
}
