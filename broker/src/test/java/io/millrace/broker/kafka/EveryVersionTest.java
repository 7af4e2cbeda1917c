package io.millrace.broker.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients of all ages: each request in each version that is offered gets an answer that can be read in that version. */
class EveryVersionTest {

    private static EmbeddedBroker broker;
    private static Uuid topicId;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        try (RawKafka kafka = new RawKafka(broker.port())) {
            topicId = metadata(kafka, (short) 13).data().topics().find("aged").topicId();
        }
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    static Stream<Short> versionsOfProduce() {
        return ApiKeys.PRODUCE.allVersions().stream();
    }

    static Stream<Short> versionsOfFetch() {
        return ApiKeys.FETCH.allVersions().stream();
    }

    static Stream<Short> versionsOfListOffsets() {
        return ApiKeys.LIST_OFFSETS.allVersions().stream();
    }

    static Stream<Short> versionsOfMetadata() {
        return ApiKeys.METADATA.allVersions().stream();
    }

    static Stream<ApiKeys> offered() {
        try (RawKafka kafka = new RawKafka(broker.port())) {
            ApiVersionsResponse versions = (ApiVersionsResponse)
                    kafka.ask(ApiKeys.API_VERSIONS, (short) 4, new ApiVersionsRequest.Builder().build((short) 4));
            List<ApiKeys> keys = new ArrayList<>();
            for (ApiVersion version : versions.data().apiKeys()) {
                ApiKeys key = ApiKeys.forId(version.apiKey());
                assertThat(version.maxVersion()).as(key.name).isEqualTo(key.latestVersion(false));
                keys.add(key);
            }
            // Those of a login have no place where nobody logs in, and a filter of ACLs without content is no request.
            keys.removeAll(List.of(ApiKeys.SASL_HANDSHAKE, ApiKeys.SASL_AUTHENTICATE, ApiKeys.DESCRIBE_ACLS));
            return keys.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("versionsOfMetadata")
    void shouldDescribeATopic(short version) {
        try (RawKafka kafka = new RawKafka(broker.port())) {
            MetadataResponse response = metadata(kafka, version);

            assertThat(response.errors()).isEmpty();
            assertThat(response.brokers()).hasSize(1);
            assertThat(response.data().topics().find("aged").partitions()).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("versionsOfProduce")
    void shouldStoreABatch(short version) {
        try (RawKafka kafka = new RawKafka(broker.port())) {
            ProduceRequestData data =
                    new ProduceRequestData().setAcks((short) -1).setTimeoutMs(5000);
            data.topicData()
                    .add(new ProduceRequestData.TopicProduceData()
                            .setName(version < 13 ? "aged" : "")
                            .setTopicId(version < 13 ? Uuid.ZERO_UUID : topicId)
                            .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                                    .setIndex(0)
                                    .setRecords(MemoryRecords.withRecords(
                                            Compression.NONE, new SimpleRecord("value".getBytes(UTF_8)))))));

            ProduceResponse response =
                    (ProduceResponse) kafka.ask(ApiKeys.PRODUCE, version, new ProduceRequest(data, version));

            assertThat(response.data().responses())
                    .singleElement()
                    .satisfies(topic -> assertThat(topic.partitionResponses())
                            .singleElement()
                            .satisfies(partition -> {
                                assertThat(partition.errorCode()).isZero();
                                assertThat(partition.baseOffset()).isNotNegative();
                            }));
        }
    }

    @ParameterizedTest
    @MethodSource("versionsOfFetch")
    void shouldReadABatch(short version) {
        shouldStoreABatch((short) 12);
        try (RawKafka kafka = new RawKafka(broker.port())) {
            FetchRequestData data = new FetchRequestData()
                    .setReplicaId(-1)
                    .setMaxWaitMs(1000)
                    .setMinBytes(1)
                    .setMaxBytes(1_000_000)
                    .setSessionEpoch(-1);
            data.topics()
                    .add(new FetchRequestData.FetchTopic()
                            .setTopic(version < 13 ? "aged" : "")
                            .setTopicId(version < 13 ? Uuid.ZERO_UUID : topicId)
                            .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                    .setPartition(0)
                                    .setFetchOffset(0)
                                    .setPartitionMaxBytes(1_000_000))));

            FetchResponse response = (FetchResponse) kafka.ask(ApiKeys.FETCH, version, new FetchRequest(data, version));

            assertThat(response.data().responses())
                    .singleElement()
                    .satisfies(topic -> assertThat(topic.partitions())
                            .singleElement()
                            .satisfies(partition -> {
                                assertThat(partition.errorCode()).isZero();
                                assertThat(partition.highWatermark()).isPositive();
                                assertThat(FetchResponse.recordsSize(partition)).isPositive();
                            }));
        }
    }

