package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import java.util.List;

/** The settings of Streams groups, under the names of Kafka 4.4. */
public final class StreamsGroupKeys {

    /** All of them, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(
            ConfigKey.ofInt("group.streams.session.timeout.ms")
                    .withDefault(45000)
                    .atLeast(1)
                    .describedAs("A member of a Streams group that was not heard of for so long is taken for dead."),
            ConfigKey.ofInt("group.streams.min.session.timeout.ms")
                    .withDefault(45000)
                    .atLeast(1)
                    .describedAs("Lower bound of streams.session.timeout.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.streams.max.session.timeout.ms")
                    .withDefault(60000)
                    .atLeast(1)
                    .describedAs("Upper bound of streams.session.timeout.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.streams.heartbeat.interval.ms")
                    .withDefault(5000)
                    .atLeast(1)
                    .describedAs("How often members of Streams groups are told to report."),
            ConfigKey.ofInt("group.streams.min.heartbeat.interval.ms")
                    .withDefault(5000)
                    .atLeast(1)
                    .describedAs("Lower bound of streams.heartbeat.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.streams.max.heartbeat.interval.ms")
                    .withDefault(15000)
                    .atLeast(1)
                    .describedAs("Upper bound of streams.heartbeat.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.streams.max.size")
                    .withDefault(Integer.MAX_VALUE)
                    .atLeast(1)
                    .describedAs("Members of a Streams group; further ones are refused."),
            ConfigKey.ofInt("group.streams.num.standby.replicas")
                    .withDefault(0)
                    .atLeast(0)
                    .describedAs("Standby copies of each stateful task of a Streams group."),
            ConfigKey.ofInt("group.streams.max.standby.replicas")
                    .withDefault(2)
                    .atLeast(0)
                    .describedAs("Upper bound of streams.num.standby.replicas, which a group may set for itself."),
            ConfigKey.ofInt("group.streams.initial.rebalance.delay.ms")
                    .withDefault(3000)
                    .atLeast(0)
                    .describedAs(
                            "How long a new Streams group waits for more members before tasks are given out for the first time."),
            ConfigKey.ofInt("group.streams.assignment.interval.ms")
                    .withDefault(1000)
                    .atLeast(0)
                    .describedAs("Shortest time between two assignments of a Streams group."),
            ConfigKey.ofInt("group.streams.min.assignment.interval.ms")
                    .withDefault(0)
                    .atLeast(0)
                    .describedAs("Lower bound of streams.assignment.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.streams.max.assignment.interval.ms")
                    .withDefault(15000)
                    .atLeast(0)
                    .describedAs("Upper bound of streams.assignment.interval.ms, which a group may set for itself."),
            ConfigKey.ofList("group.streams.assignors")
                    .withDefault(List.of("sticky"))
                    .describedAs(
                            "Ways to give out the tasks of Streams groups, the default first: sticky, or a class on the class path that implements TaskAssignor."),
            ConfigKey.ofBoolean("group.streams.assignor.offload.enable")
                    .withDefault(true)
                    .describedAs("Whether assignments of Streams groups are made on a background thread."),
            ConfigKey.ofInt("group.streams.task.offset.interval.ms")
                    .withDefault(60000)
                    .atLeast(1)
                    .describedAs("How often members of Streams groups report how far their copies of state are."),
            ConfigKey.ofInt("group.streams.min.task.offset.interval.ms")
                    .withDefault(15000)
                    .atLeast(1)
                    .describedAs("Lower bound of streams.task.offset.interval.ms, which a group may set for itself."),
            ConfigKey.ofInt("group.streams.num.warmup.replicas")
                    .withDefault(2)
                    .atLeast(0)
                    .describedAs("Copies of state that are made ready before a task moves, at most at a time."),
            ConfigKey.ofInt("group.streams.max.warmup.replicas")
                    .withDefault(20)
                    .atLeast(0)
                    .describedAs("Upper bound of streams.num.warmup.replicas, which a group may set for itself."),
            ConfigKey.ofLong("group.streams.acceptable.recovery.lag")
                    .withDefault(10000L)
                    .atLeast(0)
                    .describedAs(
                            "Records by which a copy of state may lag behind and still count as ready to take over."),
            ConfigKey.ofList("group.streams.rack.aware.assignment.tags")
                    .withDefault(List.of())
                    .describedAs("Client tags over which standby copies are spread, as far as possible."),
            ConfigKey.ofString("group.streams.topology.description.plugin.class")
                    .withoutDefault("none")
                    .describedAs(
                            "Class on the class path that implements StreamsGroupTopologyDescriptionPlugin and keeps the descriptions of topologies that Streams clients send; without one they are not kept."));

    private StreamsGroupKeys() {}
}
