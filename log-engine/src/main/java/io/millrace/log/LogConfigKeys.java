package io.millrace.log;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import io.millrace.log.config.ConfigType;
import io.millrace.log.config.ConfigValues;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The settings of the log engine, under Kafka's names where Kafka has them. */
public final class LogConfigKeys {
    public static final ConfigKey<List<String>> LOG_DIRS = ConfigKey.ofList("log.dirs")
            .withDefault(List.of("data"))
            .mustBe("at least one directory", dirs -> !dirs.isEmpty())
            .describedAs(
                    "Directories that hold the data, separated by commas, as a rule one per disk. A new partition goes to the"
                            + " one with the fewest. The cluster's metadata is in the first.");

    public static final ConfigKey<Integer> SEGMENT_BYTES = ConfigKey.ofInt("log.segment.bytes")
            .withDefault(LogConfig.DEFAULT.segmentBytes())
            .atLeast(14)
            .perDestination("segment.bytes")
            .describedAs(
                    "Size at which a log file is closed and the next one begun. Whole files are removed, so smaller ones free"
                            + " space sooner, and larger ones keep fewer files.");

    public static final ConfigKey<Long> ROLL_MS = ConfigKey.ofLong("log.roll.ms")
            .withoutDefault("log.roll.hours")
            .atLeast(1)
            .perDestination("segment.ms")
            .describedAs(
                    "Age at which a log file is closed and the next one begun even if it is small, in milliseconds. Goes"
                            + " before log.roll.hours.");

    public static final ConfigKey<Integer> ROLL_HOURS = ConfigKey.ofInt("log.roll.hours")
            .withDefault(168)
            .atLeast(1)
            .describedAs(
                    "Age at which a log file is closed and the next one begun, in hours, unless log.roll.ms is set.");

    public static final ConfigKey<Long> RETENTION_MS = ConfigKey.ofLong("log.retention.ms")
            .withoutDefault("log.retention.minutes")
            .atLeast(-1)
            .perDestination("retention.ms")
            .describedAs(
                    "How long records are kept, in milliseconds; -1 for ever. Goes before log.retention.minutes and"
                            + " log.retention.hours. Files go whole, when their newest record is that old.");

    public static final ConfigKey<Integer> RETENTION_MINUTES = ConfigKey.ofInt("log.retention.minutes")
            .withoutDefault("log.retention.hours")
            .atLeast(-1)
            .describedAs("How long records are kept, in minutes; -1 for ever. Goes before log.retention.hours.");

    public static final ConfigKey<Integer> RETENTION_HOURS = ConfigKey.ofInt("log.retention.hours")
            .withDefault(168)
            .atLeast(-1)
            .describedAs("How long records are kept, in hours; -1 for ever. Used when neither log.retention.ms nor"
                    + " log.retention.minutes is set.");

    public static final ConfigKey<Long> RETENTION_BYTES = ConfigKey.ofLong("log.retention.bytes")
            .withDefault(LogConfig.UNLIMITED)
            .atLeast(-1)
            .perDestination("retention.bytes")
            .describedAs("Size of a partition above which its oldest files are removed; -1 for no bound.");

    public static final ConfigKey<Long> RETENTION_CHECK_INTERVAL_MS = ConfigKey.ofLong(
                    "log.retention.check.interval.ms")
            .withDefault(TimeUnit.MINUTES.toMillis(5))
            .atLeast(1)
            .describedAs("How often it is checked which records are over their retention, in milliseconds.");

    public static final ConfigKey<Integer> INDEX_INTERVAL_BYTES = ConfigKey.ofInt("log.index.interval.bytes")
            .withDefault(LogConfig.DEFAULT.indexIntervalBytes())
            .atLeast(0)
            .perDestination("index.interval.bytes")
            .describedAs(
                    "Bytes of log between two entries of its index. Smaller finds an offset with less reading, and makes the"
                            + " index larger. Seldom worth a change.");

    public static final ConfigKey<Integer> INDEX_SIZE_MAX_BYTES = ConfigKey.ofInt("log.index.size.max.bytes")
            .withDefault(LogConfig.DEFAULT.indexMaxBytes())
            .atLeast(24)
            .perDestination("segment.index.bytes")
            .describedAs("Size at which an index is full, and its log file is closed and the next one begun.");

    public static final ConfigKey<FlushPolicy> FLUSH = ConfigKey.of("log.flush", ConfigType.oneOf(FlushPolicy.class))
            .withDefault(LogConfig.DEFAULT.flush())
            .perDestination("flush")
            .describedAs(
                    "ack: a message counts as sent when it is on the disk itself, so it survives power loss. os: when it is in"
                            + " the operating system's cache, as in Kafka; it survives the end of the process, and power loss only on other"
                            + " replicas.");

    public static final ConfigKey<Integer> FLUSH_MAX_DELAY_MS = ConfigKey.ofInt("flush.max.delay.ms")
            .withDefault(LogConfig.DEFAULT.flushMaxDelayMs())
            .atLeast(0)
            .atMost(TimeUnit.HOURS.toMillis(1))
            .describedAs(
                    "With log.flush=ack, the longest time that a record stays unsynced when nobody waits for it, in"
                            + " milliseconds.");

