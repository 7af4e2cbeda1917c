package io.millrace.server.internal.command;

import io.millrace.coordinator.metadata.MetadataFiles;
import io.millrace.coordinator.metadata.MetadataImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace metadata}. */
@Command(
        name = "metadata",
        mixinStandardHelpOptions = true,
        header = "Looks into what the broker keeps about the cluster.",
        subcommands = MetadataCommand.Dump.class)
final class MetadataCommand extends CommandGroup {
    MetadataCommand() {
        super("`millrace metadata dump DIR` shows it.");
    }

    /** {@code millrace metadata dump}. */
    @Command(
            name = "dump",
            mixinStandardHelpOptions = true,
            header =
                    "Prints brokers, queues, topics, subscriptions, settings, users, quotas and ACLs from a data directory.",
            description = {
                "It is what other systems keep in ZooKeeper, as the metadata log __cluster_metadata-0 has it: the newest snapshot and"
                        + " all that was written since. Reads only, and needs no broker; of a running one it shows what is in the files"
                        + " at the moment. Passwords are not in it, and what checks them is not shown. Exit code 1 when a part cannot be"
                        + " read. `millrace log dump DIR/__cluster_metadata-0` shows the batches that it is made from.",
                "",
                "  millrace metadata dump /var/lib/millrace",
                "  millrace metadata dump /var/lib/millrace --json | jq '.logs[].name'",
                ""
            })
    static final class Dump implements Callable<Integer> {
        @Parameters(paramLabel = "DIR", description = "The data directory (the first of log.dirs).")
        private Path directory = Path.of("");

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() {
            if (!Files.isDirectory(directory)) {
                throw new CommandFailure(ExitCode.USAGE, "there is no directory " + directory);
            }
            MetadataFiles.Contents contents = MetadataFiles.read(directory);
            MetadataImage image = contents.image();
            MetadataDump dump = MetadataDump.of(image);
            json.print(dump, dump::print);
            contents.problem()
                    .ifPresent(problem -> json.err()
                            .println("millrace: this is not all: " + problem + "; see `millrace log verify " + directory
                                    + "`"));
            return contents.problem().isPresent() ? ExitCode.FAILURE : ExitCode.OK;
        }
    }
}
