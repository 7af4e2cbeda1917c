package io.millrace.benchmarks.jms;

import io.millrace.benchmarks.program.BenchmarkException;
import java.util.List;

/**
 * How a workload is run, and what it has to reach.
 *
 * @param workload its name
 * @param warmUp name of the workload that warms up both sides for it
 * @param goal what is compared
 * @param target ours/Artemis: at least this for rates, at most this for latencies
 * @param confirming whether it sends asynchronously
 * @param count of messages, queues or connections for workloads that end after a number; 1 for those that end after a time
 * @param showsLatency whether its latencies are printed
 * @param nearDisk whether our median must be within 0.3 ms of the disk's
 */
record Plan(
        String workload,
        String warmUp,
        Goal goal,
        double target,
        boolean confirming,
        int count,
        boolean showsLatency,
        boolean nearDisk) {

    /** What is compared. */
    enum Goal {
        RATE,
        P99
    }

    private static final List<Plan> ALL = List.of(
            rate("sync-1", 2).withLatency().withNearDisk(),
            rate("sync-16", 2).withLatency(),
            rate("sync-16x500", 2).withLatency().withCount(500),
            rate("async", 4).withConfirming(),
            rate("nonpersistent", 2).withCount(100_000),
            rate("drain-auto", 2).withConfirming().withCount(200_000),
            rate("drain-client100", 2).withConfirming().withCount(200_000),
            rate("end-to-end", 3),
            p99("latency-1000", 0.5).withLatency(),
            rate("fanout-10", 2).withCount(20_000),
            rate("fanout-10-durable", 4).withConfirming().withCount(20_000),
            rate("connections-1000", 2).withLatency().withCount(1_000),
            rate("transacted-send-1", 2).withLatency(),
            rate("transacted-send-16", 2).withLatency(),
            rate("transacted-receive", 2).withLatency().withConfirming().withCount(200_000),
            // By itself it would take minutes until all that it calls is compiled.
            rate("xa-1", 1.5).withLatency().withWarmUp("xa-16"),
            rate("xa-16", 2.5).withLatency());

    static List<Plan> all() {
        return ALL;
    }

    static Plan named(String workload) {
        return ALL.stream()
                .filter(plan -> plan.workload.equals(workload))
                .findFirst()
                .orElseThrow(() -> new BenchmarkException("there is no workload " + workload + "; there are "
                        + String.join(", ", ALL.stream().map(Plan::workload).toList())));
    }

    /** Whether a ratio ours/Artemis is good enough. */
    boolean reachedBy(double ratio) {
        return goal == Goal.RATE ? ratio >= target : ratio <= target;
    }

    String targetText() {
        return (goal == Goal.RATE ? ">= " : "<= ") + (target == Math.rint(target) ? "%.0f" : "%.1f").formatted(target);
    }

    private static Plan rate(String workload, double target) {
        return new Plan(workload, workload, Goal.RATE, target, false, 1, false, false);
    }

    private static Plan p99(String workload, double target) {
        return new Plan(workload, workload, Goal.P99, target, false, 1, false, false);
    }

    private Plan withWarmUp(String other) {
        return new Plan(workload, other, goal, target, confirming, count, showsLatency, nearDisk);
    }

    private Plan withLatency() {
        return new Plan(workload, warmUp, goal, target, confirming, count, true, nearDisk);
    }

    private Plan withNearDisk() {
        return new Plan(workload, warmUp, goal, target, confirming, count, showsLatency, true);
    }

    private Plan withConfirming() {
        return new Plan(workload, warmUp, goal, target, true, count, showsLatency, nearDisk);
    }

    private Plan withCount(int messages) {
        return new Plan(workload, warmUp, goal, target, confirming, messages, showsLatency, nearDisk);
    }
}
