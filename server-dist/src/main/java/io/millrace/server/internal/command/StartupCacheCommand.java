package io.millrace.server.internal.command;

import io.millrace.server.internal.startup.CacheMaker;
import io.millrace.server.internal.startup.StartupCache;
import io.millrace.server.internal.startup.Training;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace startup-cache}. */
@Command(
        name = "startup-cache",
        mixinStandardHelpOptions = true,
        header = "Makes the file that lets Millrace start in half the time.",
        description = {
            "A server makes it by itself some seconds after its first start, with the lowest priority, in cache/ beside bin/, "
                    + "or where that cannot be written in ~/.cache/millrace. It fits one JDK, these jars and these options for Java; with "
                    + "others a new one is made. One that is missing, stale or damaged is not used, and does no harm.",
            "",
            "  millrace startup-cache create     now, as when an image or a read-only installation is made",
            "",
            "MILLRACE_STARTUP_CACHE in the environment is its directory, or \"off\"."
        },
        subcommands = {
            StartupCacheCommand.Create.class,
            StartupCacheCommand.Train.class,
            StartupCacheCommand.Check.class
        })
final class StartupCacheCommand extends CommandGroup {
    StartupCacheCommand() {
        super("What to do? `millrace startup-cache create`.");
    }

    /** {@code create}. */
    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            header = "Makes it now, in place of the one that may be there.")
    static final class Create implements Callable<Integer> {
        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws InterruptedException, IOException {
            StartupCache cache = StartupCache.ofThisProcess()
                    .orElseThrow(() -> new CommandFailure(
                            ExitCode.FAILURE,
                            "there is no place for a startup cache: MILLRACE_STARTUP_CACHE is \"off\", or this was not started "
                                    + "by bin/millrace"));
            try (CacheMaker maker = new CacheMaker(cache, false)) {
                if (!maker.make()) {
                    throw new CommandFailure(
                            ExitCode.FAILURE, "another process is making a startup cache in " + cache.directory());
                }
            }
            long sizeBytes = Files.size(cache.file());
            json.print(
                    Map.of("file", cache.file().toString(), "sizeBytes", sizeBytes),
                    out -> out.printf("%s, %d MB%n", cache.file(), sizeBytes / 1_000_000));
            return ExitCode.OK;
        }
    }

    /** {@code train}, run by {@code create} in a process whose JVM writes down what happens in it. */
    @Command(
            name = "train",
            hidden = true,
            mixinStandardHelpOptions = true,
            header = "A training run; for `create` only.")
    static final class Train implements Callable<Integer> {
        @Parameters(paramLabel = "FILE", description = "What the JVM writes at the end.")
        private Path file = Path.of("");

        @Override
        public Integer call() throws JMSException, InterruptedException, IOException {
            Path directory = file.toAbsolutePath().getParent();
            if (directory == null || !Files.isWritable(directory)) {
                throw new CommandFailure(ExitCode.USAGE, "the JVM could not write " + file + " at the end");
            }
            if (!CacheMaker.lockTraining(directory)) {
                throw new CommandFailure(ExitCode.FAILURE, "another training run goes on in " + directory);
            }
            Training.run(Train::commands);
            return ExitCode.OK;
        }

        private static void commands(String server) {
            run("--help");
            run("queues", "list", "--server", server);
            run("queues", "describe", "training", "--server", server);
            run("consume", "queue:training", "--from-beginning", "--count", "10", "--server", server);
            run("config", "describe");
        }

        private static void run(String... arguments) {
            StringWriter unread = new StringWriter();
            MillraceCommand.commandLine(new PrintWriter(unread), new PrintWriter(unread))
                    .execute(arguments);
        }
    }

    /** {@code check}, run by {@code create} in a JVM that starts on the given cache or not at all. */
    @Command(
            name = "check",
            hidden = true,
            mixinStandardHelpOptions = true,
            header = "Says whether the JVM can use a file; for `create` only.")
    static final class Check implements Callable<Integer> {
        @Parameters(paramLabel = "FILE", description = "The cache.")
        private Path file = Path.of("");

        @Override
        public Integer call() {
            return Files.isReadable(file) ? ExitCode.OK : ExitCode.FAILURE;
        }
    }
}
