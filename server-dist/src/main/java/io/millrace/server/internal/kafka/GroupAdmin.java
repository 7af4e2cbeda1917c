package io.millrace.server.internal.kafka;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Lists, describes, resets and deletes groups of Kafka consumers. */
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
     * @param offset of the record that it reads next; empty while it committed none
     * @param end where the next record will be written
     * @param member who reads it; empty if nobody does
     */
    public record Position(String topic, int partition, Optional<Long> offset, long end, String member) {
        /** Returns how many records are still to be read, or empty while the group committed nothing. */
        public Optional<Long> lag() {
            return offset.map(at -> Math.max(0, end - at));
        }
    }

    /** A member and how many partitions it reads; one without any is idle. */
    public record Member(String id, String client, String host, int partitions) {}

    /** A group with all that is known of it. */
    public record Description(String group, String state, List<Position> positions, List<Member> members) {}

    public List<Summary> list() throws InterruptedException {
        return cluster.await(admin.listGroups().all()).stream()
                .map(GroupAdmin::summary)
                .sorted(Comparator.comparing(Summary::group))
                .toList();
    }

    private static Summary summary(GroupListing listing) {
        return new Summary(
                listing.groupId(),
                listing.type()
                        .map(type -> type.toString().toLowerCase(Locale.ROOT))
                        .orElse(""),
                listing.groupState()
                        .map(state -> state.toString().toLowerCase(Locale.ROOT))
                        .orElse(""));
    }

    /**
     * Describes a group.
     *
     * @throws KafkaCallException if there is none
     */
    public Description describe(String group) throws InterruptedException {
        ConsumerGroupDescription found = Objects.requireNonNull(
                cluster.await(admin.describeConsumerGroups(List.of(group)).all())
                        .get(group));
        Map<TopicPartition, String> readers = new HashMap<>();
        List<Member> members = new ArrayList<>();
        for (MemberDescription member : found.members()) {
            members.add(new Member(
                    member.consumerId(),
                    member.clientId(),
                    member.host(),
                    member.assignment().topicPartitions().size()));
            member.assignment().topicPartitions().forEach(one -> readers.put(one, member.consumerId()));
        }
        Map<TopicPartition, Long> offsets = committed(group);
        List<TopicPartition> all = new ArrayList<>(readers.keySet());
        offsets.keySet().stream().filter(one -> !readers.containsKey(one)).forEach(all::add);
        Map<TopicPartition, Long> ends = offsets(all, OffsetSpec.latest());
        List<Position> positions = all.stream()
                .sorted(Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition))
                .map(one -> new Position(
                        one.topic(),
                        one.partition(),
                        Optional.ofNullable(offsets.get(one)),
                        ends.getOrDefault(one, 0L),
                        readers.getOrDefault(one, "")))
                .toList();
        members.sort(Comparator.comparing(Member::id));
        return new Description(group, found.groupState().toString().toLowerCase(Locale.ROOT), positions, members);
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
        return Objects.requireNonNull(
                        cluster.await(admin.describeTopics(List.of(topic)).allTopicNames())
                                .get(topic))
                .partitions()
                .stream()
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
