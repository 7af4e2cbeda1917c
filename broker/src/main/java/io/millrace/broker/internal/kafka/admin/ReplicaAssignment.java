package io.millrace.broker.internal.kafka.admin;

import io.millrace.coordinator.metadata.MetadataImage;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks by which brokers a client wants a partition to be kept. */
public final class ReplicaAssignment {

    private ReplicaAssignment() {}

    /**
     * Says what is wrong with the replicas of a partition.
     *
     * @param replicas ids of brokers, the leader first
     */
    public static Optional<String> problem(List<Integer> replicas, MetadataImage image) {
        if (replicas.isEmpty()) {
            return Optional.of("The manual partition assignment includes an empty replica list.");
        }
        Set<Integer> seen = new HashSet<>();
        for (int broker : replicas) {
            if (image.broker(broker).isEmpty()) {
                return Optional.of("The manual partition assignment includes broker " + broker
                        + ", but no such broker is registered.");
            }
            if (!seen.add(broker)) {
                return Optional.of(
                        "The manual partition assignment includes the broker " + broker + " more than once.");
            }
        }
        return Optional.empty();
    }
}