    @ParameterizedTest
    @MethodSource("versionsOfListOffsets")
    void shouldFindOffsets(short version) {
        shouldStoreABatch((short) 12);
        for (long timestamp : new long[] {
            ListOffsetsRequest.EARLIEST_TIMESTAMP, ListOffsetsRequest.LATEST_TIMESTAMP, 1, Long.MAX_VALUE
        }) {
            try (RawKafka kafka = new RawKafka(broker.port())) {
                ListOffsetsRequestData data = new ListOffsetsRequestData().setReplicaId(-1);
                data.topics()
                        .add(new ListOffsetsRequestData.ListOffsetsTopic()
                                .setName("aged")
                                .setPartitions(List.of(new ListOffsetsRequestData.ListOffsetsPartition()
                                        .setPartitionIndex(0)
                                        .setTimestamp(timestamp))));
                ListOffsetsRequest request = ListOffsetsRequest.parse(written(data, version), version);

                ListOffsetsResponse response = (ListOffsetsResponse) kafka.ask(ApiKeys.LIST_OFFSETS, version, request);

                assertThat(response.data()
                                .topics()
                                .getFirst()
                                .partitions()
                                .getFirst()
                                .errorCode())
                        .isZero();
            }
        }
    }

    /** Without content most requests are refused, which is an answer too. */
    @ParameterizedTest
    @MethodSource("offered")
    void shouldAnswerARequestWithoutContent(ApiKeys key) {
        for (short version = key.oldestVersion(); version <= key.latestVersion(false); version++) {
            try (RawKafka kafka = new RawKafka(broker.port())) {
                ApiMessage empty = key.messageType.newRequest();
                if (key == ApiKeys.PRODUCE) {
                    ((ProduceRequestData) empty).setAcks((short) 1);
                }
                AbstractRequest request = AbstractRequest.parseRequest(key, version, written(empty, version)).request;

                assertThat(kafka.ask(key, version, request))
                        .as(key + " " + version)
                        .isNotNull();
            }
        }
    }

    @Test
    void shouldAnswerTooNewAVersionInTheOldestOne() {
        try (RawKafka kafka = new RawKafka(broker.port())) {
            kafka.sendBytes(ByteBuffer.allocate(16)
                    .putInt(12)
                    .putShort(ApiKeys.API_VERSIONS.id)
                    .putShort((short) 99)
                    .putInt(7)
                    .putShort((short) -1)
                    .putShort((short) 0)
                    .array());
            ByteBuffer answer = kafka.frame();

            assertThat(answer.getInt()).isEqualTo(7);
            assertThat(answer.getShort()).isEqualTo((short) 35);
            assertThat(answer.getInt()).isEqualTo(1);
            assertThat(answer.getShort()).isEqualTo(ApiKeys.API_VERSIONS.id);
            assertThat(answer.getShort()).isEqualTo(ApiKeys.API_VERSIONS.oldestVersion());
            assertThat(answer.getShort()).isEqualTo(ApiKeys.API_VERSIONS.latestVersion());
        }
    }

    private static MetadataResponse metadata(RawKafka kafka, short version) {
        MetadataRequestData data = new MetadataRequestData().setAllowAutoTopicCreation(true);
        data.topics().add(new MetadataRequestData.MetadataRequestTopic().setName("aged"));
        return (MetadataResponse) kafka.ask(ApiKeys.METADATA, version, new MetadataRequest(data, version));
    }

    static ByteBufferAccessor written(ApiMessage message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBufferAccessor bytes = new ByteBufferAccessor(ByteBuffer.allocate(message.size(cache, version)));
        message.write(bytes, cache, version);
        bytes.flip();
        return bytes;
    }
}
