package io.millrace.coordinator.metadata;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A broker, as registered at its last start.
 *
 * @param brokerId id from its configuration, 0 or more
 * @param brokerEpoch number granted at that start, larger than every one granted before to any broker; a process that carries a smaller
 *     one for this id has been replaced
 * @param incarnation identity of its first data directory, made when the directory was
 * @param endpoints where it can be reached
 */
public record BrokerInfo(int brokerId, long brokerEpoch, UUID incarnation, List<BrokerEndpoint> endpoints) {
    public BrokerInfo {
        if (brokerId < 0 || brokerEpoch < 1) {
            throw new IllegalArgumentException("not a broker: id " + brokerId + ", epoch " + brokerEpoch);
        }
        Objects.requireNonNull(incarnation, "incarnation");
        endpoints = List.copyOf(endpoints);
    }
}
