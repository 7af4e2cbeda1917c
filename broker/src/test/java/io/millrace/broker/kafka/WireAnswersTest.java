package io.millrace.broker.kafka;

import static io.millrace.broker.kafka.AdminCalls.await;
import static io.millrace.broker.kafka.AdminCalls.get;
import static io.millrace.broker.kafka.AdminCalls.valueIn;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.DescribeTopicPartitionsRequest;
import org.apache.kafka.common.requests.DescribeTopicPartitionsResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers to requests at the edge of what the protocol allows, as Apache Kafka 4.4 gives them. */
class WireAnswersTest {

    private static EmbeddedBroker broker;
    private static Uuid topicId;

    private RawKafka kafka;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        try (Admin admin = Admin.create(KafkaClients.config(broker, Map.of()))) {
            await(admin.createTopics(List.of(new NewTopic("one", 2, (short) 1), new NewTopic("two", 1, (short) 1)))
                    .all());
            topicId = valueIn(get(admin.describeTopics(List.of("one")).allTopicNames()), "one")
                    .topicId();
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void connect() {
        kafka = new RawKafka(broker.port());
    }

    @AfterEach
    void disconnect() {
        kafka.close();
    }

    @Test
    void shouldTellOldClientsThatProduceBeginsAtZero() {
        ApiVersionsResponseData versions = apiVersions("test", "1");

        assertThat(versions.errorCode()).isZero();
        assertThat(versions.apiKeys().find(ApiKeys.PRODUCE.id).minVersion()).isZero();
        assertThat(versions.apiKeys().find(ApiKeys.FETCH.id).minVersion()).isEqualTo((short) 4);
    }

    @Test
    void shouldTellNothingToAClientThatDoesNotNameItself() {
        ApiVersionsResponseData versions = apiVersions("no name", "");

        assertThat(versions.errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(versions.apiKeys()).isEmpty();
    }

    private ApiVersionsResponseData apiVersions(String name, String version) {
        ApiVersionsRequestData data =
                new ApiVersionsRequestData().setClientSoftwareName(name).setClientSoftwareVersion(version);
        return ((ApiVersionsResponse)
                        kafka.ask(ApiKeys.API_VERSIONS, (short) 3, new ApiVersionsRequest(data, (short) 3)))
                .data();
    }

    @ParameterizedTest
    @CsvSource({
        "-3, 6, 35",
        "-3, 7, 0",
        "-4, 7, 35",
        "-4, 8, 0",
        "-5, 8, 35",
        "-5, 9, 0",
        "-6, 10, 35",
        "-6, 11, 0",
        "-7, 11, 35",
        "-9, 11, 35",
        "-2, 1, 0",
        "0, 1, 0"
    })
    void shouldKnowSpecialTimesFromTheVersionOnThatHasThem(long timestamp, short version, short error) {
        assertThat(listOffsets(version, new ListOffsetsPartition().setTimestamp(timestamp)))
                .extracting(ListOffsetsPartitionResponse::errorCode)
                .containsExactly(error);
    }

    @Test
    void shouldRefuseAPartitionThatIsAskedForTwice() {
        ListOffsetsPartition partition = new ListOffsetsPartition().setTimestamp(-1);

        assertThat(listOffsets((short) 7, partition, partition.duplicate().setTimestamp(-2)))
                .isNotEmpty()
                .allSatisfy(answer -> assertThat(answer.errorCode()).isEqualTo(Errors.INVALID_REQUEST.code()));
    }

    private List<ListOffsetsPartitionResponse> listOffsets(short version, ListOffsetsPartition... partitions) {
        ListOffsetsRequestData data = new ListOffsetsRequestData().setReplicaId(-1);
        data.topics().add(new ListOffsetsTopic().setName("one").setPartitions(List.of(partitions)));
        ListOffsetsRequest request = ListOffsetsRequest.parse(EveryVersionTest.written(data, version), version);
        return ((ListOffsetsResponse) kafka.ask(ApiKeys.LIST_OFFSETS, version, request))
                .data()
                .topics()
                .getFirst()
                .partitions();
    }

    @Test
    void shouldDescribeATopicOnceThatIsAskedForTwice() {
        assertThat(metadata((short) 9, named("one"), named("one"), named("two")))
                .extracting(MetadataResponseTopic::name)
                .containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void shouldGoByIdsWhereThereAreSome() {
        assertThat(metadata(
                        (short) 12,
                        named("two"),
                        new MetadataRequestTopic().setName(null).setTopicId(topicId)))
                .extracting(MetadataResponseTopic::name)
                .containsExactly("one");
    }

    @Test
    void shouldRefuseIdsInVersionsThatHadNoneAndTopicsWithoutIdAndName() {
        assertThat(metadata((short) 10, named("").setTopicId(topicId)))
                .extracting(MetadataResponseTopic::errorCode)
                .containsExactly(Errors.INVALID_REQUEST.code());
        assertThat(metadata((short) 12, new MetadataRequestTopic().setName(null)))
                .extracting(MetadataResponseTopic::errorCode)
                .containsExactly(Errors.INVALID_REQUEST.code());
    }

    private static MetadataRequestTopic named(String name) {
        return new MetadataRequestTopic().setName(name);
    }

    private List<MetadataResponseTopic> metadata(short version, MetadataRequestTopic... topics) {
        MetadataRequestData data = new MetadataRequestData().setTopics(List.of(topics));
        return List.copyOf(((MetadataResponse) kafka.ask(ApiKeys.METADATA, version, new MetadataRequest(data, version)))
                .data()
                .topics());
    }

    @Test
    void shouldTellNamesThatCannotBeFromThoseThatAreNotThere() {
        assertThat(describe(null, "one", "no such", "none"))
                .extracting(DescribeTopicPartitionsResponseTopic::errorCode)
                .containsExactlyInAnyOrder(
                        Errors.NONE.code(),
                        Errors.INVALID_TOPIC_EXCEPTION.code(),
                        Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    @Test
    void shouldRefuseACursorOfATopicThatIsNotAskedFor() {
        assertThat(describe(new Cursor().setTopicName("one").setPartitionIndex(0), "two"))
                .isNotEmpty()
                .allSatisfy(topic -> assertThat(topic.errorCode()).isEqualTo(Errors.INVALID_REQUEST.code()));
    }

    private List<DescribeTopicPartitionsResponseTopic> describe(@Nullable Cursor cursor, String... names) {
        DescribeTopicPartitionsRequestData data = new DescribeTopicPartitionsRequestData()
                .setCursor(cursor)
                .setTopics(Stream.of(names)
                        .map(name -> new TopicRequest().setName(name))
                        .toList());
        return List.copyOf(((DescribeTopicPartitionsResponse) kafka.ask(
                        ApiKeys.DESCRIBE_TOPIC_PARTITIONS, (short) 0, new DescribeTopicPartitionsRequest(data, (short)
                                0)))
                .data()
                .topics());
    }

    @Test
    void shouldHaveNoMessageWhereNothingWentWrong() {
        CreateTopicsRequestData data = new CreateTopicsRequestData().setTimeoutMs(10_000);
        data.topics()
                .add(new CreateTopicsRequestData.CreatableTopic()
                        .setName("new")
                        .setNumPartitions(1)
                        .setReplicationFactor((short) 1));

        CreateTopicsResponse response = (CreateTopicsResponse)
                kafka.ask(ApiKeys.CREATE_TOPICS, (short) 5, new CreateTopicsRequest.Builder(data).build((short) 5));

        assertThat(response.data().topics()).singleElement().satisfies(topic -> {
            assertThat(topic.errorCode()).isZero();
            assertThat(topic.errorMessage()).isNull();
        });
    }

    @Test
    void shouldTellOnlyTheErrorOfAnOffsetThatIsOutOfRange() {
        FetchRequestData data = new FetchRequestData()
                .setReplicaId(-1)
                .setMaxWaitMs(10)
                .setMinBytes(1)
                .setMaxBytes(1_000)
                .setSessionEpoch(-1);
        data.topics()
                .add(new FetchRequestData.FetchTopic()
                        .setTopic("one")
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setFetchOffset(99)
                                .setPartitionMaxBytes(1_000))));

        FetchResponse response =
                (FetchResponse) kafka.ask(ApiKeys.FETCH, (short) 11, new FetchRequest(data, (short) 11));

        FetchResponseData.PartitionData partition =
                response.data().responses().getFirst().partitions().getFirst();
        assertThat(partition.errorCode()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE.code());
        assertThat(partition.logStartOffset()).isEqualTo(-1);
        assertThat(partition.abortedTransactions()).isNull();
    }
}
