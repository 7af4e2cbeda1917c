package io.millrace.benchmarks;

import io.millrace.benchmarks.jms.JmsCommand;
import io.millrace.benchmarks.kafka.KafkaCommand;
import io.millrace.benchmarks.micro.MicroCommand;
import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.scale.ScaleCommand;
import io.millrace.benchmarks.start.StartCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./millrace bench}. */
@Command(
        name = "millrace bench",
        mixinStandardHelpOptions = true,
        header = "Measures how fast Millrace is, and how far it scales.",
        description = {
            "Benchmarks want a machine that does nothing else; each prints what it ran on, and what makes its figures void.",
            ""
        },
        subcommands = {JmsCommand.class, KafkaCommand.class, MicroCommand.class, ScaleCommand.class, StartCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:measured", " 1:could not measure, or a message was lost", " 2:usage"})
public final class BenchCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /**
     * Runs a benchmark.
     *
     * @return the exit code
     */
    public static int execute(String... args) {
        return new CommandLine(new BenchCommand())
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    if (failure instanceof BenchmarkException) {
                        System.err.println("millrace bench: " + failure.getMessage());
                        return 1;
                    }
                    throw failure;
                })
                .execute(args);
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "which benchmark?");
    }
}
