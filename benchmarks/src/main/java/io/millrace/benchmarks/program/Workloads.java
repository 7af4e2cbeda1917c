package io.millrace.benchmarks.program;

import java.util.List;

/** All workloads, in the order in which they are run. */
public final class Workloads {
    private static final List<Workload> ALL = List.of(
            new SyncSend("sync-1", "synchronous PERSISTENT send, 1 producer", 1, false),
            new SyncSend("sync-16", "synchronous PERSISTENT send, 16 producers, one queue", 16, false),
            new SyncSend("sync-16x500", "synchronous PERSISTENT send, 16 producers spread over 500 queues", 16, true),
            new AsyncSend("async", "asynchronous PERSISTENT send, 1 producer"),
            new NonPersistentSend("nonpersistent", "NON_PERSISTENT send, 1 producer"),
            new Drain("drain-auto", "drain of a queue, AUTO_ACKNOWLEDGE listener", Drain.Mode.AUTO_LISTENER),
            new Drain("drain-client100", "drain of a queue, CLIENT_ACKNOWLEDGE per 100", Drain.Mode.CLIENT_PER_100),
            new EndToEnd("end-to-end", "4 producers and 4 consumers on one queue", 0),
            new EndToEnd("latency-1000", "4 producers and 4 consumers at 1,000 messages a second", 1000),
            new FanOut("fanout-10", "deliveries to 10 non-durable subscribers of a topic", false),
            new FanOut("fanout-10-durable", "deliveries to 10 durable subscribers of a topic", true),
            new OpenConnections("connections-1000", "opening connections"),
            new TransactedSend("transacted-send-1", "transacted send, 100 messages a commit, 1 producer", 1),
            new TransactedSend(
                    "transacted-send-16", "transacted send, 100 messages a commit, 16 producers, one queue", 16),
            new TransactedReceive("transacted-receive", "transacted receive, 100 messages a commit, 1 consumer"),
            new XaSend("xa-1", "XA transactions of one PERSISTENT send, two-phase, 1 thread", 1),
            new XaSend("xa-16", "XA transactions of one PERSISTENT send, two-phase, 16 threads, one queue", 16));

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
