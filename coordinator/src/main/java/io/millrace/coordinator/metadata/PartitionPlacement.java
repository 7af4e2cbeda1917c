package io.millrace.coordinator.metadata;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Where new partitions go: round robin over the brokers, going on where the logs created so far would end if each had one
 * partition, so that neither the partitions of one log nor many logs of one partition pile up at one broker.
 */
final class PartitionPlacement {

    private PartitionPlacement() {}

    /**
     * Chooses replicas.
     *
     * @param state has at least one broker
     * @param present how many the log has before these
     * @param partitions how many to place
     * @param replicas copies wanted of each; fewer are given while there are fewer brokers
     * @return for each partition its first state: all replicas in sync, the first of them leads in epoch 0
     */
    static List<PartitionInfo> spread(MetadataImage state, int present, int partitions, int replicas) {
        List<Integer> brokerIds = new ArrayList<>();
        state.brokers().forEach(broker -> brokerIds.add(broker.brokerId()));
        int copies = Math.min(replicas, brokerIds.size());
        List<PartitionInfo> placed = new ArrayList<>(partitions);
        for (int partition = 0; partition < partitions; partition++) {
            List<Integer> chosen = new ArrayList<>(copies);
            for (int copy = 0; copy < copies; copy++) {
                chosen.add(
                        brokerIds.get(Math.floorMod(state.logCount() + present + partition + copy, brokerIds.size())));
            }
            placed.add(new PartitionInfo(OptionalInt.of(chosen.getFirst()), 0, 0, chosen, chosen));
        }
        return placed;
    }
}
