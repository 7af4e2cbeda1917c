package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIds;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIdsResult;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBroker;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBrokerResult;
import io.millrace.coordinator.metadata.MetadataRecord.BrokerRegistered;
import io.millrace.coordinator.metadata.MetadataRecord.LeadershipsRenewed;
import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import io.millrace.coordinator.metadata.MetadataRecord.ProducerIdsAllocated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides about brokers and what is granted to them. Pure: no state, no effects. */
final class BrokerDecisions {

    static final int PRODUCER_ID_BLOCK = 1_000;

    private BrokerDecisions() {}

    static Decision<RegisterBrokerResult> register(RegisterBroker command, MetadataImage state) {
        Optional<BrokerInfo> known = state.broker(command.brokerId());
        if (known.isPresent()
                && !known.get().incarnation().equals(command.incarnation())
                && hasReplicas(state, command.brokerId())) {
            return Decision.unchanged(
                    new RegisterBrokerResult.OtherIncarnation(known.get().incarnation()));
        }
        long epoch = state.lastBrokerEpoch() + 1;
        List<MetadataRecord> records = new ArrayList<>();
        records.add(new OperationRecorded(command.operationId(), Ids.NONE, epoch));
        records.add(new BrokerRegistered(
                new BrokerInfo(command.brokerId(), epoch, command.incarnation(), command.endpoints())));
        if (known.isPresent()) {
            records.add(new LeadershipsRenewed(command.brokerId()));
        }
        return Decision.change(records, new RegisterBrokerResult.Registered(epoch));
    }

    static RegisterBrokerResult registerAgain(OperationRecorded done) {
        return new RegisterBrokerResult.Registered(done.number());
    }

    static Decision<AllocateProducerIdsResult> allocate(AllocateProducerIds command, MetadataImage state) {
        long current =
                state.broker(command.brokerId()).map(BrokerInfo::brokerEpoch).orElse(0L);
        if (current == 0 || current != command.brokerEpoch()) {
            return Decision.unchanged(new AllocateProducerIdsResult.StaleBrokerEpoch(current));
        }
        long first = state.nextProducerId();
        return Decision.change(
                List.of(
                        new OperationRecorded(command.operationId(), Ids.NONE, first),
                        new ProducerIdsAllocated(command.brokerId(), first, PRODUCER_ID_BLOCK)),
                new AllocateProducerIdsResult.Allocated(first, PRODUCER_ID_BLOCK));
    }

    static AllocateProducerIdsResult allocateAgain(OperationRecorded done) {
        return new AllocateProducerIdsResult.Allocated(done.number(), PRODUCER_ID_BLOCK);
    }

    private static boolean hasReplicas(MetadataImage state, int brokerId) {
        for (LogInfo log : state.logs()) {
            for (PartitionInfo partition : log.partitions()) {
                if (partition.replicas().contains(brokerId)) {
                    return true;
                }
            }
        }
        return false;
    }
}
