package io.millrace.benchmarks.machine;

import java.util.OptionalDouble;

/**
 * How much others kept the machine from a workload.
 *
 * @param loadBefore load average before the command's first workload; empty for the later ones, which begin in the load of those before
 * @param othersCpuShare processor time that neither side used while the workload was measured, as a share of the machine's, 0 to 1
 */
public record Disturbance(OptionalDouble loadBefore, double othersCpuShare) {
    private static final double MAX_LOAD = 2;
    private static final double MAX_OTHERS_SHARE = 0.1;

    /** Whether it makes the figures void. What the workload itself asks of the machine never does. */
    public boolean tooMuch() {
        return loadBefore.orElse(0) > MAX_LOAD || othersCpuShare > MAX_OTHERS_SHARE;
    }

    /** Returns the line of a report. */
    public String text() {
        StringBuilder text = new StringBuilder("others used %.0f %% of the processors".formatted(othersCpuShare * 100));
        loadBefore.ifPresent(load -> text.append(", load average %.2f before the first workload".formatted(load)));
        return text.append(tooMuch() ? ": VOID, the machine was not quiet" : "").toString();
    }
}
