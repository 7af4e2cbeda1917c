package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.time.SystemTimeSource;
import jakarta.jms.JMSException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace consume}. */
@Command(
        name = "consume",
        mixinStandardHelpOptions = true,
        header = "Prints messages, a line each, until Ctrl-C, --count or --timeout.",
        description = {
            "From a queue messages are consumed: acknowledged once they are printed. From a topic it prints what is published "
                    + "from now on. With --from-beginning it reads what the log still has, and consumes nothing.",
            "",
            "  millrace consume queue:orders --count 10",
            "  millrace consume topic:prices --from-beginning --timeout 1s",
            ""
        })
final class ConsumeCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DEST",
            description = DestinationReference.HELP,
            converter = DestinationReference.Converter.class)
    private DestinationReference destination = new DestinationReference(Optional.empty(), "");

    @Option(names = "--count", paramLabel = "N", description = "End after so many messages.")
    private @Nullable Long count;

    @Option(
            names = "--timeout",
            paramLabel = "T",
            converter = Waiting.class,
            description = "End when no message has come for so long: 500ms, 5s, 2m; a bare number is seconds.")
    private @Nullable Duration timeout;

    @Option(names = "--from-beginning", description = "Read from the first message on, and consume nothing.")
    private boolean fromBeginning;

    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private JsonOption json = new JsonOption();

    // Set by picocli before call().
    @SuppressWarnings("NullAway.Init")
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws JMSException, InterruptedException {
        if (count != null && count < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--count must be at least 1, is " + count);
        }
        PrintWriter out = spec.commandLine().getOut();
        long most = count == null ? Long.MAX_VALUE : count;
        long silenceMs = timeout == null ? Long.MAX_VALUE : timeout.toMillis();
        MessagePrinter printer = new MessagePrinter(out, json.chosen());
        long printed;
        try (MillraceAdmin admin = MillraceAdmin.connect(server.url())) {
            DestinationKind kind = destination.resolveKind(admin);
            printed = fromBeginning
                    ? new LogPrinting(admin, SystemTimeSource.instance(), printer)
                            .run(admin.describe(Optional.of(kind), destination.name()), most, silenceMs)
                    : new Consuming(server.connectionFactory(), printer).run(destination, kind, most, silenceMs);
        }
        if (count != null && printed < count) {
            throw new CommandFailure(
                    ExitCode.FAILURE, "only " + printed + " of " + count + " messages came before the timeout");
        }
        return ExitCode.OK;
    }
}
