package io.millrace.broker.config;

import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.log.DurableRetention;
import io.millrace.log.LogConfigKeys;
import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigValues;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What applies to a log that does not set it for itself, by the door through which it was created: what JMS clients create is kept until it was
 * read, may be large, and has no bound for timestamps, since JMS clients count in the broker's time; what Kafka clients create is as in Kafka.
 */
final class OriginDefaults {

    private final ConfigValues broker;
    private final int jmsMessageMaxBytes;

    /** @param broker the broker's settings, which count for either unless they are of one door alone */
    OriginDefaults(ConfigValues broker, int jmsMessageMaxBytes) {
        this.broker = broker;
        this.jmsMessageMaxBytes = jmsMessageMaxBytes;
    }

    /** Returns those defaults that are not the broker's, by the key of the destination. */
    Map<String, String> of(LogOrigin origin) {
        Map<String, String> defaults = new LinkedHashMap<>();
        switch (origin) {
            case JMS -> {
                put(defaults, LogConfigKeys.MESSAGE_MAX_BYTES, jmsMessageMaxBytes);
                putUnlessSet(defaults, LogConfigKeys.TIMESTAMP_AFTER_MAX_MS, Long.MAX_VALUE);
                putUnlessSet(defaults, LogConfigKeys.DURABLE_RETENTION, DurableRetention.KEEP);
            }
            case KAFKA -> putUnlessSet(defaults, LogConfigKeys.DURABLE_RETENTION, DurableRetention.DROP);
        }
        return defaults;
    }

    private <T> void putUnlessSet(Map<String, String> defaults, ConfigKey<T> key, T value) {
        if (broker.findSet(key).isEmpty()) {
            put(defaults, key, value);
        }
    }

    private static <T> void put(Map<String, String> defaults, ConfigKey<T> key, T value) {
        defaults.put(key.destinationName().orElseThrow(), key.type().format(value));
    }
}
