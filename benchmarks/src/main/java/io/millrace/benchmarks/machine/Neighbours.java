package io.millrace.benchmarks.machine;

import io.millrace.wire.time.TimeSource;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * Watches what others do on the machine while the workloads of one command are measured. The load average does not tell whose load it
 * is, so it is asked once, before the command has made any; from then on the processor time that others use is what counts.
 * For one thread.
 */
public final class Neighbours {
    private final LongSupplier machineCpuMs;
    private final int processors;
    private final TimeSource time;
    private OptionalDouble loadBefore;

    /**
     * Watches a machine.
     *
     * @param loadBefore load average now, before the first workload
     * @param machineCpuMs processor time of all processes so far
     * @param processors that the machine has
     */
    public Neighbours(double loadBefore, LongSupplier machineCpuMs, int processors, TimeSource time) {
        this.loadBefore = OptionalDouble.of(loadBefore);
        this.machineCpuMs = machineCpuMs;
        this.processors = processors;
        this.time = time;
    }

    /**
     * Begins to watch during a workload.
     *
     * @param ourCpuMs processor time so far of all processes that take part
     */
    public Watch begin(LongSupplier ourCpuMs) {
        OptionalDouble load = loadBefore;
        loadBefore = OptionalDouble.empty();
        return new Watch(load, ourCpuMs);
    }

    /** Of one workload. */
    public final class Watch {
        private final OptionalDouble load;
        private final LongSupplier ourCpuMs;
        private final long startNs = time.nanoTime();
        private final long othersBeforeMs;

        private Watch(OptionalDouble load, LongSupplier ourCpuMs) {
            this.load = load;
            this.ourCpuMs = ourCpuMs;
            othersBeforeMs = othersMs();
        }

        /** Tells what others did since it began. */
        public Disturbance end() {
            double elapsedMs = (time.nanoTime() - startNs) / 1e6;
            // Processes and the machine are not counted at the same instant: a little below nothing is nothing.
            long othersMs = Math.max(0, othersMs() - othersBeforeMs);
            return new Disturbance(load, othersMs / elapsedMs / processors);
        }

        private long othersMs() {
            return machineCpuMs.getAsLong() - ourCpuMs.getAsLong();
        }
    }
}
