package io.millrace.server.internal.command;

import io.millrace.wire.name.DestinationKind;
import picocli.CommandLine.Command;

/** {@code millrace topics}. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        header = "Creates, lists, describes, alters, purges and deletes topics.",
        subcommands = {
            DestinationsCommand.Create.class,
            DestinationsCommand.ListAll.class,
            DestinationsCommand.Describe.class,
            AlterAction.class,
            PurgeAction.class,
            DestinationsCommand.Delete.class
        })
final class TopicsCommand extends DestinationsCommand {
    TopicsCommand() {
        super(DestinationKind.TOPIC);
    }
}
