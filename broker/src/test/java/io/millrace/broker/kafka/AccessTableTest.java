package io.millrace.broker.kafka;

import static io.millrace.coordinator.access.AclOperation.ALTER;
import static io.millrace.coordinator.access.AclOperation.ALTER_CONFIGS;
import static io.millrace.coordinator.access.AclOperation.CLUSTER_ACTION;
import static io.millrace.coordinator.access.AclOperation.CREATE;
import static io.millrace.coordinator.access.AclOperation.DELETE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE_CONFIGS;
import static io.millrace.coordinator.access.AclOperation.IDEMPOTENT_WRITE;
import static io.millrace.coordinator.access.AclOperation.READ;
import static io.millrace.coordinator.access.AclOperation.WRITE;
import static io.millrace.coordinator.access.AclResourceType.CLUSTER;
import static io.millrace.coordinator.access.AclResourceType.GROUP;
import static io.millrace.coordinator.access.AclResourceType.TOPIC;
import static io.millrace.coordinator.access.AclResourceType.TRANSACTIONAL_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Administrator;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatRequest;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each kind of request needs, compared with the table "Operations and Resources on Protocols" of Kafka's documentation: without a right it is
 * denied, with exactly these it is not. A kind that is offered and not in the table fails.
 */
class AccessTableTest {

    private static final String NAME = "filled";
    private static final Set<Errors> DENIALS = EnumSet.of(
            Errors.TOPIC_AUTHORIZATION_FAILED,
            Errors.GROUP_AUTHORIZATION_FAILED,
            Errors.CLUSTER_AUTHORIZATION_FAILED,
            Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);

    /** Need nothing, or show what somebody may see. */
    private static final Set<ApiKeys> FREE = EnumSet.of(
            ApiKeys.API_VERSIONS,
            ApiKeys.SASL_HANDSHAKE,
            ApiKeys.SASL_AUTHENTICATE,
            ApiKeys.DESCRIBE_CLUSTER,
            ApiKeys.LIST_GROUPS,
            ApiKeys.LIST_TRANSACTIONS);

    private record Right(AclOperation operation, AclResourceType type) {}

    private static Right topic(AclOperation operation) {
        return new Right(operation, TOPIC);
    }

    private static Right group(AclOperation operation) {
        return new Right(operation, GROUP);
    }

    private static Right cluster(AclOperation operation) {
        return new Right(operation, CLUSTER);
    }

    private static Right transactionalId(AclOperation operation) {
        return new Right(operation, TRANSACTIONAL_ID);
    }

