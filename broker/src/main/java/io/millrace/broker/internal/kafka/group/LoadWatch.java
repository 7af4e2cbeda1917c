package io.millrace.broker.internal.kafka.group;

import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime.CoordinatorState;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorRuntimeMetrics;

/** Hears from the coordinator's measurements when a partition can be used: the coordinator tells nobody else. */
final class LoadWatch extends GroupCoordinatorRuntimeMetrics {

    private final Runnable onSettled;

    /** @param onSettled told of each partition that is loaded, or cannot be */
    LoadWatch(Metrics metrics, Runnable onSettled) {
        super(metrics);
        this.onSettled = onSettled;
    }

    @Override
    public void recordPartitionStateChange(CoordinatorState before, CoordinatorState after) {
        super.recordPartitionStateChange(before, after);
        if (after == CoordinatorState.ACTIVE || after == CoordinatorState.FAILED) {
            onSettled.run();
        }
    }
}
