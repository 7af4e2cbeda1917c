package io.millrace.benchmarks.program;

/**
 * What a run is to do.
 *
 * @param workload its name
 * @param prefix begins the names of the run's destinations, so that no run meets what another left
 * @param url of the broker, with the options that the workload needs
 * @param durationMs for workloads that end after a time, at least 1
 * @param count of messages, queues or connections, for workloads that need a number; at least 1
 */
public record RunRequest(String workload, String prefix, String url, long durationMs, int count) {

    public RunRequest {
        if (durationMs < 1 || count < 1) {
            throw new IllegalArgumentException(
                    "durationMs and count must be at least 1, not " + durationMs + " and " + count);
        }
    }

    /** Returns the request as a line. */
    public String toLine() {
        return "workload=%s prefix=%s url=%s durationMs=%d count=%d"
                .formatted(workload, prefix, url, durationMs, count);
    }

    /** Reads what {@link #toLine()} wrote. */
    public static RunRequest parse(String line) {
        Fields fields = Fields.parse(line);
        return new RunRequest(
                fields.text("workload"),
                fields.text("prefix"),
                fields.text("url"),
                fields.number("durationMs"),
                Math.toIntExact(fields.number("count")));
    }
}
