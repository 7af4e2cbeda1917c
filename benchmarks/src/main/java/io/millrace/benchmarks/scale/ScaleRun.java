package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.Installation;
import io.millrace.wire.time.SystemTimeSource;
import jakarta.jms.JMSException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;

/** What surrounds every measurement of scale: options, a broker on data of its own that goes away with it, and a sum of the targets. */
final class ScaleRun {
    @Mixin
    private Installation installation = new Installation();

    /** What one command does with the broker. */
    @FunctionalInterface
    interface Measuring {
        void measure(ScaleBroker broker, QueueLoad load, Checks checks) throws JMSException, InterruptedException;
    }

    /** Starts a broker, measures, and returns the exit code. */
    int of(Measuring measuring) throws JMSException, InterruptedException {
        Path directory = installation.createDirectory();
        Checks checks = new Checks();
        try (ScaleBroker broker = new ScaleBroker(installation, directory, SystemTimeSource.instance())) {
            measuring.measure(broker, new QueueLoad(broker.url(), SystemTimeSource.instance()), checks);
        } finally {
            Installation.remove(directory);
        }
        return checks.finish();
    }
}
