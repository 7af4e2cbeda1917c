package io.millrace.server.internal.command;

import io.millrace.wire.name.DestinationKind;
import picocli.CommandLine.Command;

/** {@code millrace queues}. */
@Command(
        name = "queues",
        mixinStandardHelpOptions = true,
        header = "Creates, lists, describes, alters, purges and deletes queues.",
        subcommands = {
            DestinationsCommand.Create.class,
            DestinationsCommand.ListAll.class,
            DestinationsCommand.Describe.class,
            AlterAction.class,
            PurgeAction.class,
            DestinationsCommand.Delete.class
        })
final class QueuesCommand extends DestinationsCommand {
    QueuesCommand() {
        super(DestinationKind.QUEUE);
    }
}