    private static final Map<ApiKeys, List<List<Right>>> NEEDED = Map.ofEntries(
            // Each list is one way to be allowed.
            Map.entry(ApiKeys.PRODUCE, List.of(List.of(topic(WRITE)))),
            Map.entry(ApiKeys.FETCH, List.of(List.of(topic(READ)))),
            Map.entry(ApiKeys.LIST_OFFSETS, List.of(List.of(topic(DESCRIBE)), List.of(topic(READ)))),
            Map.entry(
                    ApiKeys.METADATA,
                    List.of(
                            List.of(topic(DESCRIBE)),
                            List.of(topic(READ)),
                            List.of(topic(WRITE)),
                            List.of(topic(DELETE)),
                            List.of(topic(ALTER)))),
            Map.entry(ApiKeys.OFFSET_COMMIT, List.of(List.of(group(READ), topic(READ)))),
            Map.entry(ApiKeys.OFFSET_FETCH, List.of(List.of(group(DESCRIBE), topic(DESCRIBE)))),
            Map.entry(ApiKeys.FIND_COORDINATOR, List.of(List.of(group(DESCRIBE)), List.of(group(READ)))),
            Map.entry(ApiKeys.JOIN_GROUP, List.of(List.of(group(READ)))),
            Map.entry(ApiKeys.SYNC_GROUP, List.of(List.of(group(READ)))),
            Map.entry(ApiKeys.HEARTBEAT, List.of(List.of(group(READ)))),
            Map.entry(ApiKeys.LEAVE_GROUP, List.of(List.of(group(READ)))),
            Map.entry(ApiKeys.DESCRIBE_GROUPS, List.of(List.of(group(DESCRIBE)), List.of(group(DELETE)))),
            Map.entry(ApiKeys.DELETE_GROUPS, List.of(List.of(group(DELETE)))),
            Map.entry(ApiKeys.OFFSET_DELETE, List.of(List.of(group(DELETE), topic(READ)))),
            Map.entry(ApiKeys.CONSUMER_GROUP_HEARTBEAT, List.of(List.of(group(READ), topic(DESCRIBE)))),
            Map.entry(ApiKeys.CONSUMER_GROUP_DESCRIBE, List.of(List.of(group(DESCRIBE)))),
            Map.entry(ApiKeys.STREAMS_GROUP_HEARTBEAT, List.of(List.of(group(READ), topic(DESCRIBE)))),
            Map.entry(ApiKeys.STREAMS_GROUP_DESCRIBE, List.of(List.of(group(DESCRIBE)))),
            Map.entry(ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE, List.of(List.of(group(READ)))),
            Map.entry(ApiKeys.SHARE_GROUP_HEARTBEAT, List.of(List.of(group(READ), topic(DESCRIBE)))),
            Map.entry(ApiKeys.SHARE_GROUP_DESCRIBE, List.of(List.of(group(DESCRIBE)))),
            Map.entry(ApiKeys.SHARE_FETCH, List.of(List.of(group(READ), topic(READ)))),
            Map.entry(ApiKeys.SHARE_ACKNOWLEDGE, List.of(List.of(group(READ), topic(READ)))),
            Map.entry(ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS, List.of(List.of(group(DESCRIBE), topic(DESCRIBE)))),
            Map.entry(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, List.of(List.of(group(READ), topic(READ)))),
            Map.entry(ApiKeys.DELETE_SHARE_GROUP_OFFSETS, List.of(List.of(group(DELETE), topic(READ)))),
            Map.entry(ApiKeys.CREATE_TOPICS, List.of(List.of(topic(CREATE)), List.of(cluster(CREATE)))),
            Map.entry(ApiKeys.DELETE_TOPICS, List.of(List.of(topic(DELETE)))),
            Map.entry(ApiKeys.DELETE_RECORDS, List.of(List.of(topic(DELETE)))),
            Map.entry(ApiKeys.CREATE_PARTITIONS, List.of(List.of(topic(ALTER)))),
            Map.entry(ApiKeys.DESCRIBE_TOPIC_PARTITIONS, List.of(List.of(topic(DESCRIBE)))),
            Map.entry(ApiKeys.INIT_PRODUCER_ID, List.of(List.of(cluster(IDEMPOTENT_WRITE)), List.of(topic(WRITE)))),
            Map.entry(ApiKeys.OFFSET_FOR_LEADER_EPOCH, List.of(List.of(topic(DESCRIBE)))),
            Map.entry(ApiKeys.DESCRIBE_ACLS, List.of(List.of(cluster(DESCRIBE)), List.of(cluster(ALTER)))),
            Map.entry(ApiKeys.CREATE_ACLS, List.of(List.of(cluster(ALTER)))),
            Map.entry(ApiKeys.DELETE_ACLS, List.of(List.of(cluster(ALTER)))),
            Map.entry(
                    ApiKeys.DESCRIBE_CONFIGS, List.of(List.of(topic(DESCRIBE_CONFIGS)), List.of(topic(ALTER_CONFIGS)))),
            Map.entry(ApiKeys.ALTER_CONFIGS, List.of(List.of(topic(ALTER_CONFIGS)))),
            Map.entry(ApiKeys.INCREMENTAL_ALTER_CONFIGS, List.of(List.of(topic(ALTER_CONFIGS)))),
            Map.entry(ApiKeys.ALTER_REPLICA_LOG_DIRS, List.of(List.of(cluster(ALTER)))),
            Map.entry(ApiKeys.DESCRIBE_LOG_DIRS, List.of(List.of(cluster(DESCRIBE)))),
            Map.entry(ApiKeys.ELECT_LEADERS, List.of(List.of(cluster(ALTER)))),
            Map.entry(ApiKeys.ALTER_PARTITION_REASSIGNMENTS, List.of(List.of(cluster(ALTER)))),
            Map.entry(ApiKeys.LIST_PARTITION_REASSIGNMENTS, List.of(List.of(cluster(DESCRIBE)))),
            Map.entry(
                    ApiKeys.DESCRIBE_CLIENT_QUOTAS,
                    List.of(List.of(cluster(DESCRIBE_CONFIGS)), List.of(cluster(ALTER_CONFIGS)))),
            Map.entry(ApiKeys.ALTER_CLIENT_QUOTAS, List.of(List.of(cluster(ALTER_CONFIGS)))),
            Map.entry(ApiKeys.DESCRIBE_USER_SCRAM_CREDENTIALS, List.of(List.of(cluster(DESCRIBE)))),
            Map.entry(ApiKeys.ALTER_USER_SCRAM_CREDENTIALS, List.of(List.of(cluster(ALTER)))),
            Map.entry(ApiKeys.DESCRIBE_QUORUM, List.of(List.of(cluster(DESCRIBE)))),
            Map.entry(ApiKeys.UPDATE_FEATURES, List.of(List.of(cluster(ALTER)))),
            Map.entry(ApiKeys.DESCRIBE_PRODUCERS, List.of(List.of(topic(READ)))),
            Map.entry(ApiKeys.DESCRIBE_TRANSACTIONS, List.of(List.of(transactionalId(DESCRIBE)))),
            // As brokers ask; AuthorizationTest has what producers need.
            Map.entry(ApiKeys.ADD_PARTITIONS_TO_TXN, List.of(List.of(cluster(CLUSTER_ACTION)))),
            Map.entry(ApiKeys.ADD_OFFSETS_TO_TXN, List.of(List.of(transactionalId(WRITE), group(READ)))),
            Map.entry(ApiKeys.TXN_OFFSET_COMMIT, List.of(List.of(transactionalId(WRITE), group(READ), topic(READ)))),
            Map.entry(ApiKeys.END_TXN, List.of(List.of(transactionalId(WRITE)))),
            Map.entry(ApiKeys.WRITE_TXN_MARKERS, List.of(List.of(cluster(CLUSTER_ACTION)), List.of(cluster(ALTER)))),
            Map.entry(ApiKeys.LIST_CONFIG_RESOURCES, List.of(List.of(cluster(DESCRIBE_CONFIGS)))));

