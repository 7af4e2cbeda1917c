package io.millrace.benchmarks.program;

import java.util.List;

/** All workloads, in the order in which they are run. */
public final class Workloads {
    private static final List<Workload> ALL = List.of(
            new SyncSend("sync-1", "synchronous PERSISTENT send, 1 producer", 1, 1),
            new SyncSend("sync-16", "synchronous PERSISTENT send, 16 producers, one queue", 16, 1),
            new SyncSend("sync-16x500", "synchronous PERSISTENT send, 16 producers spread over 500 queues", 16, 500),
            new AsyncSend("async", "asynchronous PERSISTENT send, 1 producer"),
            new NonPersistentSend("nonpersistent", "NON_PERSISTENT send, 1 producer"));

    private Workloads() {}

    public static List<Workload> all() {
        return ALL;
    }

    /** Returns the workload of a name. */
    public static Workload named(String name) {
        return ALL.stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BenchmarkException("there is no workload " + name + ", but "
                        + ALL.stream().map(Workload::name).toList()));
    }
}
