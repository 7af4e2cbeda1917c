package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ShareAcknowledgeRequest;
import org.apache.kafka.common.requests.ShareAcknowledgeResponse;
import org.apache.kafka.common.requests.ShareFetchRequest;
import org.apache.kafka.common.requests.ShareFetchResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The wire rules of share groups (KIP-932), by requests that no client sends; the answers are those of Kafka 4.4. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShareProtocolTest {

    private static final byte ACCEPT = 1;
    private static final byte RELEASE = 2;
    private static final byte RENEW = 4;
    private static final byte RECORD_LIMIT = 1;
    private static final int LAST = -1;

    private EmbeddedBroker broker;
    private Admin admin;
    private RawKafka raw;
    private String group = "";
    private Uuid topic = Uuid.ZERO_UUID;
    private int topics;

    @BeforeAll
    void startBroker() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("group.share.max.share.sessions", "3")
                .config("group.share.max.size", "3")
                .config("group.share.min.record.lock.duration.ms", "1000")
                .start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
    }

    @AfterAll
    void stopBroker() {
        admin.close();
        broker.close();
    }

    @BeforeEach
    void begin(TestInfo test) throws Exception {
        String name = "share-" + topics++;
        group = "group-of-" + name;
        var created = admin.createTopics(List.of(new NewTopic(name, 1, (short) 1)));
        created.all().get(20, TimeUnit.SECONDS);
        topic = created.topicId(name).get(20, TimeUnit.SECONDS);
        set("share.auto.offset.reset", "earliest");
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of("linger.ms", 50))) {
            IntStream.range(0, 5).forEach(i -> {
                var _ = producer.send(new ProducerRecord<>(name, "m" + i));
            });
        }
        raw = new RawKafka(broker.port());
    }

    @AfterEach
    void end() {
        raw.close();
    }

    private void set(String key, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.GROUP, group),
                        List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
                .all()
                .get(20, TimeUnit.SECONDS);
    }

    // ---- sessions -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(shorts = {1, 2})
    void shouldLendRecordsInEachVersion(short version) {
        ShareFetchResponse first = fetch(version, request("a", 0));

        assertThat(first.error()).isEqualTo(Errors.NONE);
        assertThat(first.data().acquisitionLockTimeoutMs()).isEqualTo(30_000);
        assertThat(acquired(first)).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(partition(first).acknowledgeErrorCode()).isEqualTo(Errors.NONE.code());

        ShareFetchResponse second = fetch(version, acknowledging(request("a", 1).setMaxWaitMs(0), 0, 4, ACCEPT));
        assertThat(partition(second).acknowledgeErrorCode()).isEqualTo(Errors.NONE.code());
        assertThat(acquired(second)).isEmpty();
    }

    @Test
    void shouldAnswerAFirstFetchWithoutRecordsWithoutPartitions() {
        fetch(request("a", 0));

        ShareFetchResponse nothing = fetch(request("b", 0).setMaxWaitMs(0));

        assertThat(nothing.error()).isEqualTo(Errors.NONE);
        assertThat(nothing.data().responses()).isEmpty();
    }

    @Test
    void shouldTakeAnyMemberIdOfUpTo36Characters() {
        assertThat(fetch(request("not a uuid", 0)).error()).isEqualTo(Errors.NONE);
        assertThat(fetch(request("", 0)).error()).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(fetch(request("x".repeat(37), 0)).error()).isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void shouldRefuseARequestWithoutGroup() {
        assertThat(fetch(request("a", 0).setGroupId(null)).error()).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(acknowledge(said("a", 1, 0, 0, ACCEPT).setGroupId(null)).error())
                .isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void shouldRefuseAnEpochThatIsNotTheNext() {
        fetch(request("a", 0));

        assertThat(fetch(request("a", 2)).error()).isEqualTo(Errors.INVALID_SHARE_SESSION_EPOCH);
        assertThat(acknowledge(said("a", 3, 0, 0, ACCEPT)).error()).isEqualTo(Errors.INVALID_SHARE_SESSION_EPOCH);
        assertThat(acknowledge(said("a", 0, 0, 0, ACCEPT)).error()).isEqualTo(Errors.INVALID_SHARE_SESSION_EPOCH);
        assertThat(acknowledge(said("a", 1, 0, 0, ACCEPT)).error()).isEqualTo(Errors.NONE);
    }

    @Test
    void shouldNotKnowASessionThatWasNotBegun() {
        assertThat(fetch(request("nobody", 1)).error()).isEqualTo(Errors.SHARE_SESSION_NOT_FOUND);
        assertThat(fetch(request("nobody", LAST)).error()).isEqualTo(Errors.SHARE_SESSION_NOT_FOUND);
        assertThat(acknowledge(said("nobody", 1, 0, 0, ACCEPT)).error()).isEqualTo(Errors.SHARE_SESSION_NOT_FOUND);
        assertThat(acknowledge(said("nobody", 0, 0, 0, ACCEPT)).error()).isEqualTo(Errors.INVALID_SHARE_SESSION_EPOCH);
    }

    @Test
    void shouldRefuseAcknowledgementsInTheFirstFetch() {
        assertThat(fetch(acknowledging(request("a", 0), 0, 0, ACCEPT)).error()).isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void shouldGiveToOthersWhatAMemberKeptForTooLongAndCountItOnce() throws Exception {
        set("share.record.lock.duration.ms", "1000");
        assertThat(fetch(request("a", 0)).data().acquisitionLockTimeoutMs()).isEqualTo(1_000);

        ShareFetchResponse other = fetch(request("b", 0).setMaxWaitMs(10_000));

        assertThat(acquired(other)).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(partition(other).acquiredRecords().getFirst().deliveryCount())
                .isEqualTo((short) 2);
    }

    @Test
    void shouldReleaseWhatIsHeldWithTheLastEpoch() {
        fetch(request("a", 0));

        ShareFetchResponse last = fetch(acknowledging(request("a", LAST), 0, 1, ACCEPT));

        assertThat(last.error()).isEqualTo(Errors.NONE);
        assertThat(partition(last).acknowledgeErrorCode()).isEqualTo(Errors.NONE.code());
        assertThat(fetch(request("a", 1)).error()).isEqualTo(Errors.SHARE_SESSION_NOT_FOUND);
        ShareFetchResponse other = fetch(request("b", 0));
        assertThat(acquired(other)).containsExactly(2L, 3L, 4L);
        assertThat(partition(other).acquiredRecords().getFirst().deliveryCount())
                .isEqualTo((short) 2);
    }

    @Test
    void shouldReleaseWhatIsHeldWithTheLastEpochOfAnAcknowledgement() {
        fetch(request("a", 0));

        assertThat(acknowledge(said("a", LAST, 0, 3, ACCEPT)).error()).isEqualTo(Errors.NONE);

        assertThat(acquired(fetch(request("b", 0)))).containsExactly(4L);
    }

    @Test
    void shouldReleaseWhatIsHeldWhenTheConnectionIsLost() {
        fetch(request("a", 0));
        raw.close();
        raw = new RawKafka(broker.port());

        assertThat(acquired(fetch(request("b", 0).setMaxWaitMs(10_000)))).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void shouldBeginAnewWithEpochZero() {
        fetch(request("a", 0));

        ShareFetchResponse again = fetch(request("a", 0).setMaxWaitMs(10_000));

        assertThat(acquired(again)).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(partition(again).acquiredRecords().getFirst().deliveryCount())
                .isEqualTo((short) 2);
    }

    @Test
    void shouldRefuseMoreSessionsThanTheBrokerTakes() {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(fetch(request("a", 0)).error()).isEqualTo(Errors.NONE));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(fetch(request("b", 0)).error()).isEqualTo(Errors.NONE));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(fetch(request("c", 0)).error()).isEqualTo(Errors.NONE));

        assertThat(fetch(request("d", 0)).error()).isEqualTo(Errors.SHARE_SESSION_LIMIT_REACHED);

        fetch(request("b", LAST));
        assertThat(fetch(request("d", 0)).error()).isEqualTo(Errors.NONE);
    }

    @Test
    void shouldLendAsManyRecordsAsAreWantedAndNoneWhereNoneAre() {
        assertThat(acquired(fetch(request("a", 0).setMaxRecords(0).setMaxWaitMs(0))))
                .isEmpty();
        assertThat(acquired(
                        fetch(request("a", 1).setShareAcquireMode(RECORD_LIMIT).setMaxRecords(2))))
                .containsExactly(0L, 1L);
        assertThat(fetch(request("a", 2).setShareAcquireMode((byte) 2)).error()).isEqualTo(Errors.INVALID_REQUEST);
        // A batch that has begun is lent whole.
        assertThat(acquired(fetch(request("a", 2).setMaxRecords(1)))).containsExactly(2L, 3L, 4L);
    }

    @Test
    void shouldSayThatATopicIsNotKnown() {
        ShareFetchRequestData request = request("a", 0);
        request.topics().find(topic).setTopicId(Uuid.randomUuid());

        assertThat(partition(fetch(request)).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
    }

    // ---- acknowledgements -----------------------------------------------------------------------------------------

    /** Types by the offset, and what the partition is told. */
    @ParameterizedTest
    @CsvSource({
        "0, 4, '1', NONE",
        "0, 4, '1 2 3 0 1', NONE",
        "0, 4, '1 2', INVALID_REQUEST",
        "0, 4, '', INVALID_REQUEST",
        "3, 2, '1', INVALID_REQUEST",
        "0, 4, '5', INVALID_REQUEST",
        "0, 4, '-1', INVALID_REQUEST",
        "0, 4, '4', INVALID_REQUEST",
        "4, 6, '1', INVALID_REQUEST",
        "70, 70, '1', INVALID_REQUEST"
    })
    void shouldCheckWhatIsSaid(long first, long last, String types, Errors expected) {
        fetch(request("a", 0));
        List<Byte> bytes = new ArrayList<>();
        for (String type : types.isEmpty() ? new String[0] : types.split(" ")) {
            bytes.add(Byte.valueOf(type));
        }

        assertThat(error(acknowledge(said("a", 1, first, last, bytes)))).isEqualTo(expected);

        // Whatever was refused, all is still with the member.
        if (expected != Errors.NONE) {
            assertThat(error(acknowledge(said("a", 2, 0, 4, ACCEPT)))).isEqualTo(Errors.NONE);
        }
    }

    @Test
    void shouldNotKnowAPartitionThatTheGroupNeverFetched() {
        ShareFetchRequestData nothing = request("a", 0).setMaxWaitMs(0);
        nothing.topics().clear();
        fetch(nothing);

        assertThat(error(acknowledge(said("a", 1, 0, 1, ACCEPT)))).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void shouldRefuseWhatNobodyWasLentYet() {
        fetch(request("a", 0).setShareAcquireMode(RECORD_LIMIT).setMaxRecords(2));

        assertThat(error(acknowledge(said("a", 1, 1, 2, ACCEPT)))).isEqualTo(Errors.INVALID_REQUEST);
        fetch(request("b", 0));
        assertThat(error(acknowledge(said("a", 2, 1, 2, ACCEPT)))).isEqualTo(Errors.INVALID_RECORD_STATE);
        assertThat(error(acknowledge(said("a", 3, 0, 1, ACCEPT)))).isEqualTo(Errors.NONE);
    }

    @Test
    void shouldRefuseRangesThatAreNotInOrder() {
        fetch(request("a", 0));
        ShareAcknowledgeRequestData request = said("a", 1, 2, 3, ACCEPT);
        request.topics()
                .find(topic)
                .partitions()
                .find(0)
                .acknowledgementBatches()
                .add(batch(0, 1, List.of(ACCEPT)));

        assertThat(error(acknowledge(request))).isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void shouldRefuseWhatAnotherMemberHolds() {
        fetch(request("a", 0));
        fetch(request("b", 0).setMaxWaitMs(0));

        assertThat(error(acknowledge(said("b", 1, 0, 1, RELEASE)))).isEqualTo(Errors.INVALID_RECORD_STATE);
        assertThat(error(acknowledge(said("a", 1, 0, 1, ACCEPT)))).isEqualTo(Errors.NONE);
    }

    @Test
    void shouldRenewOnlyIfTheRequestSaysSoAndTheGroupMay() throws Exception {
        fetch(request("a", 0));
        assertThat(error(acknowledge(said("a", 1, 0, 4, RENEW).setIsRenewAck(true))))
                .isEqualTo(Errors.NONE);

        ShareFetchResponse wants =
                fetch(acknowledging(request("a", 2), 0, 4, RENEW)).error() == Errors.NONE
                        ? fetch(acknowledging(request("a", 3), 0, 4, RENEW).setIsRenewAck(true))
                        : fail();
        assertThat(wants.error()).isEqualTo(Errors.INVALID_REQUEST);
        ShareFetchResponse renewed = fetch(acknowledging(
                request("a", 3)
                        .setIsRenewAck(true)
                        .setMaxBytes(0)
                        .setMinBytes(0)
                        .setMaxRecords(0)
                        .setMaxWaitMs(0),
                0,
                4,
                RENEW));
        assertThat(partition(renewed).acknowledgeErrorCode()).isEqualTo(Errors.NONE.code());
        assertThat(partition(renewed).acquiredRecords()).isEmpty();

        set("share.renew.acknowledge.enable", "false");
        assertThat(error(acknowledge(said("a", 4, 0, 4, RENEW).setIsRenewAck(true))))
                .isEqualTo(Errors.INVALID_RECORD_STATE);
        assertThat(error(acknowledge(said("a", 5, 0, 4, ACCEPT).setIsRenewAck(true))))
                .isEqualTo(Errors.NONE);
    }

    private static ShareFetchResponse fail() {
        throw new AssertionError("the request failed as a whole");
    }

    // ---- requests -------------------------------------------------------------------------------------------------

    private ShareFetchRequestData request(String member, int epoch) {
        ShareFetchRequestData data = new ShareFetchRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setShareSessionEpoch(epoch)
                .setMaxWaitMs(3_000)
                .setMinBytes(1)
                .setMaxBytes(1 << 20)
                .setMaxRecords(100)
                .setBatchSize(100);
        if (epoch != LAST) {
            ShareFetchRequestData.FetchTopic wanted = new ShareFetchRequestData.FetchTopic().setTopicId(topic);
            wanted.partitions().add(new ShareFetchRequestData.FetchPartition().setPartitionIndex(0));
            data.topics().add(wanted);
        }
        return data;
    }

    private ShareFetchRequestData acknowledging(ShareFetchRequestData request, long first, long last, byte type) {
        ShareFetchRequestData.FetchTopic of = request.topics().find(topic);
        if (of == null) {
            of = new ShareFetchRequestData.FetchTopic().setTopicId(topic);
            of.partitions().add(new ShareFetchRequestData.FetchPartition().setPartitionIndex(0));
            request.topics().add(of);
        }
        of.partitions()
                .find(0)
                .acknowledgementBatches()
                .add(new ShareFetchRequestData.AcknowledgementBatch()
                        .setFirstOffset(first)
                        .setLastOffset(last)
                        .setAcknowledgeTypes(List.of(type)));
        return request;
    }

    private static ShareAcknowledgeRequestData.AcknowledgementBatch batch(long first, long last, List<Byte> types) {
        return new ShareAcknowledgeRequestData.AcknowledgementBatch()
                .setFirstOffset(first)
                .setLastOffset(last)
                .setAcknowledgeTypes(types);
    }

    private ShareAcknowledgeRequestData said(String member, int epoch, long first, long last, byte type) {
        return said(member, epoch, first, last, List.of(type));
    }

    private ShareAcknowledgeRequestData said(String member, int epoch, long first, long last, List<Byte> types) {
        ShareAcknowledgeRequestData.AcknowledgePartition partition =
                new ShareAcknowledgeRequestData.AcknowledgePartition().setPartitionIndex(0);
        partition.acknowledgementBatches().add(batch(first, last, types));
        ShareAcknowledgeRequestData.AcknowledgeTopic of =
                new ShareAcknowledgeRequestData.AcknowledgeTopic().setTopicId(topic);
        of.partitions().add(partition);
        ShareAcknowledgeRequestData data = new ShareAcknowledgeRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setShareSessionEpoch(epoch);
        data.topics().add(of);
        return data;
    }

    private ShareFetchResponse fetch(ShareFetchRequestData data) {
        return fetch((short) 2, data);
    }

    private ShareFetchResponse fetch(short version, ShareFetchRequestData data) {
        return (ShareFetchResponse)
                raw.ask(ApiKeys.SHARE_FETCH, version, new ShareFetchRequest.Builder(data).build(version));
    }

    private ShareAcknowledgeResponse acknowledge(ShareAcknowledgeRequestData data) {
        return (ShareAcknowledgeResponse) raw.ask(
                ApiKeys.SHARE_ACKNOWLEDGE, (short) 2, new ShareAcknowledgeRequest.Builder(data).build((short) 2));
    }

    private static Errors error(ShareAcknowledgeResponse response) {
        assertThat(response.error()).isEqualTo(Errors.NONE);
        return Errors.forCode(response.data()
                .responses()
                .iterator()
                .next()
                .partitions()
                .getFirst()
                .errorCode());
    }

    private static ShareFetchResponseData.PartitionData partition(ShareFetchResponse response) {
        assertThat(response.data().responses()).hasSize(1);
        return response.data().responses().iterator().next().partitions().getFirst();
    }

    private static List<Long> acquired(ShareFetchResponse response) {
        List<Long> offsets = new ArrayList<>();
        response.data()
                .responses()
                .forEach(of -> of.partitions()
                        .forEach(partition -> partition.acquiredRecords().forEach(records -> {
                            for (long offset = records.firstOffset(); offset <= records.lastOffset(); offset++) {
                                offsets.add(offset);
                            }
                        })));
        return offsets;
    }
}
