package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import java.util.List;

/** The settings of classic and consumer groups, and of the topic in which all groups are kept; under the names of Kafka 4.4. */
public final class GroupKeys {

    public static final ConfigKey<Integer> OFFSETS_TOPIC_PARTITIONS = ConfigKey.ofInt("offsets.topic.num.partitions")
            .withDefault(4)
            .atLeast(1)
            .atMost(10000)
            .describedAs(
                    "Partitions of __consumer_offsets, when it is created. A group belongs to the partition that its id names, so that it cannot be changed later.");

    public static final ConfigKey<Integer> OFFSETS_TOPIC_REPLICATION_FACTOR = ConfigKey.ofInt(
                    "offsets.topic.replication.factor")
            .withDefault(1)
            .atLeast(1)
            .atMost(32767)
            .describedAs(
                    "Copies of __consumer_offsets; this broker is the only one and has the only copy, whatever is set.");

    public static final ConfigKey<Integer> OFFSETS_TOPIC_SEGMENT_BYTES = ConfigKey.ofInt("offsets.topic.segment.bytes")
            .withDefault(104857600)
            .atLeast(1024)
            .describedAs(
                    "Size of the files of __consumer_offsets, when it is created; files that are full are compacted.");

    public static final ConfigKey<Integer> OFFSETS_LOAD_BUFFER_SIZE = ConfigKey.ofInt("offsets.load.buffer.size")
            .withDefault(5242880)
            .atLeast(1)
            .describedAs("Bytes that are read at a time from __consumer_offsets when groups are loaded after a start.");

    /** All of them, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(
            ConfigKey.ofInt("group.coordinator.threads")
                    .withDefault(4)
                    .atLeast(1)
                    .atMost(1024)
                    .describedAs(
                            "Threads that decide for groups; a group is with one of them. They begin when a client first uses a group."),
            ConfigKey.ofInt("group.coordinator.background.threads")
                    .withDefault(2)
                    .atLeast(1)
                    .atMost(1024)
                    .describedAs(
                            "Threads for what takes longer in groups: regular expressions of subscriptions, and assignments of large groups."),
            ConfigKey.ofInt("group.coordinator.append.linger.ms")
                    .withDefault(-1)
                    .atLeast(-1)
                    .describedAs(
                            "How long decisions are gathered before they are written to the offsets topic as one batch; -1 writes what came while the last batch was written."),
            ConfigKey.ofInt("group.coordinator.cached.buffer.max.bytes")
                    .withDefault(1048588)
                    .atLeast(524288)
                    .describedAs("Largest buffer for such a batch that is kept for the next one."),
            OFFSETS_TOPIC_PARTITIONS,
            OFFSETS_TOPIC_REPLICATION_FACTOR,
            OFFSETS_TOPIC_SEGMENT_BYTES,
            ConfigKey.ofInt("offsets.topic.compression.codec")
                    .withDefault(0)
                    .atLeast(0)
                    .atMost(4)
                    .describedAs(
                            "Compression of what is written to __consumer_offsets: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd."),
            OFFSETS_LOAD_BUFFER_SIZE,
            ConfigKey.ofInt("offsets.commit.timeout.ms")
                    .withDefault(5000)
                    .atLeast(1)
                    .describedAs(
                            "How long a change of a group may take until it is stored; after that the client is told so, and tries again."),
            ConfigKey.ofInt("offset.metadata.max.bytes")
                    .withDefault(4096)
                    .atLeast(0)
                    .describedAs("Largest text that may be kept with a committed offset."),
            ConfigKey.ofInt("offsets.retention.minutes")
                    .withDefault(10080)
                    .atLeast(1)
                    .describedAs(
                            "How long committed offsets are kept after a group has lost its last member, or, without members or subscription, after the commit."),
            ConfigKey.ofLong("offsets.retention.check.interval.ms")
                    .withDefault(600000L)
                    .atLeast(1)
                    .describedAs("How often offsets are looked through for those that are over their retention."),
            ConfigKey.ofInt("group.min.session.timeout.ms")
                    .withDefault(6000)
                    .atLeast(0)
                    .describedAs("Shortest session timeout that a member of a classic group may ask for."),
            ConfigKey.ofInt("group.max.session.timeout.ms")
                    .withDefault(1800000)
                    .atLeast(0)
                    .describedAs("Longest session timeout that a member of a classic group may ask for."),
            ConfigKey.ofInt("group.initial.rebalance.delay.ms")
                    .withDefault(3000)
                    .atLeast(0)
                    .describedAs(
                            "How long a new classic group waits for more members before partitions are given out for the first time. Lower it to begin sooner."),
            ConfigKey.ofInt("group.max.size")
                    .withDefault(Integer.MAX_VALUE)
                    .atLeast(1)
                    .describedAs("Members of a classic group; further ones are refused."),
            ConfigKey.ofInt("group.consumer.session.timeout.ms")
                    .withDefault(45000)
                    .atLeast(1)
                    .describedAs("A member of a consumer group that was not heard of for so long is taken for dead."),
            ConfigKey.ofInt("group.consumer.min.session.timeout.ms")
                    .withDefault(45000)
                    .atLeast(1)
                    .describedAs("Lower bound of consumer.session.timeout.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.consumer.max.session.timeout.ms")
                    .withDefault(60000)
                    .atLeast(1)
                    .describedAs("Upper bound of consumer.session.timeout.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.consumer.heartbeat.interval.ms")
                    .withDefault(5000)
                    .atLeast(1)
                    .describedAs("How often members of consumer groups are told to report."),
            ConfigKey.ofInt("group.consumer.min.heartbeat.interval.ms")
                    .withDefault(5000)
                    .atLeast(1)
                    .describedAs("Lower bound of consumer.heartbeat.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.consumer.max.heartbeat.interval.ms")
                    .withDefault(15000)
                    .atLeast(1)
                    .describedAs("Upper bound of consumer.heartbeat.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.consumer.max.size")
                    .withDefault(Integer.MAX_VALUE)
                    .atLeast(1)
                    .describedAs("Members of a consumer group; further ones are refused."),
            ConfigKey.ofList("group.consumer.assignors")
                    .withDefault(List.of("uniform", "range"))
                    .describedAs(
                            "Ways to give out the partitions of consumer groups, the default first: uniform, range, or a class on the class path that implements ConsumerGroupPartitionAssignor."),
            ConfigKey.ofString("group.consumer.migration.policy")
                    .withDefault("bidirectional")
                    .describedAs(
                            "Whether a group may change between the classic and the consumer protocol while it has members: bidirectional, upgrade, downgrade, disabled."),
            ConfigKey.ofInt("group.consumer.assignment.interval.ms")
                    .withDefault(1000)
                    .atLeast(0)
                    .describedAs("Shortest time between two assignments of a consumer group."),
            ConfigKey.ofInt("group.consumer.min.assignment.interval.ms")
                    .withDefault(0)
                    .atLeast(0)
                    .describedAs("Lower bound of consumer.assignment.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.consumer.max.assignment.interval.ms")
                    .withDefault(15000)
                    .atLeast(0)
                    .describedAs("Upper bound of consumer.assignment.interval.ms, which a group may set for itself."),
            ConfigKey.ofBoolean("group.consumer.assignor.offload.enable")
                    .withDefault(true)
                    .describedAs("Whether assignments of consumer groups are made on a background thread."),
            ConfigKey.ofInt("group.consumer.regex.refresh.interval.ms")
                    .withDefault(600000)
                    .atLeast(10000)
                    .describedAs(
                            "How often the topics that match the regular expressions of consumer groups are looked up again, beside when topics change."));

    private GroupKeys() {}
}
