package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import java.util.List;

/** The settings of share groups, under the names of Kafka 4.4. */
public final class ShareGroupKeys {

    public static final ConfigKey<Boolean> DEAD_LETTER_AUTO_CREATE = ConfigKey.ofBoolean(
                    "errors.deadletterqueue.auto.create.topics.enable")
            .withDefault(false)
            .describedAs("Whether the topic that a share group names for records that it gives up is created at need.");

    public static final ConfigKey<String> DEAD_LETTER_PREFIX = ConfigKey.ofString(
                    "errors.deadletterqueue.topic.name.prefix")
            .withDefault("dlq.")
            .describedAs("How the names of such topics must begin; nothing for any name.");

    public static final ConfigKey<Boolean> DEAD_LETTER_TOPIC = ConfigKey.ofBoolean(
                    "errors.deadletterqueue.group.enable")
            .withDefault(false)
            .perDestination("errors.deadletterqueue.group.enable")
            .describedAs(
                    "Whether share groups may have dead letters written to this topic: nobody shall write where only its owners should, by"
                            + " having records rejected.");

    /** All of them, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(
            ConfigKey.ofInt("group.share.session.timeout.ms")
                    .withDefault(45000)
                    .atLeast(1)
                    .describedAs("A member of a share group that was not heard of for so long is taken for dead."),
            ConfigKey.ofInt("group.share.min.session.timeout.ms")
                    .withDefault(45000)
                    .atLeast(1)
                    .describedAs("Lower bound of share.session.timeout.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.share.max.session.timeout.ms")
                    .withDefault(60000)
                    .atLeast(1)
                    .describedAs("Upper bound of share.session.timeout.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.share.heartbeat.interval.ms")
                    .withDefault(5000)
                    .atLeast(1)
                    .describedAs("How often members of share groups are told to report."),
            ConfigKey.ofInt("group.share.min.heartbeat.interval.ms")
                    .withDefault(5000)
                    .atLeast(1)
                    .describedAs("Lower bound of share.heartbeat.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.share.max.heartbeat.interval.ms")
                    .withDefault(15000)
                    .atLeast(1)
                    .describedAs("Upper bound of share.heartbeat.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.share.max.size")
                    .withDefault(200)
                    .atLeast(1)
                    .atMost(1000)
                    .describedAs("Members of a share group; further ones are refused."),
            ConfigKey.ofList("group.share.assignors")
                    .withDefault(List.of("simple"))
                    .describedAs(
                            "How partitions are given to the members of share groups: simple, or a class on the class path that implements ShareGroupPartitionAssignor."),
            ConfigKey.ofInt("group.share.assignment.interval.ms")
                    .withDefault(1000)
                    .atLeast(0)
                    .describedAs("Shortest time between two assignments of a share group."),
            ConfigKey.ofInt("group.share.min.assignment.interval.ms")
                    .withDefault(0)
                    .atLeast(0)
                    .describedAs("Lower bound of share.assignment.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.share.max.assignment.interval.ms")
                    .withDefault(15000)
                    .atLeast(0)
                    .describedAs("Upper bound of share.assignment.interval.ms, which a group may set for itself."),
            ConfigKey.ofBoolean("group.share.assignor.offload.enable")
                    .withDefault(true)
                    .describedAs("Whether assignments of share groups are made on a background thread."),
            ConfigKey.ofInt("group.share.initialize.retry.interval.ms")
                    .withDefault(30000)
                    .atLeast(1)
                    .describedAs(
                            "After how long the start of a share group on a partition is tried again when it was not heard of."),
            ConfigKey.ofInt("group.share.delivery.count.limit")
                    .withDefault(5)
                    .atLeast(2)
                    .atMost(10)
                    .describedAs("How often a record is delivered to a share group until it is given up."),
            ConfigKey.ofInt("group.share.max.delivery.count.limit")
                    .withDefault(10)
                    .atLeast(5)
                    .atMost(25)
                    .describedAs("Upper bound of share.delivery.count.limit, which a group may set for itself."),
            ConfigKey.ofInt("group.share.min.delivery.count.limit")
                    .withDefault(2)
                    .atLeast(2)
                    .atMost(5)
                    .describedAs("Lower bound of share.delivery.count.limit, which a group may set for itself."),
            ConfigKey.ofInt("group.share.record.lock.duration.ms")
                    .withDefault(30000)
                    .atLeast(1000)
                    .atMost(3600000)
                    .describedAs("How long a member of a share group may keep a record before it goes to others."),
            ConfigKey.ofInt("group.share.min.record.lock.duration.ms")
                    .withDefault(15000)
                    .atLeast(1000)
                    .atMost(30000)
                    .describedAs("Lower bound of share.record.lock.duration.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.share.max.record.lock.duration.ms")
                    .withDefault(60000)
                    .atLeast(30000)
                    .atMost(3600000)
                    .describedAs("Upper bound of share.record.lock.duration.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.share.partition.max.record.locks")
                    .withDefault(2000)
                    .atLeast(100)
                    .atMost(10000)
                    .describedAs("Records of a partition that may be with members of a share group at a time."),
            ConfigKey.ofInt("group.share.max.partition.max.record.locks")
                    .withDefault(4000)
                    .atLeast(2000)
                    .atMost(10000)
                    .describedAs("Upper bound of share.partition.max.record.locks, which a group may set for itself."),
            ConfigKey.ofInt("group.share.min.partition.max.record.locks")
                    .withDefault(100)
                    .atLeast(100)
                    .atMost(2000)
                    .describedAs("Lower bound of share.partition.max.record.locks, which a group may set for itself."),
            ConfigKey.ofInt("group.share.max.share.sessions")
                    .withDefault(2000)
                    .atLeast(1)
                    .describedAs("Share sessions of the broker, one for each member that fetches."),
            DEAD_LETTER_AUTO_CREATE,
            DEAD_LETTER_PREFIX,
            DEAD_LETTER_TOPIC);

    private ShareGroupKeys() {}
}
