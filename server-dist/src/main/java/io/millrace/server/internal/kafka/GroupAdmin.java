package io.millrace.server.internal.kafka;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Lists and describes groups of every protocol, resets and deletes those of Kafka consumers. */
public final class GroupAdmin implements AutoCloseable {
    private final KafkaCluster cluster;
    private final Admin admin;

    public GroupAdmin(KafkaCluster cluster) {
        this.cluster = cluster;
        this.admin = cluster.admin();
    }

    /**
     * A group.
     *
     * @param type classic, consumer, share or streams
     * @param state stable, empty, ...; empty text if the broker does not say
     */
    public record Summary(String group, String type, String state) {}

    /**
     * Where a group stands in a partition.
     *
     * @param offset of the record that it reads next, of a share group the first that is not done; empty while there is none
     * @param end where the next record will be written
     * @param lag how many records are still to be read; empty while there is no offset
     * @param member who reads it; empty if nobody does, or the group does not say
     */
    public record Position(
            String topic, int partition, Optional<Long> offset, long end, Optional<Long> lag, String member) {}

    /** A member and how many partitions it reads; one without any is idle. */
    public record Member(String id, String client, String host, int partitions) {}

    /** A group with all that is known of it. */
    public record Description(
            String group, String type, String state, List<Position> positions, List<Member> members) {}

    public List<Summary> list() throws InterruptedException {
        return cluster.await(admin.listGroups().all()).stream()
                .map(GroupAdmin::summary)
                .sorted(Comparator.comparing(Summary::group))
                .toList();
    }

    private static Summary summary(GroupListing listing) {
        return new Summary(
                listing.groupId(),
                listing.type().map(GroupAdmin::word).orElse(""),
                listing.groupState().map(GroupAdmin::word).orElse(""));
    }

    static String word(Enum<?> constant) {
        return constant.toString().toLowerCase(Locale.ROOT);
    }

    /**
     * Describes a group, of whatever protocol.
     *
     * @throws KafkaCallException if there is none
     */
    public Description describe(String group) throws InterruptedException {
        GroupType type = cluster.await(admin.listGroups().all()).stream()
                .filter(one -> one.groupId().equals(group))
                .findFirst()
                .flatMap(GroupListing::type)
                .orElse(GroupType.CONSUMER);
        GroupStanding standing = switch (type) {
            case SHARE -> GroupStanding.ofShareGroup(cluster, admin, group);
            case STREAMS -> GroupStanding.ofStreamsGroup(cluster, admin, group, committed(group));
            default -> GroupStanding.ofConsumers(cluster, admin, group, committed(group));
        };
        Map<TopicPartition, Long> ends = offsets(standing.partitions(), OffsetSpec.latest());
        List<Position> positions = standing.partitions().stream()
                .map(one -> standing.position(one, ends.getOrDefault(one, 0L)))
                .toList();
        return new Description(group, word(type), standing.state(), positions, standing.members());
    }

    private Map<TopicPartition, Long> committed(String group) throws InterruptedException {
        Map<TopicPartition, Long> offsets =
                new TreeMap<>(Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition));
        cluster.await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .forEach((partition, position) -> {
                    if (position != null) {
                        offsets.put(partition, position.offset());
                    }
                });
        return offsets;
    }

    private Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, OffsetSpec where)
            throws InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = partitions.stream().collect(Collectors.toMap(one -> one, one -> where));
        Map<TopicPartition, Long> found = new LinkedHashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> one :
                cluster.await(admin.listOffsets(asked).all()).entrySet()) {
            found.put(one.getKey(), one.getValue().offset());
        }
        return found;
    }

    /** Where a group is put. */
    public sealed interface Target {
        /** The oldest record that there is. */
        record Earliest() implements Target {}

        /** After the newest record. */
        record Latest() implements Target {}

        /** An offset, within what there is. */
        record Offset(long offset) implements Target {}

        /** So many records forward, or backward if negative. */
        record Shift(long records) implements Target {}

        /** The first record that is not older, in milliseconds since 1970. */
        record Time(long timestampMs) implements Target {}
    }

    /** How a partition's position changes. */
    public record Change(String topic, int partition, Optional<Long> from, long to) {}

    /**
     * Finds where a group would be put, and puts it there unless it is a rehearsal.
     *
     * @param topic the one topic; all that the group has positions in, if empty
     * @throws KafkaCallException if the group has members: their positions are their own
     */
    public List<Change> reset(String group, Optional<String> topic, Target target, boolean rehearse)
            throws InterruptedException {
        Map<TopicPartition, Long> before = committed(group);
        List<TopicPartition> partitions =
                topic.isPresent() ? partitionsOf(topic.get()) : new ArrayList<>(before.keySet());
        Map<TopicPartition, Long> after = positions(partitions, before, target);
        if (!rehearse && !after.isEmpty()) {
            Map<TopicPartition, OffsetAndMetadata> committed = after.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, one -> new OffsetAndMetadata(one.getValue())));
            cluster.await(admin.alterConsumerGroupOffsets(group, committed).all());
        }
        return after.entrySet().stream()
                .map(one -> new Change(
                        one.getKey().topic(),
                        one.getKey().partition(),
                        Optional.ofNullable(before.get(one.getKey())),
                        one.getValue()))
                .sorted(Comparator.comparing(Change::topic).thenComparingInt(Change::partition))
                .toList();
    }

    private List<TopicPartition> partitionsOf(String topic) throws InterruptedException {
        TopicDescription described;
        try {
            described = Objects.requireNonNull(
                    cluster.await(admin.describeTopics(List.of(topic)).allTopicNames())
                            .get(topic));
        } catch (KafkaCallException failed) {
            throw failed.getCause() instanceof UnknownTopicOrPartitionException
                    ? new KafkaCallException(cluster.servers() + ": there is no topic " + topic, failed)
                    : failed;
        }
        return described.partitions().stream()
                .map(one -> new TopicPartition(topic, one.partition()))
                .toList();
    }

    private Map<TopicPartition, Long> positions(
            List<TopicPartition> partitions, Map<TopicPartition, Long> before, Target target)
            throws InterruptedException {
        Map<TopicPartition, Long> starts = offsets(partitions, OffsetSpec.earliest());
        Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest());
        Map<TopicPartition, Long> wanted = switch (target) {
            case Target.Earliest() -> starts;
            case Target.Latest() -> ends;
            case Target.Offset(long offset) -> partitions.stream().collect(Collectors.toMap(one -> one, one -> offset));
            case Target.Shift(long records) ->
                partitions.stream()
                        .collect(Collectors.toMap(
                                one -> one, one -> before.getOrDefault(one, starts.getOrDefault(one, 0L)) + records));
            case Target.Time(long timestampMs) -> offsets(partitions, OffsetSpec.forTimestamp(timestampMs));
        };
        Map<TopicPartition, Long> within = new LinkedHashMap<>();
        for (TopicPartition one : partitions) {
            long start = starts.getOrDefault(one, 0L);
            long end = ends.getOrDefault(one, start);
            long at = wanted.getOrDefault(one, end);
            // No record is as young as that: the next one will be.
            within.put(
                    one, at < 0 && target instanceof Target.Time ? end : Math.clamp(at, start, Math.max(start, end)));
        }
        return within;
    }

    /**
     * Deletes a group with its positions.
     *
     * @throws KafkaCallException if there is none, or it has members
     */
    public void delete(String group) throws InterruptedException {
        cluster.await(admin.deleteConsumerGroups(List.of(group)).all());
    }

    @Override
    public void close() {
        admin.close();
    }
}
