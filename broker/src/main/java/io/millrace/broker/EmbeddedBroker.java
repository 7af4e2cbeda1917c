package io.millrace.broker;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.ListenerAddress;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * A broker inside a program, most often a test:
 *
 * <pre>{@code
 * try (EmbeddedBroker broker = EmbeddedBroker.builder().temporaryDirectory().start()) {
 *     ConnectionFactory factory = new MillraceConnectionFactory(broker.url());
 * }
 * }</pre>
 *
 * <p>It takes a free port of 127.0.0.1 and shows no metrics by JMX unless told otherwise, so any number of them may run in one process. Whatever a configuration
 * file can set, {@link Builder#config} can.
 */
public final class EmbeddedBroker implements AutoCloseable {

    private final Broker broker;
    private final Path directory;
    private final boolean temporary;

    private EmbeddedBroker(Broker broker, Path directory, boolean temporary) {
        this.broker = broker;
        this.directory = directory;
        this.temporary = temporary;
    }

    /** Begins to set a broker up. */
    public static Builder builder() {
        return new Builder();
    }

    /** Settings of a broker to be started. */
    public static final class Builder {

        private final Map<String, String> config = new HashMap<>(Map.of("port", "0", "metrics.jmx.enable", "false"));
        private Optional<Path> directory = Optional.empty();
        private TimeSource time = SystemTimeSource.instance();

        private Builder() {}

        /**
         * Sets the port to listen on.
         *
         * @param port 1 to 65535, or 0 for a free one, which is the default
         */
        public Builder port(int port) {
            return config("port", Integer.toString(port));
        }

        /** Keeps the data in this directory, which stays when the broker is closed. Created if it is missing. */
        public Builder directory(Path path) {
            this.directory = Optional.of(path);
            return this;
        }

        /** Keeps the data in a new directory that is removed when the broker is closed. The default. */
        public Builder temporaryDirectory() {
            this.directory = Optional.empty();
            return this;
        }

        /** Sets what a line {@code key=value} of the configuration file would. */
        public Builder config(String key, String value) {
            config.put(key, value);
            return this;
        }

        /** Sets the clock that the broker follows. */
        public Builder timeSource(TimeSource source) {
            this.time = source;
            return this;
        }

        /**
         * Starts the broker, and returns when clients can connect.
         *
         * @throws io.millrace.log.config.InvalidConfigException if a setting is unknown or wrong
         * @throws io.millrace.log.DataDirectoryException if the directory cannot be used
         * @throws io.millrace.broker.config.PortUnavailableException if the port cannot be listened on
         * @throws BrokerStartException if the broker cannot serve for another reason
         */
        public EmbeddedBroker start() {
            BrokerConfig settings = BrokerConfig.of(config);
            Path data = directory.orElseGet(EmbeddedBroker::newTemporaryDirectory);
            try {
                Broker broker = Broker.start(settings, List.of(data), time, BrokerAssembly.chance());
                return new EmbeddedBroker(broker, data, directory.isEmpty());
            } catch (RuntimeException e) {
                if (directory.isEmpty()) {
                    remove(data);
                }
                throw e;
            }
        }
    }

    /** Returns the broker inside, for tests of its parts. */
    Broker broker() {
        return broker;
    }

    /** Returns the port that the broker listens on; the first one if there are several. */
    public int port() {
        return broker.port();
    }

    /**
     * Returns the port of one listener, 0 if there is none of this name.
     *
     * @param listener its name in upper case
     */
    public int port(String listener) {
        return broker.port(listener);
    }

    /** Returns what a JMS connection factory takes: {@code millrace://127.0.0.1:PORT}. */
    public String url() {
        ListenerAddress address = broker.address();
        return "millrace://" + address;
    }

    /** Returns a stage that completes with the reason if the broker has to stop by itself: see {@link Broker#whenFailed}. */
    public CompletionStage<Throwable> whenFailed() {
        return broker.whenFailed();
    }

    /** Returns where the data is. */
    public Path directory() {
        return directory;
    }

    /** Ends the broker in good order. Ending it again does nothing. */
    @Override
    public void close() {
        broker.close();
        if (temporary) {
            remove(directory);
        }
    }

    /**
     * Ends the broker as a crash would: connections break without a word, nothing more is synced, and the directory is not marked as
     * closed. The directory stays, a temporary one too, so that another broker can be started on it.
     */
    public void kill() {
        broker.kill();
    }

    private static Path newTemporaryDirectory() {
        try {
            return Files.createTempDirectory("millrace-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary directory", e);
        }
    }

    private static void remove(Path directory) {
        try (Stream<Path> inside = Files.walk(directory)) {
            for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }
}
