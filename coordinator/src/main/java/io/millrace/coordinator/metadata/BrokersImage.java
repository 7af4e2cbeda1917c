package io.millrace.coordinator.metadata;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The registered brokers and their configuration. Immutable; changed copies share the rest. */
record BrokersImage(PersistentMap<Integer, BrokerInfo> byId, PersistentMap<Integer, Map<String, String>> configs) {

    static final BrokersImage EMPTY = new BrokersImage(PersistentMap.empty(), PersistentMap.empty());

    BrokersImage registered(BrokerInfo broker) {
        byId.get(broker.brokerId())
                .ifPresent(before -> InconsistentMetadataException.check(
                        broker.brokerEpoch() > before.brokerEpoch(),
                        "broker " + broker.brokerId() + " has epoch " + before.brokerEpoch() + " and is granted "
                                + broker.brokerEpoch()));
        return new BrokersImage(byId.with(broker.brokerId(), broker), configs);
    }

    BrokersImage configured(int brokerId, String key, Optional<String> value) {
        Map<String, String> config = changed(configs.get(brokerId).orElse(Map.of()), key, value);
        return new BrokersImage(byId, config.isEmpty() ? configs.without(brokerId) : configs.with(brokerId, config));
    }

    /** Returns a copy of a configuration with one value set or removed. */
    static Map<String, String> changed(Map<String, String> config, String key, Optional<String> value) {
        Map<String, String> changed = new HashMap<>(config);
        value.ifPresentOrElse(v -> changed.put(key, v), () -> changed.remove(key));
        return Map.copyOf(changed);
    }
}
