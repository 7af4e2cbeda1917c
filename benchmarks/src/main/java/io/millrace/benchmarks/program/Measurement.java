package io.millrace.benchmarks.program;

/**
 * What one run measured and counted.
 *
 * @param operations messages sent or delivered, or connections opened, in the measured time
 * @param elapsedNs measured time
 * @param p50Ns median latency, 0 for workloads that have none
 * @param p99Ns 99th percentile of the latency, 0 for workloads that have none
 * @param brokerCpuMs processor time of the broker in the measured time
 * @param clientCpuMs processor time of the client in the measured time
 * @param expected messages that had to arrive in all
 * @param counted messages that did
 */
public record Measurement(
        long operations,
        long elapsedNs,
        long p50Ns,
        long p99Ns,
        long brokerCpuMs,
        long clientCpuMs,
        long expected,
        long counted) {

    /** Begins the line that holds one. */
    public static final String PREFIX = "measured ";

    public double perSecond() {
        return operations * 1e9 / elapsedNs;
    }

    /** Returns the broker's processor seconds for a million operations. */
    public double brokerCpuSecondsPerMillion() {
        return operations == 0 ? 0 : brokerCpuMs * 1e3 / operations;
    }

    /** Returns the client's processor seconds for a million operations. */
    public double clientCpuSecondsPerMillion() {
        return operations == 0 ? 0 : clientCpuMs * 1e3 / operations;
    }

    /** Returns whether every message arrived, and none twice. */
    public boolean complete() {
        return expected == counted;
    }

    /** Returns the measurement as a line. */
    public String toLine() {
        return PREFIX
                + "operations=%d elapsedNs=%d p50Ns=%d p99Ns=%d brokerCpuMs=%d clientCpuMs=%d expected=%d counted=%d"
                        .formatted(operations, elapsedNs, p50Ns, p99Ns, brokerCpuMs, clientCpuMs, expected, counted);
    }

    /** Reads what {@link #toLine()} wrote. */
    public static Measurement parse(String line) {
        Fields fields = Fields.parse(line);
        return new Measurement(
                fields.number("operations"),
                fields.number("elapsedNs"),
                fields.number("p50Ns"),
                fields.number("p99Ns"),
                fields.number("brokerCpuMs"),
                fields.number("clientCpuMs"),
                fields.number("expected"),
                fields.number("counted"));
    }
}
