package io.millrace.benchmarks.jms;

import io.millrace.benchmarks.machine.Disturbance;
import io.millrace.benchmarks.program.Measurement;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * All that was measured of one workload.
 *
 * @param ours one for each pair
 * @param theirs one for each pair; empty if only our side ran
 * @param rawP50Ns median of the disk's fdatasync, one for each pair
 * @param ourResidentBytes memory of our broker at the end
 * @param theirResidentBytes memory of theirs
 * @param disturbance what others did meanwhile
 */
record Outcome(
        Plan plan,
        List<Measurement> ours,
        List<Measurement> theirs,
        List<Double> rawP50Ns,
        long ourResidentBytes,
        long theirResidentBytes,
        Disturbance disturbance) {

    private static final double NEAR_DISK_NS = 300_000;

    /** Least, middle and greatest of the pairs' ratios. */
    record Spread(double min, double median, double max) {

        static Spread of(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            int size = sorted.size();
            double median =
                    size % 2 == 1 ? sorted.get(size / 2) : (sorted.get(size / 2 - 1) + sorted.get(size / 2)) / 2;
            return new Spread(sorted.getFirst(), median, sorted.getLast());
        }
    }

    boolean compared() {
        return !theirs.isEmpty();
    }

    /** The ratios ours/Artemis of what the workload is about. */
    Spread ratio() {
        return ratio(plan.goal() == Plan.Goal.RATE ? Measurement::perSecond : Measurement::p99Ns);
    }

    Spread ratio(ToDoubleFunction<Measurement> figure) {
        return Spread.of(IntStream.range(0, ours.size())
                .mapToObj(pair -> figure.applyAsDouble(ours.get(pair)) / figure.applyAsDouble(theirs.get(pair)))
                .toList());
    }

    static double median(List<Measurement> measurements, ToDoubleFunction<Measurement> figure) {
        return measurements.isEmpty()
                ? Double.NaN
                : Spread.of(measurements.stream()
                                .map(measurement -> figure.applyAsDouble(measurement))
                                .toList())
                        .median();
    }

    /** Our median latency less the disk's, pair by pair. */
    Spread overDiskNs() {
        return Spread.of(IntStream.range(0, ours.size())
                .mapToObj(pair -> ours.get(pair).p50Ns() - rawP50Ns.get(pair))
                .toList());
    }

    boolean nearDisk() {
        return overDiskNs().median() <= NEAR_DISK_NS;
    }

    double rawP50() {
        return Spread.of(rawP50Ns).median();
    }
}
