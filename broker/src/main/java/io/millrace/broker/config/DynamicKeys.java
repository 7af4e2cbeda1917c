package io.millrace.broker.config;

import io.millrace.log.CleanerConfig;
import io.millrace.log.LogConfigKeys;
import io.millrace.log.config.ConfigKey;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which settings can be changed while brokers run: those that Kafka can, as far as they have a meaning here. What is only a default of queues
 * and topics can, and what is named here.
 */
public final class DynamicKeys {

    private static final Set<String> LIVE = Set.of(
            BrokerKeys.MAX_CONNECTIONS.name(),
            BrokerKeys.MAX_CONNECTIONS_PER_IP.name(),
            LogConfigKeys.PRODUCER_EXPIRATION_MS.name(),
            ShareGroupKeys.DEAD_LETTER_AUTO_CREATE.name(),
            ShareGroupKeys.DEAD_LETTER_PREFIX.name(),
            CleanerConfig.THREADS.name(),
            CleanerConfig.BYTES_PER_SECOND.name(),
            CleanerConfig.DEDUPE_BUFFER_BYTES.name(),
            CleanerConfig.BACKOFF_MS.name(),
            CleanerConfig.IO_BUFFER_BYTES.name(),
            CleanerConfig.IO_BUFFER_LOAD_FACTOR.name(),
            "group.consumer.assignment.interval.ms",
            "group.consumer.assignor.offload.enable",
            "group.coordinator.cached.buffer.max.bytes",
            "group.share.assignment.interval.ms",
            "group.share.assignor.offload.enable",
            "group.streams.assignment.interval.ms",
            "group.streams.assignor.offload.enable");

    /** What Kafka changes while it runs, and has its effect here from the file when the broker starts. */
    private static final Map<String, String> AT_START = Map.of(
            BrokerKeys.NUM_NETWORK_THREADS.name(),
            "the threads of the sockets are begun with the broker",
            BrokerKeys.NUM_IO_THREADS.name(),
            "the shards are begun with the broker");

    private DynamicKeys() {}

    /** Says whether a setting of brokers can be set while they run. */
    public static boolean isDynamic(String key) {
        return hasEffect(key) || withoutEffect(key).isPresent();
    }

    /** Says whether a setting that is set while brokers run changes what they do. */
    public static boolean hasEffect(String key) {
        return LIVE.contains(key)
                || BrokerKeys.ALL.find(key).flatMap(ConfigKey::destinationName).isPresent();
    }

    /** Returns why a setting can be set while brokers run and has no effect then; empty if it has one, or cannot be set. */
    public static Optional<String> withoutEffect(String key) {
        String atStart = AT_START.get(key);
        if (atStart != null) {
            return Optional.of(atStart + ", with what the file says then");
        }
        return ReplacedKey.find(key).map(ReplacedKey::replacement);
    }
}
