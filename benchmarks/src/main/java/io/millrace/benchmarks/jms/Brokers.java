package io.millrace.benchmarks.jms;

import io.millrace.benchmarks.Installation;
import io.millrace.benchmarks.program.BenchmarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Both brokers and their clients, on fresh data that goes away with them. */
final class Brokers implements AutoCloseable {
    private final Path directory;
    private final Side ours;
    private final Optional<Side> theirs;

    private Brokers(Path directory, Side ours, Optional<Side> theirs) {
        this.directory = directory;
        this.ours = ours;
        this.theirs = theirs;
    }

    /**
     * Starts them.
     *
     * @param directory is made for them
     */
    static Brokers start(Installation installation, Path directory, Side.Settings settings) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new BenchmarkException("cannot make " + directory + ": " + e, e);
        }
        Side ours = Side.millrace(installation, directory, settings);
        if (settings.alone()) {
            return new Brokers(directory, ours, Optional.empty());
        }
        boolean started = false;
        try {
            Brokers brokers =
                    new Brokers(directory, ours, Optional.of(Side.artemis(installation, directory, settings)));
            started = true;
            return brokers;
        } finally {
            if (!started) {
                ours.close();
            }
        }
    }

    Outcome run(Comparison comparison, Plan plan) {
        return comparison.run(plan, ours, theirs);
    }

    /** Returns what Artemis logged when it began to page: it then writes messages twice, and whoever reads its figures has to know. */
    Optional<String> paging() {
        Path log = directory.resolve(Side.ARTEMIS_LOG);
        if (!Files.exists(log)) {
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("AMQ222038")).findFirst();
        } catch (IOException e) {
            throw new BenchmarkException("cannot read " + log + ": " + e, e);
        }
    }

    @Override
    public void close() {
        ours.close();
        theirs.ifPresent(Side::close);
        Installation.remove(directory);
    }
}
