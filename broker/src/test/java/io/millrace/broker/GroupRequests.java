package io.millrace.broker;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.jspecify.annotations.Nullable;

/** The requests of a group's script: one method for each, from words to what Kafka's coordinator takes, and its answer as text. */
final class GroupRequests {

    private final GroupCoordinator coordinator;
    private final Function<String, Uuid> topicIds;

    GroupRequests(GroupCoordinator coordinator, Function<String, Uuid> topicIds) {
        this.coordinator = coordinator;
        this.topicIds = topicIds;
    }

    static AuthorizableRequestContext client(ApiKeys key, String clientId) {
        return new RequestContext(
                new RequestHeader(key, key.latestVersion(), clientId, 1),
                "1",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                new ListenerName("PLAINTEXT"),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false);
    }

    CompletionStage<String> ask(GroupCommand command) {
        CompletionStage<?> answer = switch (command.verb()) {
            case "join" -> join(command);
            case "sync" -> sync(command);
            case "heartbeat" -> heartbeat(command);
            case "leave" -> leave(command);
            case "commit" -> commit(command);
            case "fetch" -> fetch(command);
            case "forget" -> forget(command);
            case "describe" ->
                coordinator.describeGroups(client(ApiKeys.DESCRIBE_GROUPS, "admin"), List.of(command.text("group")));
            case "list" -> coordinator.listGroups(client(ApiKeys.LIST_GROUPS, "admin"), new ListGroupsRequestData());
            case "delete" ->
                coordinator.deleteGroups(
                        client(ApiKeys.DELETE_GROUPS, "admin"), command.list("groups"), BufferSupplier.NO_CACHING);
            case "consumer" -> consumer(command);
            case "describe-consumer" ->
                coordinator.consumerGroupDescribe(
                        client(ApiKeys.CONSUMER_GROUP_DESCRIBE, "admin"), List.of(command.text("group")));
            case "streams" -> streams(command);
            case "share" -> share(command);
            case "share-offsets" -> shareOffsets(command);
            case "alter-share" -> alterShare(command);
            case "forget-share" -> forgetShare(command);
            default -> throw new IllegalArgumentException("unknown verb " + command.verb());
        };
        return answer.handle((done, failure) -> failure == null ? String.valueOf(done) : failure.toString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static @Nullable String orNull(GroupCommand command, String key) {
        return command.arguments().get(key);
    }

    private CompletionStage<?> join(GroupCommand command) {
        JoinGroupRequestData data = new JoinGroupRequestData()
                .setGroupId(command.text("group"))
                .setMemberId(command.text("member"))
                .setGroupInstanceId(orNull(command, "instance"))
                .setSessionTimeoutMs(command.number("session", 10_000))
                .setRebalanceTimeoutMs(command.number("rebalance", 30_000))
                .setProtocolType(command.text("type", "consumer"));
        for (String protocol : command.list("protocols")) {
            data.protocols()
                    .add(new JoinGroupRequestProtocol().setName(protocol).setMetadata(bytes("knows " + protocol)));
        }
        return coordinator.joinGroup(
                client(ApiKeys.JOIN_GROUP, command.text("client", "c")), data, BufferSupplier.NO_CACHING);
    }

    private CompletionStage<?> sync(GroupCommand command) {
        SyncGroupRequestData data = new SyncGroupRequestData()
                .setGroupId(command.text("group"))
                .setMemberId(command.text("member"))
                .setGroupInstanceId(orNull(command, "instance"))
                .setGenerationId(command.number("generation", 0))
                .setProtocolType(command.text("type", "consumer"))
                .setProtocolName(command.text("protocol", "range"));
        for (String assignment : command.list("gives")) {
            int colon = assignment.lastIndexOf(':');
            data.assignments()
                    .add(new SyncGroupRequestData.SyncGroupRequestAssignment()
                            .setMemberId(assignment.substring(0, colon))
                            .setAssignment(bytes(assignment.substring(colon + 1))));
        }
        return coordinator.syncGroup(client(ApiKeys.SYNC_GROUP, "c"), data, BufferSupplier.NO_CACHING);
    }

    private CompletionStage<?> heartbeat(GroupCommand command) {
        return coordinator.heartbeat(
                client(ApiKeys.HEARTBEAT, "c"),
                new HeartbeatRequestData()
                        .setGroupId(command.text("group"))
                        .setMemberId(command.text("member"))
                        .setGroupInstanceId(orNull(command, "instance"))
                        .setGenerationId(command.number("generation", 0)));
    }

    private CompletionStage<?> leave(GroupCommand command) {
        LeaveGroupRequestData data = new LeaveGroupRequestData().setGroupId(command.text("group"));
        for (String member : command.list("members")) {
            data.members().add(new LeaveGroupRequestData.MemberIdentity().setMemberId(member));
        }
        for (String instance : command.list("instances")) {
            data.members().add(new LeaveGroupRequestData.MemberIdentity().setGroupInstanceId(instance));
        }
        return coordinator.leaveGroup(client(ApiKeys.LEAVE_GROUP, "c"), data);
    }

    /** Partitions written as {@code topic-partition:rest}, by topic. */
    private static Map<String, List<String[]>> byTopic(List<String> partitions) {
        Map<String, List<String[]>> topics = new LinkedHashMap<>();
        for (String partition : partitions) {
            String[] fields = partition.split(":", -1);
            int dash = fields[0].lastIndexOf('-');
            List<String> rest = new ArrayList<>(List.of(fields));
            rest.set(0, fields[0].substring(dash + 1));
            topics.computeIfAbsent(fields[0].substring(0, dash), topic -> new ArrayList<>())
                    .add(rest.toArray(String[]::new));
        }
        return topics;
    }

    private CompletionStage<?> commit(GroupCommand command) {
        OffsetCommitRequestData data = new OffsetCommitRequestData()
                .setGroupId(command.text("group"))
                .setMemberId(command.text("member"))
                .setGenerationIdOrMemberEpoch(command.number("generation", -1));
        byTopic(command.list("offsets")).forEach((topic, partitions) -> {
            OffsetCommitRequestData.OffsetCommitRequestTopic commits =
                    new OffsetCommitRequestData.OffsetCommitRequestTopic()
                            .setName(topic)
                            .setTopicId(topicIds.apply(topic));
            for (String[] fields : partitions) {
                commits.partitions()
                        .add(new OffsetCommitRequestData.OffsetCommitRequestPartition()
                                .setPartitionIndex(Integer.parseInt(fields[0]))
                                .setCommittedOffset(Long.parseLong(fields[1]))
                                .setCommittedMetadata(fields.length > 2 ? fields[2] : ""));
            }
            data.topics().add(commits);
        });
        return coordinator.commitOffsets(client(ApiKeys.OFFSET_COMMIT, "c"), data, BufferSupplier.NO_CACHING);
    }

    private CompletionStage<?> fetch(GroupCommand command) {
        OffsetFetchRequestData.OffsetFetchRequestGroup data = new OffsetFetchRequestData.OffsetFetchRequestGroup()
                .setGroupId(command.text("group"))
                .setMemberId(orNull(command, "member"))
                .setMemberEpoch(command.number("epoch", -1))
                .setTopics(null);
        if (command.arguments().containsKey("partitions")) {
            data.setTopics(new ArrayList<>());
            byTopic(command.list("partitions"))
                    .forEach((topic, partitions) -> data.topics()
                            .add(new OffsetFetchRequestData.OffsetFetchRequestTopics()
                                    .setName(topic)
                                    .setPartitionIndexes(partitions.stream()
                                            .map(fields -> Integer.valueOf(fields[0]))
                                            .toList())));
        }
        return coordinator.fetchOffsets(client(ApiKeys.OFFSET_FETCH, "c"), data, false);
    }

    private CompletionStage<?> forget(GroupCommand command) {
        OffsetDeleteRequestData data = new OffsetDeleteRequestData().setGroupId(command.text("group"));
        byTopic(command.list("partitions"))
                .forEach((topic, partitions) -> data.topics()
                        .add(new OffsetDeleteRequestData.OffsetDeleteRequestTopic()
                                .setName(topic)
                                .setPartitions(partitions.stream()
                                        .map(fields -> new OffsetDeleteRequestData.OffsetDeleteRequestPartition()
                                                .setPartitionIndex(Integer.parseInt(fields[0])))
                                        .toList())));
        return coordinator.deleteOffsets(client(ApiKeys.OFFSET_DELETE, "admin"), data, BufferSupplier.NO_CACHING);
    }

    private CompletionStage<?> consumer(GroupCommand command) {
        ConsumerGroupHeartbeatRequestData data = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(command.text("group"))
                .setMemberId(command.text("member"))
                .setMemberEpoch(command.number("epoch", 0))
                .setInstanceId(orNull(command, "instance"))
                .setServerAssignor(orNull(command, "assignor"))
                .setSubscribedTopicRegex(orNull(command, "regex"));
        if (command.number("epoch", 0) == 0) {
            data.setRebalanceTimeoutMs(command.number("rebalance", 30_000)).setTopicPartitions(List.of());
        }
        if (command.arguments().containsKey("topics")) {
            data.setSubscribedTopicNames(command.list("topics"));
        }
        if (command.arguments().containsKey("owns")) {
            data.setTopicPartitions(new ArrayList<>());
            byTopic(command.list("owns"))
                    .forEach((topic, partitions) -> data.topicPartitions()
                            .add(new ConsumerGroupHeartbeatRequestData.TopicPartitions()
                                    .setTopicId(topicIds.apply(topic))
                                    .setPartitions(partitions.stream()
                                            .map(fields -> Integer.valueOf(fields[0]))
                                            .toList())));
        }
        return coordinator.consumerGroupHeartbeat(
                client(ApiKeys.CONSUMER_GROUP_HEARTBEAT, command.text("client", "c")), data);
    }

    /** A topology of one subtopology that reads the topics given, with a changelog topic where one is named. */
    private CompletionStage<?> streams(GroupCommand command) {
        StreamsGroupHeartbeatRequestData data = new StreamsGroupHeartbeatRequestData()
                .setGroupId(command.text("group"))
                .setMemberId(command.text("member"))
                .setMemberEpoch(command.number("epoch", 0));
        if (command.number("epoch", 0) == 0) {
            StreamsGroupHeartbeatRequestData.Subtopology subtopology =
                    new StreamsGroupHeartbeatRequestData.Subtopology()
                            .setSubtopologyId("0")
                            .setSourceTopics(command.list("topics"));
            for (String changelog : command.list("changelogs")) {
                subtopology
                        .stateChangelogTopics()
                        .add(new StreamsGroupHeartbeatRequestData.TopicInfo().setName(changelog));
            }
            data.setRebalanceTimeoutMs(command.number("rebalance", 30_000))
                    .setProcessId(command.text("process", "p"))
                    .setActiveTasks(List.of())
                    .setStandbyTasks(List.of())
                    .setWarmupTasks(List.of())
                    .setClientTags(List.of())
                    .setTopology(new StreamsGroupHeartbeatRequestData.Topology()
                            .setEpoch(0)
                            .setSubtopologies(List.of(subtopology)));
        }
        if (command.arguments().containsKey("owns")) {
            data.setActiveTasks(List.of(new StreamsGroupHeartbeatRequestData.TaskIds()
                            .setSubtopologyId("0")
                            .setPartitions(command.list("owns").stream()
                                    .map(Integer::valueOf)
                                    .toList())))
                    .setStandbyTasks(List.of())
                    .setWarmupTasks(List.of());
        }
        return coordinator
                .streamsGroupHeartbeat(client(ApiKeys.STREAMS_GROUP_HEARTBEAT, "c"), data)
                .thenApply(result -> result.creatableTopics().isEmpty()
                        ? result.data()
                        : result.data() + " wants topics "
                                + result.creatableTopics().keySet());
    }

    private CompletionStage<?> share(GroupCommand command) {
        ShareGroupHeartbeatRequestData data = new ShareGroupHeartbeatRequestData()
                .setGroupId(command.text("group"))
                .setMemberId(command.text("member"))
                .setMemberEpoch(command.number("epoch", 0));
        if (command.arguments().containsKey("topics")) {
            data.setSubscribedTopicNames(command.list("topics"));
        }
        return coordinator.shareGroupHeartbeat(client(ApiKeys.SHARE_GROUP_HEARTBEAT, "c"), data);
    }

    private CompletionStage<?> shareOffsets(GroupCommand command) {
        return coordinator.describeShareGroupAllOffsets(
                client(ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS, "admin"),
                new DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup()
                        .setGroupId(command.text("group"))
                        .setTopics(null));
    }

    private CompletionStage<?> alterShare(GroupCommand command) {
        AlterShareGroupOffsetsRequestData data =
                new AlterShareGroupOffsetsRequestData().setGroupId(command.text("group"));
        byTopic(command.list("offsets"))
                .forEach((topic, partitions) -> data.topics()
                        .add(new AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic()
                                .setTopicName(topic)
                                .setPartitions(partitions.stream()
                                        .map(fields ->
                                                new AlterShareGroupOffsetsRequestData
                                                                .AlterShareGroupOffsetsRequestPartition()
                                                        .setPartitionIndex(Integer.parseInt(fields[0]))
                                                        .setStartOffset(Long.parseLong(fields[1])))
                                        .toList())));
        return coordinator.alterShareGroupOffsets(
                client(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, "admin"), command.text("group"), data);
    }

    private CompletionStage<?> forgetShare(GroupCommand command) {
        return coordinator.deleteShareGroupOffsets(
                client(ApiKeys.DELETE_SHARE_GROUP_OFFSETS, "admin"),
                new DeleteShareGroupOffsetsRequestData()
                        .setGroupId(command.text("group"))
                        .setTopics(command.list("topics").stream()
                                .map(topic ->
                                        new DeleteShareGroupOffsetsRequestData.DeleteShareGroupOffsetsRequestTopic()
                                                .setTopicName(topic))
                                .toList()));
    }
}
