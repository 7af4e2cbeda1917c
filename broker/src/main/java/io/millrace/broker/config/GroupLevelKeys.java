package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;

/** What can be set for one group of consumers, under Kafka's names; {@code kafka-configs.sh --entity-type groups} does it. */
public final class GroupLevelKeys {

    public static final ConfigKey<Integer> CONSUMER_SESSION_TIMEOUT_MS = ConfigKey.ofInt("consumer.session.timeout.ms")
            .withDefault(45_000)
            .atLeast(1)
            .describedAs("Time without a heartbeat after which a member of a consumer group counts as gone.");

    public static final ConfigKey<Integer> CONSUMER_HEARTBEAT_INTERVAL_MS = ConfigKey.ofInt(
                    "consumer.heartbeat.interval.ms")
            .withDefault(5_000)
            .atLeast(1)
            .describedAs("How often members of a consumer group say that they are alive.");

    public static final ConfigKey<Integer> CONSUMER_ASSIGNMENT_INTERVAL_MS = ConfigKey.ofInt(
                    "consumer.assignment.interval.ms")
            .withDefault(1_000)
            .atLeast(0)
            .describedAs("Least time between two computations of who consumes what in a consumer group.");

    public static final ConfigKey<Boolean> CONSUMER_ASSIGNOR_OFFLOAD = ConfigKey.ofBoolean(
                    "consumer.assignor.offload.enable")
            .withDefault(true)
            .describedAs("Whether who consumes what is computed beside the group's other work.");

    public static final ConfigKey<Integer> SHARE_SESSION_TIMEOUT_MS = ConfigKey.ofInt("share.session.timeout.ms")
            .withDefault(45_000)
            .atLeast(1)
            .describedAs("Time without a heartbeat after which a member of a share group counts as gone.");

    public static final ConfigKey<Integer> SHARE_HEARTBEAT_INTERVAL_MS = ConfigKey.ofInt("share.heartbeat.interval.ms")
            .withDefault(5_000)
            .atLeast(1)
            .describedAs("How often members of a share group say that they are alive.");

    public static final ConfigKey<Integer> SHARE_ASSIGNMENT_INTERVAL_MS = ConfigKey.ofInt(
                    "share.assignment.interval.ms")
            .withDefault(1_000)
            .atLeast(0)
            .describedAs("Least time between two computations of who consumes what in a share group.");

    public static final ConfigKey<Boolean> SHARE_ASSIGNOR_OFFLOAD = ConfigKey.ofBoolean("share.assignor.offload.enable")
            .withDefault(true)
            .describedAs("Whether who consumes what is computed beside the group's other work.");

    public static final ConfigKey<Integer> SHARE_RECORD_LOCK_DURATION_MS = ConfigKey.ofInt(
                    "share.record.lock.duration.ms")
            .withDefault(30_000)
            .atLeast(1_000)
            .describedAs("How long a member of a share group has a record before it goes to another.");

    public static final ConfigKey<Integer> SHARE_DELIVERY_COUNT_LIMIT = ConfigKey.ofInt("share.delivery.count.limit")
            .withDefault(5)
            .atLeast(2)
            .describedAs("How often a share group tries to deliver a record.");

    public static final ConfigKey<Integer> SHARE_PARTITION_MAX_RECORD_LOCKS = ConfigKey.ofInt(
                    "share.partition.max.record.locks")
            .withDefault(2_000)
            .atLeast(100)
            .describedAs("Records of a partition that members of a share group may have at a time.");

    public static final ConfigKey<String> SHARE_AUTO_OFFSET_RESET = ConfigKey.ofString("share.auto.offset.reset")
            .withDefault("latest")
            .mustBe("latest, earliest, or by_duration: and a duration such as PT1H", GroupLevelKeys::isOffsetReset)
            .describedAs("Where a share group begins in a partition that it has not consumed before.");

    public static final ConfigKey<String> SHARE_ISOLATION_LEVEL = ConfigKey.ofString("share.isolation.level")
            .withDefault("read_uncommitted")
            .mustBe(
                    "read_committed or read_uncommitted",
                    level -> level.equals("read_committed") || level.equals("read_uncommitted"))
            .describedAs("Whether a share group gets records of transactions before these are committed.");

    public static final ConfigKey<Boolean> SHARE_RENEW_ACKNOWLEDGE = ConfigKey.ofBoolean(
                    "share.renew.acknowledge.enable")
            .withDefault(true)
            .describedAs("Whether members of a share group may ask for more time for a record.");

    public static final ConfigKey<String> DEAD_LETTER_TOPIC = ConfigKey.ofString("errors.deadletterqueue.topic.name")
            .withDefault("")
            .mustBe("a name that does not begin with __", name -> !name.startsWith("__"))
            .describedAs("Topic that takes the records that a share group could not deliver; empty for none.");

    public static final ConfigKey<Boolean> DEAD_LETTER_COPY = ConfigKey.ofBoolean(
                    "errors.deadletterqueue.copy.record.enable")
            .withDefault(false)
            .describedAs("Whether a dead letter has key, value and headers of the record, or only says where it is.");

