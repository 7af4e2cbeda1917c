package io.millrace.benchmarks.program;

import io.millrace.wire.time.TimeSource;
import org.HdrHistogram.Histogram;

/** The measured time of a run, between {@link #start} and a call of {@code stop}. */
final class Meter {
    private final TimeSource time;
    private final long brokerPid;
    private final long brokerCpuMs;
    private final long clientCpuMs;
    private final long startNs;

    private Meter(TimeSource time, long brokerPid) {
        this.time = time;
        this.brokerPid = brokerPid;
        brokerCpuMs = ProcessFigures.cpuMs(brokerPid);
        clientCpuMs = ProcessFigures.cpuMs(ProcessHandle.current().pid());
        startNs = time.nanoTime();
    }

    static Meter start(TimeSource time, long brokerPid) {
        return new Meter(time, brokerPid);
    }

    long startNs() {
        return startNs;
    }

    /** Ends the measured time now. */
    Reading stop(long operations, Histogram latencies) {
        return stopAt(time.nanoTime(), operations, latencies);
    }

    /** Ends the measured time at an earlier moment, such as the last arrival of a message. */
    Reading stopAt(long endNs, long operations, Histogram latencies) {
        return new Reading(
                operations,
                endNs - startNs,
                latencies,
                ProcessFigures.cpuMs(brokerPid) - brokerCpuMs,
                ProcessFigures.cpuMs(ProcessHandle.current().pid()) - clientCpuMs);
    }

    /** A measurement before its messages are counted. */
    record Reading(long operations, long elapsedNs, Histogram latencies, long brokerCpuMs, long clientCpuMs) {

        Measurement counted(long expected, long counted) {
            return new Measurement(
                    operations,
                    elapsedNs,
                    latencies.getValueAtPercentile(50),
                    latencies.getValueAtPercentile(99),
                    brokerCpuMs,
                    clientCpuMs,
                    expected,
                    counted);
        }
    }
}
