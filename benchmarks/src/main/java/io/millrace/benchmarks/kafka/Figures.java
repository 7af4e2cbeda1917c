package io.millrace.benchmarks.kafka;

/**
 * What one run of a cell measured.
 *
 * @param perSecond records in a second, or 0 where latency is what counts
 * @param p50Ms median latency, or 0
 * @param p99Ms 99th percentile, or 0
 * @param records how many
 * @param brokerCpuMs processor time of the broker
 * @param clientCpuMs processor time of the tool, its start included
 * @param elapsedMs wall-clock time of the tool, its start included
 */
record Figures(
        double perSecond,
        double p50Ms,
        double p99Ms,
        long records,
        long brokerCpuMs,
        long clientCpuMs,
        double elapsedMs) {

    /** Returns the broker's processor seconds for a million records. */
    double brokerCpuPerMillion() {
        return brokerCpuMs / 1e3 / (records / 1e6);
    }

    /** Returns the part of the machine that the client used, 0 to 1. */
    double clientShare(int processors) {
        return clientCpuMs / elapsedMs / processors;
    }
}
