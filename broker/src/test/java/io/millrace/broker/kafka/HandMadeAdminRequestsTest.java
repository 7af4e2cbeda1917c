package io.millrace.broker.kafka;

import static io.millrace.broker.kafka.AdminCalls.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialUpsertion;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopicCollection;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.AlterUserScramCredentialsRequest;
import org.apache.kafka.common.requests.AlterUserScramCredentialsResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsResponse;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Administrative requests that no client of today sends: old ones, wrong ones, and bytes that are none. */
class HandMadeAdminRequestsTest {

    private static EmbeddedBroker broker;
    private static Admin admin;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
        await(admin.createTopics(List.of(new NewTopic("here", 1, (short) 1).configs(Map.of("retention.bytes", "7"))))
                .all());
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
    }

    @Test
    void shouldRefuseNamesOfThirtyTwoKilobytesAndTheSameNameTwice() throws IOException {
        CreateTopicsRequestData data = new CreateTopicsRequestData().setTimeoutMs(1_000);
        data.topics().add(topic("x".repeat(32_767)));
        data.topics().mustAdd(topic("twice").setNumPartitions(1));
        data.topics().mustAdd(topic("twice").setNumPartitions(2));

        CreateTopicsResponse response = (CreateTopicsResponse)
                ask(new CreateTopicsRequest.Builder(data).build((short) 7), ApiKeys.CREATE_TOPICS);

        assertThat(response.data().topics())
                .extracting(CreatableTopicResult::errorCode)
                .containsExactlyInAnyOrder(Errors.INVALID_TOPIC_EXCEPTION.code(), Errors.INVALID_REQUEST.code());
    }

    @Test
    void shouldRefuseToDeleteWithoutNameOrWithBoth() throws IOException {
        DeleteTopicsRequestData data = new DeleteTopicsRequestData()
                .setTopics(List.of(
                        new DeleteTopicState().setName(null),
                        new DeleteTopicState().setName("here").setTopicId(Uuid.randomUuid())));

        DeleteTopicsResponse response = (DeleteTopicsResponse)
                ask(new DeleteTopicsRequest.Builder(data).build((short) 6), ApiKeys.DELETE_TOPICS);

        assertThat(response.data().responses())
                .hasSize(2)
                .allSatisfy(result -> assertThat(result.errorCode()).isEqualTo(Errors.INVALID_REQUEST.code()));
    }

    @Test
    void shouldReplaceAllSettingsAsOldClientsWantIt() throws IOException {
        AlterConfigsRequestData data = new AlterConfigsRequestData();
        AlterConfigsResource resource = new AlterConfigsResource()
                .setResourceType(ConfigResource.Type.TOPIC.id())
                .setResourceName("here");
        resource.configs().add(new AlterableConfig().setName("retention.ms").setValue("5000"));
        data.resources().add(resource);

        AlterConfigsResponse response =
                (AlterConfigsResponse) ask(new AlterConfigsRequest(data, (short) 2), ApiKeys.ALTER_CONFIGS);

        assertThat(response.errors().values())
                .singleElement()
                .satisfies(error -> assertThat(error.error()).isEqualTo(Errors.NONE));
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "here");
        var config = AdminCalls.valueIn(
                AdminCalls.get(admin.describeConfigs(List.of(topic)).all()), topic);
        assertThat(config.get("retention.ms").value()).isEqualTo("5000");
        assertThat(config.get("retention.bytes").value()).isEqualTo("-1");
    }

    @Test
    void shouldTellWhereLeaderEpochsEnd() throws IOException {
        assertThat(epochEnd(-1, 0).endOffset()).isZero();
        assertThat(epochEnd(-1, 5).endOffset()).isEqualTo(OffsetsForLeaderEpochResponse.UNDEFINED_EPOCH_OFFSET);
        assertThat(epochEnd(7, 0).errorCode()).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH.code());
    }

    @Test
    void shouldRefuseCredentialsThatCannotBe() throws IOException {
        AlterUserScramCredentialsRequestData data = new AlterUserScramCredentialsRequestData();
        data.upsertions().add(upsertion("", 1, new byte[8]));
        data.upsertions().add(upsertion("mechanism", 9, new byte[8]));
        data.upsertions().add(upsertion("salt", 1, new byte[2_000]));
        data.upsertions().add(upsertion("n".repeat(30_000), 1, new byte[8]));

        AlterUserScramCredentialsResponse response = (AlterUserScramCredentialsResponse) ask(
                new AlterUserScramCredentialsRequest.Builder(data).build((short) 0),
                ApiKeys.ALTER_USER_SCRAM_CREDENTIALS);

        assertThat(response.data().results())
                .extracting(result -> Errors.forCode(result.errorCode()))
                .containsExactlyInAnyOrder(
                        Errors.UNACCEPTABLE_CREDENTIAL,
                        Errors.UNSUPPORTED_SASL_MECHANISM,
                        Errors.UNACCEPTABLE_CREDENTIAL,
                        Errors.UNACCEPTABLE_CREDENTIAL);
    }

    /** A body that announces 2,147,483,647 elements, and one that ends in the middle: the connection ends, and nothing else. */
    @ParameterizedTest
    @EnumSource(
            value = ApiKeys.class,
            mode = Mode.INCLUDE,
            names = {
                "CREATE_TOPICS",
                "DELETE_TOPICS",
                "CREATE_PARTITIONS",
                "DELETE_RECORDS",
                "DESCRIBE_CONFIGS",
                "ALTER_CONFIGS",
                "INCREMENTAL_ALTER_CONFIGS",
                "DESCRIBE_LOG_DIRS",
                "ALTER_REPLICA_LOG_DIRS",
                "DESCRIBE_TOPIC_PARTITIONS",
                "ELECT_LEADERS",
                "ALTER_PARTITION_REASSIGNMENTS",
                "DESCRIBE_PRODUCERS",
                "OFFSET_FOR_LEADER_EPOCH",
                "CREATE_ACLS",
                "DELETE_ACLS",
                "DESCRIBE_CLIENT_QUOTAS",
                "ALTER_CLIENT_QUOTAS",
                "DESCRIBE_USER_SCRAM_CREDENTIALS",
                "ALTER_USER_SCRAM_CREDENTIALS",
                "UPDATE_FEATURES",
                "DESCRIBE_QUORUM",
                "LIST_TRANSACTIONS",
                "DESCRIBE_TRANSACTIONS"
            })
    void shouldSurviveCountsThatCannotBeTrue(ApiKeys key) throws IOException {
        short version = key.latestVersion();
        ByteBuffer header = header(key, version);
        for (byte[] body : List.of(
                new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07},
                new byte[] {0x7f, (byte) 0xff},
                new byte[] {})) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
                socket.setSoTimeout(20_000);
                ByteBuffer frame = ByteBuffer.allocate(4 + header.remaining() + body.length);
                frame.putInt(header.remaining() + body.length)
                        .put(header.duplicate())
                        .put(body);
                socket.getOutputStream().write(frame.array());
                assertThat(readSome(socket)).as("%s", key).isLessThan(65_536);
            }
        }
        assertThat(AdminCalls.get(admin.listTopics().names())).contains("here");
    }

    /** Reads an answer or the end of the connection. Returns how many bytes came. */
    private static int readSome(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read(new byte[1_024]);
        } catch (SocketException reset) {
            return -1;
        }
    }

    private static ByteBuffer header(ApiKeys key, short version) {
        return MessageUtil.toByteBufferAccessor(
                        new RequestHeader(key, version, "hostile", 1).data(), key.requestHeaderVersion(version))
                .buffer();
    }

    private static EpochEndOffset epochEnd(int currentEpoch, int epoch) throws IOException {
        OffsetForLeaderTopicCollection topics = new OffsetForLeaderTopicCollection();
        OffsetForLeaderTopic topic = new OffsetForLeaderTopic().setTopic("here");
        topic.partitions()
                .add(new OffsetForLeaderPartition()
                        .setPartition(0)
                        .setCurrentLeaderEpoch(currentEpoch)
                        .setLeaderEpoch(epoch));
        topics.add(topic);
        OffsetsForLeaderEpochRequest request = OffsetsForLeaderEpochRequest.parse(
                MessageUtil.toByteBufferAccessor(
                        new OffsetForLeaderEpochRequestData().setReplicaId(-1).setTopics(topics), (short) 4),
                (short) 4);
        OffsetsForLeaderEpochResponse response =
                (OffsetsForLeaderEpochResponse) ask(request, ApiKeys.OFFSET_FOR_LEADER_EPOCH);
        return response.data().topics().iterator().next().partitions().getFirst();
    }

    private static ScramCredentialUpsertion upsertion(String name, int mechanism, byte[] salt) {
        return new ScramCredentialUpsertion()
                .setName(name)
                .setMechanism((byte) mechanism)
                .setIterations(4_096)
                .setSalt(salt)
                .setSaltedPassword(new byte[32]);
    }

    private static CreatableTopic topic(String name) {
        return new CreatableTopic().setName(name).setNumPartitions(1).setReplicationFactor((short) 1);
    }

    private static AbstractResponse ask(AbstractRequest request, ApiKeys key) throws IOException {
        RequestHeader header = new RequestHeader(key, request.version(), "by-hand", 1);
        ByteBuffer bytes = request.serializeWithHeader(header);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            byte[] frame = new byte[bytes.remaining()];
            bytes.get(frame);
            out.write(ByteBuffer.allocate(4).putInt(frame.length).array());
            out.write(frame);
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] answer = new byte[in.readInt()];
            in.readFully(answer);
            return AbstractResponse.parseResponse(ByteBuffer.wrap(answer), header);
        }
    }
}