    public static final ConfigKey<Long> RESERVE_BYTES = ConfigKey.ofLong("log.reserve.bytes")
            .withDefault(16L << 20)
            .atLeast(0)
            .describedAs(
                    "Space that each data directory holds back. When only it is left, senders get an error at once, while"
                            + " acknowledgements, transactions and removal go on with it.");

    public static final ConfigKey<Integer> MESSAGE_MAX_BYTES = ConfigKey.ofInt("message.max.bytes")
            .withDefault(1_000_000)
            .atLeast(61)
            .perDestination("max.message.bytes")
            .describedAs(
                    "Largest batch of records that Kafka clients may write to a log, in bytes. Queues and topics that JMS"
                            + " clients create take 64 MiB.");

    public static final ConfigKey<Long> PRODUCER_EXPIRATION_MS = ConfigKey.ofLong("producer.id.expiration.ms")
            .withDefault(LogConfig.DEFAULT.producerExpirationMs())
            .atLeast(1)
            .describedAs(
                    "Idle time after which a partition forgets the last batches of a producer, in milliseconds. A producer that"
                            + " repeats a batch later than that may store it twice.");

    public static final ConfigKey<Integer> OPEN_FILES_MAX = ConfigKey.ofInt("log.open.files.max")
            .withDefault(4000)
            .atLeast(16)
            .describedAs(
                    "Most files of logs that are open at a time; those not used for longest are closed. A broker that is not told takes a"
                            + " quarter of the process's limit (ulimit -n), if that is less.");

    public static final ConfigKey<Long> COMMIT_JOURNAL_BYTES = ConfigKey.ofLong("log.commit.journal.bytes")
            .withDefault(32L << 20)
            .atLeast(0)
            .describedAs(
                    "Size of each of the two files of a data directory's commit journal, which takes what many partitions write"
                            + " at a time, so that one sync serves all of them. At most 1/64 of the disk; 0 for no journal.");

    /** All of them, for documentation and parsing. */
    public static final ConfigKeys ALL = ConfigKeys.of(List.of(
            LOG_DIRS,
            SEGMENT_BYTES,
            ROLL_MS,
            ROLL_HOURS,
            RETENTION_MS,
            RETENTION_MINUTES,
            RETENTION_HOURS,
            RETENTION_BYTES,
            RETENTION_CHECK_INTERVAL_MS,
            INDEX_INTERVAL_BYTES,
            INDEX_SIZE_MAX_BYTES,
            FLUSH,
            FLUSH_MAX_DELAY_MS,
            RESERVE_BYTES,
            MESSAGE_MAX_BYTES,
            PRODUCER_EXPIRATION_MS,
            OPEN_FILES_MAX,
            COMMIT_JOURNAL_BYTES));

    private LogConfigKeys() {}

    /**
     * The settings of one log.
     *
     * @param broker the broker's, parsed with {@link #ALL} among others
     * @param destination what the queue or topic overrides, parsed with {@link ConfigKeys#perDestination}
     */
    public static LogConfig logConfig(ConfigValues broker, ConfigValues destination) {
        return LogConfig.builder()
                .segmentBytes(value(SEGMENT_BYTES, broker, destination))
                .rollMs(destination
                        .findSet(ROLL_MS.destinationKey())
                        .or(() -> broker.findSet(ROLL_MS))
                        .orElseGet(() -> TimeUnit.HOURS.toMillis(broker.get(ROLL_HOURS))))
                .retentionMs(destination
                        .findSet(RETENTION_MS.destinationKey())
                        .or(() -> broker.findSet(RETENTION_MS))
                        .or(() -> broker.findSet(RETENTION_MINUTES).map(n -> limitMs(n, TimeUnit.MINUTES)))
                        .orElseGet(() -> limitMs(broker.get(RETENTION_HOURS), TimeUnit.HOURS)))
                .retentionBytes(value(RETENTION_BYTES, broker, destination))
                .indexIntervalBytes(value(INDEX_INTERVAL_BYTES, broker, destination))
                .indexMaxBytes(value(INDEX_SIZE_MAX_BYTES, broker, destination))
                .flush(value(FLUSH, broker, destination))
                .flushMaxDelayMs(broker.get(FLUSH_MAX_DELAY_MS))
                .maxBatchBytes(value(MESSAGE_MAX_BYTES, broker, destination))
                .producerExpirationMs(broker.get(PRODUCER_EXPIRATION_MS))
                .build();
    }

    private static <T> T value(ConfigKey<T> key, ConfigValues broker, ConfigValues destination) {
        Optional<T> override = destination.findSet(key.destinationKey());
        return override.isPresent() ? override.get() : broker.get(key);
    }

    private static long limitMs(int count, TimeUnit unit) {
        return count < 0 ? LogConfig.UNLIMITED : unit.toMillis(count);
    }
}
