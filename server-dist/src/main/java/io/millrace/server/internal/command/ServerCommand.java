package io.millrace.server.internal.command;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerStartException;
import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.PortUnavailableException;
import io.millrace.coordinator.quorum.QuorumStorageException;
import io.millrace.log.LogConfigKeys;
import io.millrace.log.StorageException;
import io.millrace.server.internal.startup.BackgroundMaking;
import io.millrace.server.internal.startup.StartupCache;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace server}. */
@Command(
        name = "server",
        mixinStandardHelpOptions = true,
        header = "Runs a broker until SIGTERM or Ctrl-C.",
        description = {
            "When it is ready it prints one line: millrace ready broker=HOST:PORT data=DIR in N ms",
            "",
            "  millrace server --data /var/lib/millrace",
            "  millrace server --config server.properties --port 9093 num.partitions=4",
            "",
            "Settings on the command line win over those of the file. `millrace config describe` explains them all.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:ended by SIGTERM or Ctrl-C, everything is on disk",
            " 1:it failed",
            " 2:the command line or the configuration is wrong",
            " 3:the data directory cannot be used: locked by another broker, not writable, or of a newer version",
            " 4:the port cannot be used"
        })
final class ServerCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", description = "A properties file with settings.")
    private @Nullable Path file;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where the broker keeps its data (log.dirs). Default: data/ beside the distribution.")
    private @Nullable Path data;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "The port to listen on, on 127.0.0.1 unless configured; 0 takes a free one. Default: 9092.")
    private @Nullable Integer port;

    @Option(
            names = "--log-format",
            paramLabel = "text|json",
            description =
                    "How the broker writes its log to standard error, a line for each event. Default: ${DEFAULT-VALUE}.")
    private LogFormat logFormat = LogFormat.TEXT;

    /** Forms of the log's lines, as logback.xml calls them. */
    enum LogFormat {
        TEXT,
        JSON
    }

    @Parameters(paramLabel = "key=value", description = "Settings.", arity = "0..*")
    private List<String> arguments = new ArrayList<>();

    // Set by picocli before call().
    @SuppressWarnings("NullAway.Init")
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        TimeSource time = SystemTimeSource.instance();
        long startNs = time.nanoTime();
        // Read by logback.xml when the first line is written.
        System.setProperty("millrace.log.format", logFormat.name().toLowerCase(Locale.ROOT));
        PrintWriter err = spec.commandLine().getErr();
        BrokerConfig config;
        Broker broker;
        try {
            config = BrokerConfig.of(settings());
            broker = Broker.start(config, time);
        } catch (PortUnavailableException taken) {
            err.println("millrace: " + taken.getMessage());
            return ExitCode.PORT;
        } catch (StorageException | QuorumStorageException unusable) {
            err.println("millrace: " + unusable.getMessage());
            return ExitCode.DATA_DIRECTORY;
        } catch (BrokerStartException failed) {
            err.println("millrace: " + failed.getMessage());
            boolean data = failed.getCause() instanceof StorageException
                    || failed.getCause() instanceof QuorumStorageException;
            return data ? ExitCode.DATA_DIRECTORY : ExitCode.FAILURE;
        }
        // Its processes end with the server, however that ends.
        Optional<BackgroundMaking> making =
                StartupCache.ofThisProcess().map(cache -> BackgroundMaking.start(cache, BackgroundMaking.DELAY));
        Ending ending = Ending.of(broker, making);
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "millrace ready broker=%s data=%s in %d ms%n",
                broker.address(),
                String.join(",", config.get(LogConfigKeys.LOG_DIRS)),
                (time.nanoTime() - startNs) / 1_000_000);
        out.flush();
        return ending.await();
    }

    private Map<String, String> settings() throws IOException {
        Map<String, String> settings = SettingsFile.read(file, arguments);
        if (data != null) {
            settings.put(LogConfigKeys.LOG_DIRS.name(), data.toString());
        }
        if (port != null && settings.containsKey(BrokerKeys.LISTENERS.name())) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--port has no effect where listeners is set: change the port in listeners instead");
        }
        if (port != null) {
            settings.put(BrokerKeys.PORT.name(), port.toString());
        }
        settings.putIfAbsent(LogConfigKeys.LOG_DIRS.name(), defaultData().toString());
        return settings;
    }

    private static Path defaultData() {
        return Path.of(System.getProperty("millrace.home", "."), "data")
                .toAbsolutePath()
                .normalize();
    }

    /** What the process waits for: a signal, or a broker that had to stop by itself. */
    private record Ending(CountDownLatch ended, AtomicInteger exitCode) {

        /** A signal runs the JVM's shutdown hooks and nothing else, so the hook closes the broker and says how all went. */
        static Ending of(Broker broker, Optional<BackgroundMaking> making) {
            Ending ending = new Ending(new CountDownLatch(1), new AtomicInteger(ExitCode.OK));
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("millrace-shutdown").unstarted(() -> {
                                making.ifPresent(BackgroundMaking::close);
                                broker.close();
                                ending.ended.countDown();
                                Runtime.getRuntime().halt(ending.exitCode.get());
                            }));
            broker.whenFailed().thenAccept(cause -> {
                ending.exitCode.set(ExitCode.FAILURE);
                ending.ended.countDown();
            });
            return ending;
        }

        int await() throws InterruptedException {
            ended.await();
            return exitCode.get();
        }
    }
}
