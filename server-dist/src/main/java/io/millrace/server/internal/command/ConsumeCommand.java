package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.time.SystemTimeSource;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
    @Mixin
    private DestinationOptions destination = new DestinationOptions();

    @Mixin
    private CountOption count = new CountOption();

    @Option(
            names = "--timeout",
            paramLabel = "T",
            converter = Waiting.class,
            description = "End when no message has come for so long: 500ms, 5s, 2m; a bare number is seconds.")
    private @Nullable Duration timeout;

    @Option(names = "--from-beginning", description = "Read from the first message on, and consume nothing.")
    private boolean fromBeginning;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws JMSException, InterruptedException {
        long most = count.limit().orElse(Long.MAX_VALUE);
        long silenceMs = timeout == null ? Long.MAX_VALUE : timeout.toMillis();
        MessagePrinter printer = new MessagePrinter(json.out(), json.chosen());
        long printed;
        try (MillraceAdmin admin = destination.connectAdmin()) {
            DestinationReference reference = destination.reference();
            DestinationKind kind = reference.resolveKind(admin);
            printed = fromBeginning
                    ? new LogPrinting(admin, SystemTimeSource.instance(), printer)
                            .run(admin.describe(Optional.of(kind), reference.name()), most, silenceMs)
                    : new Consuming(destination.connectionFactory(), printer).run(reference, kind, most, silenceMs);
        }
        count.requireAll(printed, "the timeout");
        return ExitCode.OK;
    }
}
