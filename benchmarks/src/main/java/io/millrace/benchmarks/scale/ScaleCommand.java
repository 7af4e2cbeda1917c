package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.kafka.KafkaScaleCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./millrace bench scale}. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        header = "How far one broker goes, and whether its memory stays flat on the way.",
        subcommands = {
            DeepCommand.class,
            QueuesCommand.class,
            ConnectionsCommand.class,
            SubscriptionsCommand.class,
            KafkaScaleCommand.class
        })
public final class ScaleCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which of them?");
    }
}
