package io.millrace.server.internal.command;

import picocli.CommandLine.Command;

/** {@code millrace perf}. */
@Command(
        name = "perf",
        mixinStandardHelpOptions = true,
        header = "Puts load on a broker and measures it: through JMS, or as a Kafka client; and measures disks.",
        subcommands = {
            PerfJmsCommand.class,
            PerfKafkaCommands.Produce.class,
            PerfKafkaCommands.Consume.class,
            PerfKafkaCommands.Latency.class,
            PerfKafkaCommands.Disk.class
        })
final class PerfCommand extends CommandGroup {
    PerfCommand() {
        super(
                "Which load? For example `millrace perf jms queue:load`, or `millrace perf produce` with Kafka's client.");
    }
}
