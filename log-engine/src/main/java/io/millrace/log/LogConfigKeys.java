package io.millrace.log;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import io.millrace.log.config.ConfigType;
import io.millrace.log.config.ConfigValues;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.TimestampType;
import java.util.List;
import java.util.Map;
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
            .withDefault(1_048_588)
            .atLeast(61)
            .perDestination("max.message.bytes")
            .describedAs(
                    "Largest batch of records that Kafka clients may write to a log, in bytes. Queues and topics that JMS"
                            + " clients create have jms.message.max.bytes instead.");

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

    public static final ConfigKey<Long> ROLL_JITTER_MS = ConfigKey.ofLong("log.roll.jitter.ms")
            .withoutDefault("log.roll.jitter.hours")
            .atLeast(0)
            .perDestination("segment.jitter.ms")
            .describedAs(
                    "By how much, at most, log files are closed earlier than their age demands, so that many partitions do not do"
                            + " so at the same time, in milliseconds. Goes before log.roll.jitter.hours.");

    public static final ConfigKey<Integer> ROLL_JITTER_HOURS = ConfigKey.ofInt("log.roll.jitter.hours")
            .withDefault(0)
            .atLeast(0)
            .describedAs("As log.roll.jitter.ms, in hours.");

    public static final ConfigKey<Long> FLUSH_INTERVAL_MESSAGES = ConfigKey.ofLong("log.flush.interval.messages")
            .withDefault(LogConfig.DEFAULT.flushMessages())
            .atLeast(1)
            .perDestination("flush.messages")
            .describedAs(
                    "With log.flush=os, how many messages a partition gets until they are forced to the disk. With log.flush=ack they"
                            + " all are, before they are confirmed.");

    public static final ConfigKey<Long> FLUSH_INTERVAL_MS = ConfigKey.ofLong("log.flush.interval.ms")
            .withDefault(LogConfig.DEFAULT.flushMs())
            .atLeast(0)
            .perDestination("flush.ms")
            .describedAs(
                    "With log.flush=os, the longest time until a message is forced to the disk, in milliseconds. The default leaves it"
                            + " to the operating system.");

    public static final ConfigKey<Boolean> PREALLOCATE = ConfigKey.ofBoolean("log.preallocate")
            .withDefault(false)
            .perDestination("preallocate")
            .describedAs(
                    "Accepted for Kafka's sake and without effect: files here grow as they are written, which costs less than the name"
                            + " says on the file systems of today.");

    public static final ConfigKey<Long> FILE_DELETE_DELAY_MS = ConfigKey.ofLong("log.segment.delete.delay.ms")
            .withDefault(60_000L)
            .atLeast(0)
            .perDestination("file.delete.delay.ms")
            .describedAs(
                    "Accepted for Kafka's sake and without effect: whoever still reads a removed file here keeps it open, so its name"
                            + " need not wait.");

    public static final ConfigKey<Integer> MIN_INSYNC_REPLICAS = ConfigKey.ofInt("min.insync.replicas")
            .withDefault(LogConfig.DEFAULT.minInSyncReplicas())
            .atLeast(1)
            .perDestination("min.insync.replicas")
            .describedAs(
                    "How many replicas must have a message before a producer with acks=all is answered. With fewer in sync, its"
                            + " messages are refused.");

    public static final ConfigKey<Boolean> UNCLEAN_LEADER_ELECTION = ConfigKey.ofBoolean(
                    "unclean.leader.election.enable")
            .withDefault(false)
            .perDestination("unclean.leader.election.enable")
            .describedAs(
                    "Whether a replica that may lack messages can become leader when no other is left. A single broker has no other"
                            + " replica, so nothing follows from it there.");

    public static final ConfigKey<List<String>> CLEANUP_POLICY = ConfigKey.ofList("log.cleanup.policy")
            .withDefault(List.of("delete"))
            .mustBe(
                    "delete, compact, or both",
                    words -> List.of("delete", "compact").containsAll(words))
            .perDestination("cleanup.policy")
            .describedAs(
                    "What becomes of old messages: delete removes those over the retention, compact keeps the last one of each key."
                            + " Both may be given, separated by a comma.");

    public static final ConfigKey<Long> MIN_COMPACTION_LAG_MS = ConfigKey.ofLong("log.cleaner.min.compaction.lag.ms")
            .withDefault(CleanupConfig.DELETE.minCompactionLagMs())
            .atLeast(0)
            .perDestination("min.compaction.lag.ms")
            .describedAs(
                    "How old a message of a compacted log gets at least before it can be removed, in milliseconds.");

    public static final ConfigKey<Long> MAX_COMPACTION_LAG_MS = ConfigKey.ofLong("log.cleaner.max.compaction.lag.ms")
            .withDefault(CleanupConfig.DELETE.maxCompactionLagMs())
            .atLeast(1)
            .perDestination("max.compaction.lag.ms")
            .describedAs(
                    "Age at which messages of a compacted log are looked at even if there are few of them, in milliseconds.");

    public static final ConfigKey<Long> DELETE_RETENTION_MS = ConfigKey.ofLong("log.cleaner.delete.retention.ms")
            .withDefault(CleanupConfig.DELETE.deleteRetentionMs())
            .atLeast(0)
            .perDestination("delete.retention.ms")
            .describedAs(
                    "How long a compacted log keeps a message without a value, which says that its key is gone, in milliseconds. A"
                            + " reader that takes longer from the beginning to the end may miss it.");

    public static final ConfigKey<Double> MIN_CLEANABLE_RATIO = ConfigKey.of(
                    "log.cleaner.min.cleanable.ratio", ConfigType.DOUBLE)
            .withDefault(CleanupConfig.DELETE.minDirtyRatio())
            .mustBe("from 0 to 1", ratio -> ratio >= 0 && ratio <= 1)
            .perDestination("min.cleanable.dirty.ratio")
            .describedAs(
                    "Share of a compacted log, in bytes, that was written since it was compacted last, at which it is compacted again."
                            + " Smaller wastes less space and works more.");

    public static final ConfigKey<Double> MIN_CONSUMED_RATIO = ConfigKey.of(
                    "log.cleaner.min.consumed.ratio", ConfigType.DOUBLE)
            .withDefault(CleanupConfig.DELETE.minConsumedRatio())
            .mustBe("from 0 to 1", ratio -> ratio >= 0 && ratio <= 1)
            .perDestination("min.consumed.ratio")
            .describedAs(
                    "Share of the messages in a file of a queue that was consumed, at which they are taken out of it: the others are"
                            + " written anew. Files that were consumed as a whole are removed in any case. Smaller wastes less space and works"
                            + " more.");

    public static final ConfigKey<TimestampType> TIMESTAMP_TYPE = ConfigKey.of(
                    "log.message.timestamp.type",
                    ConfigType.ofWords(Map.of(
                            "CreateTime", TimestampType.CREATE_TIME, "LogAppendTime", TimestampType.LOG_APPEND_TIME)))
            .withDefault(TimestampType.CREATE_TIME)
            .perDestination("message.timestamp.type")
            .describedAs(
                    "Whether a message keeps the time that its producer gave it, or gets the time at which it was appended.");

    public static final ConfigKey<Long> TIMESTAMP_BEFORE_MAX_MS = ConfigKey.ofLong(
                    "log.message.timestamp.before.max.ms")
            .withDefault(Long.MAX_VALUE)
            .atLeast(0)
            .perDestination("message.timestamp.before.max.ms")
            .describedAs(
                    "How far in the past the time of a producer may lie, in milliseconds. Messages beyond that are refused.");

    public static final ConfigKey<Long> TIMESTAMP_AFTER_MAX_MS = ConfigKey.ofLong("log.message.timestamp.after.max.ms")
            .withDefault(3_600_000L)
            .atLeast(0)
            .perDestination("message.timestamp.after.max.ms")
            .describedAs(
                    "How far in the future the time of a producer may lie, in milliseconds. Messages beyond that are refused. Queues"
                            + " and topics that JMS clients create have no such bound unless they set one.");

    public static final ConfigKey<Optional<Compression>> COMPRESSION_TYPE = ConfigKey.of(
                    "compression.type",
                    ConfigType.ofWords(Map.of(
                            "producer",
                            Optional.<Compression>empty(),
                            "uncompressed",
                            Optional.of(Compression.NONE),
                            "gzip",
                            Optional.of(Compression.GZIP),
                            "snappy",
                            Optional.of(Compression.SNAPPY),
                            "lz4",
                            Optional.of(Compression.LZ4),
                            "zstd",
                            Optional.of(Compression.ZSTD))))
            .withDefault(Optional.empty())
            .perDestination("compression.type")
            .describedAs(
                    "How messages are stored: producer leaves them as they come, which costs nothing; with a codec, or uncompressed,"
                            + " batches that are different are compressed anew.");

    public static final ConfigKey<Integer> GZIP_LEVEL = ConfigKey.ofInt("compression.gzip.level")
            .withDefault(CompressionConfig.PRODUCER.gzipLevel())
            .mustBe("from 1 to 9, or -1", level -> level == -1 || (level >= 1 && level <= 9))
            .perDestination("compression.gzip.level")
            .describedAs("How hard gzip tries where compression.type is gzip, from 1 to 9; -1 is its own default.");

    public static final ConfigKey<Integer> LZ4_LEVEL = ConfigKey.ofInt("compression.lz4.level")
            .withDefault(CompressionConfig.PRODUCER.lz4Level())
            .atLeast(1)
            .atMost(17)
            .perDestination("compression.lz4.level")
            .describedAs("How hard lz4 tries where compression.type is lz4, from 1 to 17.");

    public static final ConfigKey<Integer> ZSTD_LEVEL = ConfigKey.ofInt("compression.zstd.level")
            .withDefault(CompressionConfig.PRODUCER.zstdLevel())
            .atLeast(-131_072)
            .atMost(22)
            .perDestination("compression.zstd.level")
            .describedAs("How hard zstd tries where compression.type is zstd, from -131072 to 22.");

    public static final ConfigKey<DurableRetention> DURABLE_RETENTION = ConfigKey.of(
                    "retention.durable", ConfigType.oneOf(DurableRetention.class))
            .withoutDefault("keep for what JMS clients create, drop for what Kafka clients create")
            .perDestination("retention.durable")
            .describedAs(
                    "keep: retention never removes what a queue or a durable subscription has still to read. drop: retention wins, as in"
                            + " Kafka, and the gap is counted.");

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
                    COMMIT_JOURNAL_BYTES,
                    ROLL_JITTER_MS,
                    ROLL_JITTER_HOURS,
                    FLUSH_INTERVAL_MESSAGES,
                    FLUSH_INTERVAL_MS,
                    PREALLOCATE,
                    FILE_DELETE_DELAY_MS,
                    MIN_INSYNC_REPLICAS,
                    UNCLEAN_LEADER_ELECTION,
                    CLEANUP_POLICY,
                    MIN_COMPACTION_LAG_MS,
                    MAX_COMPACTION_LAG_MS,
                    DELETE_RETENTION_MS,
                    MIN_CLEANABLE_RATIO,
                    MIN_CONSUMED_RATIO,
                    TIMESTAMP_TYPE,
                    TIMESTAMP_BEFORE_MAX_MS,
                    TIMESTAMP_AFTER_MAX_MS,
                    COMPRESSION_TYPE,
                    GZIP_LEVEL,
                    LZ4_LEVEL,
                    ZSTD_LEVEL,
                    DURABLE_RETENTION))
            .and(CleanerConfig.KEYS);

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
                .rollJitterMs(destination
                        .findSet(ROLL_JITTER_MS.destinationKey())
                        .or(() -> broker.findSet(ROLL_JITTER_MS))
                        .orElseGet(() -> TimeUnit.HOURS.toMillis(broker.get(ROLL_JITTER_HOURS))))
                .flushMessages(value(FLUSH_INTERVAL_MESSAGES, broker, destination))
                .flushMs(value(FLUSH_INTERVAL_MS, broker, destination))
                .minInSyncReplicas(value(MIN_INSYNC_REPLICAS, broker, destination))
                .cleanup(cleanup(broker, destination))
                .timestamps(new TimestampConfig(
                        value(TIMESTAMP_TYPE, broker, destination),
                        value(TIMESTAMP_BEFORE_MAX_MS, broker, destination),
                        value(TIMESTAMP_AFTER_MAX_MS, broker, destination)))
                .compression(new CompressionConfig(
                        value(COMPRESSION_TYPE, broker, destination),
                        value(GZIP_LEVEL, broker, destination),
                        value(LZ4_LEVEL, broker, destination),
                        value(ZSTD_LEVEL, broker, destination)))
                .durableRetention(destination
                        .findSet(DURABLE_RETENTION.destinationKey())
                        .or(() -> broker.findSet(DURABLE_RETENTION))
                        .orElse(DurableRetention.KEEP))
                .build();
    }

    /** Says which settings contradict each other. */
    public static Optional<String> contradiction(ConfigValues broker, ConfigValues destination) {
        long minLagMs = value(MIN_COMPACTION_LAG_MS, broker, destination);
        long maxLagMs = value(MAX_COMPACTION_LAG_MS, broker, destination);
        return minLagMs <= maxLagMs
                ? Optional.empty()
                : Optional.of(MIN_COMPACTION_LAG_MS.destinationKey() + " is " + minLagMs + " and must not be above "
                        + MAX_COMPACTION_LAG_MS.destinationKey() + ", which is " + maxLagMs);
    }

    private static CleanupConfig cleanup(ConfigValues broker, ConfigValues destination) {
        List<String> policy = value(CLEANUP_POLICY, broker, destination);
        long minLagMs = value(MIN_COMPACTION_LAG_MS, broker, destination);
        long maxLagMs = value(MAX_COMPACTION_LAG_MS, broker, destination);
        return new CleanupConfig(
                policy.contains("delete"),
                policy.contains("compact"),
                minLagMs,
                // The broker's setting may have changed since the destination's was checked against it.
                Math.max(minLagMs, maxLagMs),
                value(DELETE_RETENTION_MS, broker, destination),
                value(MIN_CLEANABLE_RATIO, broker, destination),
                value(MIN_CONSUMED_RATIO, broker, destination));
    }

    private static <T> T value(ConfigKey<T> key, ConfigValues broker, ConfigValues destination) {
        Optional<T> override = destination.findSet(key.destinationKey());
        return override.isPresent() ? override.get() : broker.get(key);
    }

    private static long limitMs(int count, TimeUnit unit) {
        return count < 0 ? LogConfig.UNLIMITED : unit.toMillis(count);
    }
}
