package io.millrace.server.internal.kafka;

import io.millrace.server.internal.kafka.GroupAdmin.Member;
import io.millrace.server.internal.kafka.GroupAdmin.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ShareGroupDescription;
import org.apache.kafka.clients.admin.StreamsGroupDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a group stands, whatever its protocol calls it.
 *
 * @param readers who reads a partition; a share group has several
 * @param lags as the group counts them; else the distance to the end
 */
record GroupStanding(
        String state,
        List<Member> members,
        Map<TopicPartition, String> readers,
        Map<TopicPartition, Long> offsets,
        Map<TopicPartition, Long> lags) {

    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    static GroupStanding ofConsumers(
            KafkaCluster cluster, Admin admin, String group, Map<TopicPartition, Long> committed)
            throws InterruptedException {
        ConsumerGroupDescription found = Objects.requireNonNull(
                cluster.await(admin.describeConsumerGroups(List.of(group)).all())
                        .get(group));
        List<Member> members = new ArrayList<>();
        Map<TopicPartition, String> readers = new HashMap<>();
        found.members().forEach(one -> {
            Collection<TopicPartition> read = one.assignment().topicPartitions();
            members.add(new Member(one.consumerId(), one.clientId(), one.host(), read.size()));
            read.forEach(partition -> readers.put(partition, one.consumerId()));
        });
        return of(found.groupState(), members, readers, committed, Map.of());
    }

    static GroupStanding ofShareGroup(KafkaCluster cluster, Admin admin, String group) throws InterruptedException {
        ShareGroupDescription found = Objects.requireNonNull(
                cluster.await(admin.describeShareGroups(List.of(group)).all()).get(group));
        List<Member> members = new ArrayList<>();
        Map<TopicPartition, String> readers = new HashMap<>();
        found.members().forEach(one -> {
            Collection<TopicPartition> read = one.assignment().topicPartitions();
            members.add(new Member(one.consumerId(), one.clientId(), one.host(), read.size()));
            read.forEach(partition ->
                    readers.merge(partition, one.consumerId(), (before, another) -> before + "," + another));
        });
        Map<TopicPartition, Long> offsets = new HashMap<>();
        Map<TopicPartition, Long> lags = new HashMap<>();
        cluster.await(admin.listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
                        .partitionsToOffsetInfo(group))
                .forEach((partition, position) -> {
                    if (position != null) {
                        offsets.put(partition, position.startOffset());
                        position.lag().ifPresent(lag -> lags.put(partition, lag));
                    }
                });
        return of(found.groupState(), members, readers, offsets, lags);
    }

    /** Members of a Streams group have tasks of its topology, which are not told as partitions of topics. */
    static GroupStanding ofStreamsGroup(
            KafkaCluster cluster, Admin admin, String group, Map<TopicPartition, Long> committed)
            throws InterruptedException {
        StreamsGroupDescription found = Objects.requireNonNull(
                cluster.await(admin.describeStreamsGroups(List.of(group)).all()).get(group));
        List<Member> members = found.members().stream()
                .map(one -> new Member(
                        one.memberId(),
                        one.clientId(),
                        one.clientHost(),
                        one.assignment().activeTasks().stream()
                                .mapToInt(tasks -> tasks.partitions().size())
                                .sum()))
                .toList();
        return of(found.groupState(), members, Map.of(), committed, Map.of());
    }

    private static GroupStanding of(
            Enum<?> state,
            List<Member> members,
            Map<TopicPartition, String> readers,
            Map<TopicPartition, Long> offsets,
            Map<TopicPartition, Long> lags) {
        return new GroupStanding(
                GroupAdmin.word(state),
                members.stream().sorted(Comparator.comparing(Member::id)).toList(),
                readers,
                offsets,
                lags);
    }

    /** Returns all partitions that somebody reads or the group has an offset in, in order. */
    List<TopicPartition> partitions() {
        TreeSet<TopicPartition> all = new TreeSet<>(ORDER);
        all.addAll(readers.keySet());
        all.addAll(offsets.keySet());
        return List.copyOf(all);
    }

    /** @param end where the partition's next record will be written */
    Position position(TopicPartition partition, long end) {
        Optional<Long> offset = Optional.ofNullable(offsets.get(partition));
        return new Position(
                partition.topic(),
                partition.partition(),
                offset,
                end,
                Optional.ofNullable(lags.get(partition)).or(() -> offset.map(at -> Math.max(0, end - at))),
                readers.getOrDefault(partition, ""));
    }
}
