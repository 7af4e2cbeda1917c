package io.millrace.log;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import io.millrace.log.config.ConfigType;
import io.millrace.log.config.ConfigValues;
import java.util.List;

/**
 * How the broker compacts logs: what all of them share.
 *
 * @param enabled whether it does at all
 * @param threads how many logs are compacted at a time, at least 1
 * @param bytesPerSecond most bytes that are read and written in a second, above 0
 * @param dedupeBufferBytes memory for the keys of all threads together, at least 1024
 * @param backoffMs how long to wait when nothing is to be done, in ms, at least 1
 */
public record CleanerConfig(
        boolean enabled, int threads, double bytesPerSecond, long dedupeBufferBytes, long backoffMs) {
    public static final ConfigKey<Boolean> ENABLE = ConfigKey.ofBoolean("log.cleaner.enable")
            .withDefault(true)
            .describedAs("Whether logs with cleanup.policy=compact are compacted. The broker's own need it.");

    public static final ConfigKey<Integer> THREADS = ConfigKey.ofInt("log.cleaner.threads")
            .withDefault(1)
            .atLeast(1)
            .atMost(64)
            .describedAs("How many logs are compacted at the same time.");

    public static final ConfigKey<Double> BYTES_PER_SECOND = ConfigKey.of(
                    "log.cleaner.io.max.bytes.per.second", ConfigType.DOUBLE)
            .withDefault(Double.MAX_VALUE)
            .mustBe("above 0", rate -> rate > 0)
            .describedAs("How many bytes compaction reads and writes in a second at most, all threads together.");

    public static final ConfigKey<Long> DEDUPE_BUFFER_BYTES = ConfigKey.ofLong("log.cleaner.dedupe.buffer.size")
            .withDefault(32L << 20)
            .atLeast(1024)
            .atMost(Integer.MAX_VALUE - 1024)
            .describedAs(
                    "Memory for the keys that one pass of compaction looks at, in bytes; 24 for each key. It is taken only while logs are"
                            + " compacted. With more keys than that, a log takes several passes.");

    public static final ConfigKey<Long> BACKOFF_MS = ConfigKey.ofLong("log.cleaner.backoff.ms")
            .withDefault(15_000L)
            .atLeast(1)
            .describedAs("How often it is looked for logs to compact, in milliseconds.");

    public static final ConfigKey<Integer> IO_BUFFER_BYTES = ConfigKey.ofInt("log.cleaner.io.buffer.size")
            .withDefault(524_288)
            .atLeast(1)
            .describedAs(
                    "Accepted for Kafka's sake and without effect: the buffers of compaction grow with the largest batch.");

    public static final ConfigKey<Double> IO_BUFFER_LOAD_FACTOR = ConfigKey.of(
                    "log.cleaner.io.buffer.load.factor", ConfigType.DOUBLE)
            .withDefault(0.9)
            .mustBe("above 0 and at most 1", factor -> factor > 0 && factor <= 1)
            .describedAs(
                    "Accepted for Kafka's sake and without effect: the memory for keys is used up to nine tenths.");

    /** All of them, for documentation and parsing. */
    public static final ConfigKeys KEYS = ConfigKeys.of(List.of(
            ENABLE,
            THREADS,
            BYTES_PER_SECOND,
            DEDUPE_BUFFER_BYTES,
            BACKOFF_MS,
            IO_BUFFER_BYTES,
            IO_BUFFER_LOAD_FACTOR));

    /** What applies if nothing is set. */
    public static final CleanerConfig DEFAULT = of(ConfigValues.EMPTY);

    public CleanerConfig {
        boolean possible = threads >= 1 && bytesPerSecond > 0 && dedupeBufferBytes >= 1024 && backoffMs >= 1;
        if (!possible) {
            throw new IllegalArgumentException("no way to compact: " + threads + " threads, " + bytesPerSecond
                    + " bytes a second, " + dedupeBufferBytes + " bytes for keys, " + backoffMs + " ms in between");
        }
    }

    /** The settings of a broker, parsed with {@link #KEYS} among others. */
    public static CleanerConfig of(ConfigValues broker) {
        return new CleanerConfig(
                broker.get(ENABLE),
                broker.get(THREADS),
                broker.get(BYTES_PER_SECOND),
                broker.get(DEDUPE_BUFFER_BYTES),
                broker.get(BACKOFF_MS));
    }
}