    private static EmbeddedBroker broker;
    private static Administrator admin;
    private static Uuid topicId;

    @BeforeAll
    static void start() throws Exception {
        StringBuilder users = new StringBuilder("org.apache.kafka.common.security.plain.PlainLoginModule required");
        users.append(" user_root=\"p\" user_nobody=\"p\"");
        for (ApiKeys key : ApiKeys.values()) {
            for (int way = 0; way < 5; way++) {
                users.append(" user_").append(key).append(way).append("=\"p\"");
            }
        }
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0")
                .config("sasl.enabled.mechanisms", "PLAIN")
                .config("plain.sasl.jaas.config", users + ";")
                .config("authorizer.enabled", "true")
                .config("super.users", "User:root")
                .start();
        admin = new Administrator(broker);
        topicId = createTopic();
        // Whoever asks for groups first has the coordinator built.
        try (Admin root = Admin.create(asRoot())) {
            AdminCalls.get(root.listConsumerGroupOffsets("any").partitionsToOffsetAndMetadata());
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static Map<String, Object> asRoot() {
        return KafkaClients.config(
                broker,
                Map.of(
                        "security.protocol",
                        "SASL_PLAINTEXT",
                        "sasl.mechanism",
                        "PLAIN",
                        "sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"root\" password=\"p\";"));
    }

    /** The topic that is asked for; there again when a request has deleted it. */
    private static Uuid createTopic() throws Exception {
        try (Admin root = Admin.create(asRoot())) {
            try {
                root.createTopics(List.of(new NewTopic(NAME, 5, (short) 1)))
                        .all()
                        .get();
            } catch (ExecutionException there) {
                assertThat(there).hasMessageContaining("already exists");
            }
            return AdminCalls.get(root.describeTopics(List.of(NAME)).allTopicNames())
                    .values()
                    .iterator()
                    .next()
                    .topicId();
        }
    }

    static Stream<ApiKeys> offered() {
        try (RawKafka raw = new RawKafka(broker.port())) {
            ApiVersionsResponse answer = (ApiVersionsResponse) raw.ask(
                    ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0));
            return answer.data().apiKeys().stream()
                    .map(key -> ApiKeys.forId(key.apiKey()))
                    .filter(key -> !FREE.contains(key))
                    .toList()
                    .stream();
        }
    }

    private static ApiMessage message(ApiKeys key, short version) {
        int number = switch (key) {
            // The number of the kind of resource that a topic is.
            case DESCRIBE_CONFIGS, ALTER_CONFIGS, INCREMENTAL_ALTER_CONFIGS -> 2;
            // Of a group, as what a coordinator is looked for.
            case FIND_COORDINATOR -> 0;
            default -> 1;
        };
        ApiMessage message = new FilledRequests(NAME, number, topicId, 1).message(key, version);
        switch (message) {
            // As consumers and plain producers send it, and not brokers and transactions.
            case FetchRequestData fetch ->
                fetch.setReplicaState(new FetchRequestData.ReplicaState())
                        .setSessionEpoch(-1)
                        .setSessionId(0);
            case OffsetForLeaderEpochRequestData epochs -> epochs.setReplicaId(-1);
            case ProduceRequestData produce -> produce.setTransactionalId(null);
            case InitProducerIdRequestData init -> init.setTransactionalId(null);
            case MetadataRequestData metadata -> metadata.topics().forEach(each -> each.setTopicId(Uuid.ZERO_UUID));
            case DeleteTopicsRequestData delete -> delete.topics().forEach(each -> each.setTopicId(Uuid.ZERO_UUID));
            case CreateTopicsRequestData create ->
                create.topics().forEach(each -> each.configs().clear());
            default -> {}
        }
        return message;
    }

    private static Collection<Errors> errors(ApiKeys key, String user) {
        short version = key.latestVersion(false);
        try (RawKafka raw = new RawKafka(broker.port()).login(user, "p")) {
            ByteBuffer header = FilledRequests.header(key, version, 9);
            ByteBuffer body = MessageUtil.toByteBufferAccessor(message(key, version), version)
                    .buffer();
            raw.sendBytes(ByteBuffer.allocate(4 + header.remaining() + body.remaining())
                    .putInt(header.remaining() + body.remaining())
                    .put(header)
                    .put(body)
                    .array());
            return new ArrayList<>(
                    AbstractResponse.parseResponse(raw.frame(), new RequestHeader(key, version, "filled", 9))
                            .errorCounts()
                            .keySet());
        }
    }

    @ParameterizedTest
    @MethodSource("offered")
    void shouldDenyWhoHasNoRight(ApiKeys key) {
        assertThat(errors(key, "nobody")).as("%s", key).containsAnyElementsOf(DENIALS);
    }

    @ParameterizedTest
    @MethodSource("offered")
    void shouldAllowWithExactlyTheRightsOfKafkasTable(ApiKeys key) throws Exception {
        assertThat(NEEDED).as("the table of this test").containsKey(key);
        int way = 0;
        for (List<Right> rights : NEEDED.getOrDefault(key, List.of())) {
            topicId = createTopic();
            String user = key.toString() + way++;
            // All but one are not enough.
            for (Right missing : rights) {
                assertThat(errors(key, user))
                        .as("%s before the right to %s", key, missing)
                        .containsAnyElementsOf(DENIALS);
                admin.allow(
                        "User:" + user,
                        missing.operation,
                        missing.type,
                        missing.type == CLUSTER ? AclEntry.CLUSTER_NAME : NAME);
            }

            assertThat(errors(key, user)).as("%s with %s", key, rights).doesNotContainAnyElementsOf(DENIALS);
        }
    }

    private static StreamsGroupHeartbeatResponseData streams(String user) {
        StreamsGroupHeartbeatRequestData data = new StreamsGroupHeartbeatRequestData()
                .setGroupId("streams-of-" + user)
                .setMemberId("m")
                .setMemberEpoch(0)
                .setRebalanceTimeoutMs(10_000)
                .setProcessId("p")
                .setClientTags(List.of())
                .setActiveTasks(List.of())
                .setStandbyTasks(List.of())
                .setWarmupTasks(List.of())
                .setTopology(new StreamsGroupHeartbeatRequestData.Topology()
                        .setEpoch(0)
                        .setSubtopologies(List.of(new StreamsGroupHeartbeatRequestData.Subtopology()
                                .setSubtopologyId("0")
                                .setSourceTopics(List.of(NAME))
                                .setStateChangelogTopics(List.of(new StreamsGroupHeartbeatRequestData.TopicInfo()
                                        .setName("changelog-of-" + user))))));
        short version = ApiKeys.STREAMS_GROUP_HEARTBEAT.latestVersion(false);
        try (RawKafka raw = new RawKafka(broker.port()).login(user, "p")) {
            return ((StreamsGroupHeartbeatResponse) raw.ask(
                            ApiKeys.STREAMS_GROUP_HEARTBEAT,
                            version,
                            new StreamsGroupHeartbeatRequest.Builder(data).build(version)))
                    .data();
        }
    }

    /** Internal topics that are there need no right to create them; those that are missing do, and that is told as Kafka does. */
    @Test
    void shouldNeedTheRightToCreateOnlyForInternalTopicsThatAreMissing() throws Exception {
        topicId = createTopic();
        for (String user : List.of("API_VERSIONS0", "API_VERSIONS1")) {
            admin.allow("User:" + user, READ, GROUP, "streams-of-" + user)
                    .allow("User:" + user, DESCRIBE, TOPIC, NAME)
                    .allow("User:" + user, DESCRIBE, TOPIC, "changelog-of-" + user);
        }
        admin.allow("User:API_VERSIONS1", CREATE, TOPIC, "changelog-of-API_VERSIONS1");

        StreamsGroupHeartbeatResponseData without = streams("API_VERSIONS0");
        assertThat(without.errorCode()).isZero();
        assertThat(without.status())
                .anySatisfy(status -> assertThat(status.statusDetail())
                        .isEqualTo("Unauthorized to CREATE on topics changelog-of-API_VERSIONS0."));
        assertThat(streams("API_VERSIONS1").errorCode()).isZero();
        try (Admin root = Admin.create(asRoot())) {
            assertThat(AdminCalls.get(root.listTopics().names()))
                    .contains("changelog-of-API_VERSIONS1")
                    .doesNotContain("changelog-of-API_VERSIONS0");
        }
    }

    @Test
    void shouldNotTellByIdWhetherATopicIsThere() throws Exception {
        topicId = createTopic();
        for (Uuid id : List.of(topicId, new Uuid(7, 7))) {
            MetadataRequestData data = new MetadataRequestData()
                    .setTopics(List.of(new MetadataRequestData.MetadataRequestTopic()
                            .setName(null)
                            .setTopicId(id)));
            try (RawKafka raw = new RawKafka(broker.port()).login("nobody", "p")) {
                short version = ApiKeys.METADATA.latestVersion();
                assertThat(raw.ask(ApiKeys.METADATA, version, new MetadataRequest(data, version))
                                .errorCounts())
                        .containsOnlyKeys(Errors.UNKNOWN_TOPIC_ID);
            }
        }
    }
}
