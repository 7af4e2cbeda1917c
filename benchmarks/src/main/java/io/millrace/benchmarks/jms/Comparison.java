package io.millrace.benchmarks.jms;

import io.millrace.benchmarks.machine.Neighbours;
import io.millrace.benchmarks.program.Measurement;
import io.millrace.benchmarks.program.ProcessFigures;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs one workload on both sides: a warm-up, then pairs in which they take turns in being first.
 * While one works the other is idle. The disk is measured before each.
 */
final class Comparison {
    private static final int WARM_UP_RUNS = 5;

    private final Settings settings;
    private final RawSync raw;
    private final Neighbours neighbours;
    private final TimeSource time;
    private final Consumer<String> progress;

    /**
     * How much is run.
     *
     * @param pairs at least 1
     * @param warmUpMs for each side; 0 for none
     * @param durationMs of a workload that ends after a time
     * @param countDivisor by which the counts of the other workloads are divided
     * @param rawMs for how long the disk is measured before each run
     */
    record Settings(int pairs, long warmUpMs, long durationMs, int countDivisor, long rawMs) {}

    Comparison(Settings settings, RawSync raw, Neighbours neighbours, TimeSource time, Consumer<String> progress) {
        this.settings = settings;
        this.raw = raw;
        this.neighbours = neighbours;
        this.time = time;
        this.progress = progress;
    }

    /**
     * Runs a workload.
     *
     * @param theirs Artemis, unless ours runs alone
     */
    Outcome run(Plan plan, Side ours, Optional<Side> theirs) {
        warmUp(plan, ours);
        theirs.ifPresent(side -> warmUp(plan, side));
        List<Measurement> ourRuns = new ArrayList<>();
        List<Measurement> theirRuns = new ArrayList<>();
        List<Double> rawP50s = new ArrayList<>();
        Neighbours.Watch watch = neighbours.begin(() -> usedMs(ours, theirs));
        for (int pair = 0; pair < settings.pairs(); pair++) {
            boolean oursFirst = pair % 2 == 0;
            List<Double> raws = new ArrayList<>();
            for (boolean ourTurn : new boolean[] {oursFirst, !oursFirst}) {
                raws.add((double) raw.measure(settings.rawMs()).getValueAtPercentile(50));
                if (ourTurn) {
                    ourRuns.add(measure(plan, ours, pair));
                } else if (theirs.isPresent()) {
                    theirRuns.add(measure(plan, theirs.get(), pair));
                }
            }
            rawP50s.add(Outcome.Spread.of(raws).median());
        }
        return new Outcome(
                plan,
                ourRuns,
                theirRuns,
                rawP50s,
                ours.residentBytes(),
                theirs.map(Side::residentBytes).orElse(0L),
                watch.end());
    }

    private void warmUp(Plan plan, Side side) {
        if (settings.warmUpMs() == 0) {
            return;
        }
        long startNs = time.nanoTime();
        long durationMs = Math.max(1, settings.warmUpMs() / WARM_UP_RUNS);
        int count = Math.max(1, plan.count() / settings.countDivisor() / WARM_UP_RUNS);
        for (int i = 0; time.nanoTime() - startNs < settings.warmUpMs() * 1_000_000; i++) {
            side.run(plan.warmUp(), plan.workload() + "-warm-" + i, plan.confirming(), durationMs, count);
        }
        progress.accept("  %s warm".formatted(side.name()));
    }

    private Measurement measure(Plan plan, Side side, int pair) {
        Measurement measurement = side.run(
                plan.workload(),
                plan.workload() + "-" + pair,
                plan.confirming(),
                settings.durationMs(),
                Math.max(1, plan.count() / settings.countDivisor()));
        String rate = "  pair %d %-9s %,10.0f/s".formatted(pair + 1, side.name(), measurement.perSecond());
        progress.accept(
                plan.showsLatency()
                        ? "%s  p50 %,8.0f us  p99 %,8.0f us"
                                .formatted(rate, measurement.p50Ns() / 1e3, measurement.p99Ns() / 1e3)
                        : rate);
        return measurement;
    }

    /** Processor time of both sides and of this process. */
    private static long usedMs(Side ours, Optional<Side> theirs) {
        return ours.cpuMs()
                + theirs.map(Side::cpuMs).orElse(0L)
                + ProcessFigures.cpuMs(ProcessHandle.current().pid());
    }
}