    public static final ConfigKey<Integer> STREAMS_SESSION_TIMEOUT_MS = ConfigKey.ofInt("streams.session.timeout.ms")
            .withDefault(45_000)
            .atLeast(1)
            .describedAs("Time without a heartbeat after which a member of a streams group counts as gone.");

    public static final ConfigKey<Integer> STREAMS_HEARTBEAT_INTERVAL_MS = ConfigKey.ofInt(
                    "streams.heartbeat.interval.ms")
            .withDefault(5_000)
            .atLeast(1)
            .describedAs("How often members of a streams group say that they are alive.");

    public static final ConfigKey<Integer> STREAMS_ASSIGNMENT_INTERVAL_MS = ConfigKey.ofInt(
                    "streams.assignment.interval.ms")
            .withDefault(1_000)
            .atLeast(0)
            .describedAs("Least time between two computations of who runs which task of a streams group.");

    public static final ConfigKey<Boolean> STREAMS_ASSIGNOR_OFFLOAD = ConfigKey.ofBoolean(
                    "streams.assignor.offload.enable")
            .withDefault(true)
            .describedAs("Whether who runs which task is computed beside the group's other work.");

    public static final ConfigKey<String> STREAMS_ASSIGNOR = ConfigKey.ofString("streams.assignor.name")
            .withoutDefault("the server's")
            .describedAs("What computes who runs which task of a streams group.");

    public static final ConfigKey<Integer> STREAMS_STANDBY_REPLICAS = ConfigKey.ofInt("streams.num.standby.replicas")
            .withDefault(0)
            .atLeast(0)
            .describedAs("Copies of the state of each task of a streams group that others keep.");

    public static final ConfigKey<Integer> STREAMS_WARMUP_REPLICAS = ConfigKey.ofInt("streams.num.warmup.replicas")
            .withDefault(2)
            .atLeast(0)
            .describedAs("Tasks of a streams group whose state may be copied at a time, before they move.");

    public static final ConfigKey<Long> STREAMS_ACCEPTABLE_LAG = ConfigKey.ofLong("streams.acceptable.recovery.lag")
            .withDefault(10_000L)
            .atLeast(0)
            .describedAs("Records by which a copy of a task's state may be behind and still take the task over.");

    public static final ConfigKey<Integer> STREAMS_INITIAL_DELAY_MS = ConfigKey.ofInt(
                    "streams.initial.rebalance.delay.ms")
            .withDefault(3_000)
            .atLeast(0)
            .describedAs("How long a new streams group waits for more members before it gives out tasks.");

    public static final ConfigKey<List<String>> STREAMS_RACK_TAGS = ConfigKey.ofList(
                    "streams.rack.aware.assignment.tags")
            .withDefault(List.of())
            .describedAs("Tags of clients by which copies of state are spread.");

    public static final ConfigKey<Integer> STREAMS_TASK_OFFSET_INTERVAL_MS = ConfigKey.ofInt(
                    "streams.task.offset.interval.ms")
            .withDefault(60_000)
            .atLeast(1)
            .describedAs("How often members of a streams group tell how far the state of their tasks is.");

    /** All of them. */
    public static final ConfigKeys ALL = ConfigKeys.of(List.of(
            CONSUMER_SESSION_TIMEOUT_MS,
            CONSUMER_HEARTBEAT_INTERVAL_MS,
            CONSUMER_ASSIGNMENT_INTERVAL_MS,
            CONSUMER_ASSIGNOR_OFFLOAD,
            SHARE_SESSION_TIMEOUT_MS,
            SHARE_HEARTBEAT_INTERVAL_MS,
            SHARE_ASSIGNMENT_INTERVAL_MS,
            SHARE_ASSIGNOR_OFFLOAD,
            SHARE_RECORD_LOCK_DURATION_MS,
            SHARE_DELIVERY_COUNT_LIMIT,
            SHARE_PARTITION_MAX_RECORD_LOCKS,
            SHARE_AUTO_OFFSET_RESET,
            SHARE_ISOLATION_LEVEL,
            SHARE_RENEW_ACKNOWLEDGE,
            DEAD_LETTER_TOPIC,
            DEAD_LETTER_COPY,
            STREAMS_SESSION_TIMEOUT_MS,
            STREAMS_HEARTBEAT_INTERVAL_MS,
            STREAMS_ASSIGNMENT_INTERVAL_MS,
            STREAMS_ASSIGNOR_OFFLOAD,
            STREAMS_ASSIGNOR,
            STREAMS_STANDBY_REPLICAS,
            STREAMS_WARMUP_REPLICAS,
            STREAMS_ACCEPTABLE_LAG,
            STREAMS_INITIAL_DELAY_MS,
            STREAMS_RACK_TAGS,
            STREAMS_TASK_OFFSET_INTERVAL_MS));

    private GroupLevelKeys() {}

    private static boolean isOffsetReset(String text) {
        if (text.equals("latest") || text.equals("earliest")) {
            return true;
        }
        try {
            return text.startsWith("by_duration:")
                    && !Duration.parse(text.substring("by_duration:".length())).isNegative();
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
