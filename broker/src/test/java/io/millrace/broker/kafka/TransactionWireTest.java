package io.millrace.broker.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransactionCollection;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AddOffsetsToTxnRequest;
import org.apache.kafka.common.requests.AddOffsetsToTxnResponse;
import org.apache.kafka.common.requests.AddPartitionsToTxnRequest;
import org.apache.kafka.common.requests.AddPartitionsToTxnResponse;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.common.requests.EndTxnResponse;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests about transactions in versions of clients new and old, right and wrong, and the errors that Apache Kafka 4.4 answers them with. */
class TransactionWireTest {

    private static final short NEWEST_BY_NAME = 12;

    private static EmbeddedBroker broker;

    private RawKafka kafka;
    private String id = "";

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("log.flush", "os")
                .start();
        try (Admin admin = Admin.create(KafkaClients.config(broker, Map.of()))) {
            AdminCalls.await(admin.createTopics(List.of(new NewTopic("topic", 2, (short) 1)))
                    .all());
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void connect(TestInfo test) {
        kafka = new RawKafka(broker.port());
        id = test.getDisplayName() + "/" + test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void disconnect() {
        kafka.close();
    }

    private InitProducerIdResponseData init(short version, long producerId, short epoch) {
        return ((InitProducerIdResponse) kafka.ask(
                        ApiKeys.INIT_PRODUCER_ID,
                        version,
                        new InitProducerIdRequest.Builder(new InitProducerIdRequestData()
                                        .setTransactionalId(id)
                                        .setTransactionTimeoutMs(60_000)
                                        .setProducerId(producerId)
                                        .setProducerEpoch(epoch))
                                .build(version)))
                .data();
    }

    private InitProducerIdResponseData init() {
        return init((short) 5, -1, (short) -1);
    }

    private MemoryRecords batch(InitProducerIdResponseData producer, int sequence) {
        return MemoryRecords.withTransactionalRecords(
                Compression.NONE,
                producer.producerId(),
                producer.producerEpoch(),
                sequence,
                new SimpleRecord("value".getBytes(UTF_8)));
    }

    private Errors produce(short version, @Nullable String transactionalId, MemoryRecords batch) {
        ProduceResponse answer =
                (ProduceResponse) kafka.ask(ApiKeys.PRODUCE, version, produceRequest(version, transactionalId, batch));
        return Errors.forCode(only(answer).errorCode());
    }

    private static ProduceRequest produceRequest(short version, @Nullable String transactionalId, MemoryRecords batch) {
        ProduceRequestData data = new ProduceRequestData()
                .setTransactionalId(transactionalId)
                .setAcks((short) -1)
                .setTimeoutMs(10_000);
        data.topicData()
                .add(new ProduceRequestData.TopicProduceData()
                        .setName("topic")
                        .setTopicId(Uuid.ZERO_UUID)
                        .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(batch))));
        return new ProduceRequest(data, version);
    }

    private static ProduceResponseData.PartitionProduceResponse only(ProduceResponse answer) {
        return answer.data().responses().iterator().next().partitionResponses().getFirst();
    }

    private EndTxnResponseData end(short version, long producerId, int epoch, boolean commit) {
        return ((EndTxnResponse) kafka.ask(
                        ApiKeys.END_TXN,
                        version,
                        new EndTxnRequest.Builder(
                                        new EndTxnRequestData()
                                                .setTransactionalId(id)
                                                .setProducerId(producerId)
                                                .setProducerEpoch((short) epoch)
                                                .setCommitted(commit),
                                        true)
                                .build(version)))
                .data();
    }

    private static AddPartitionsToTxnTopicCollection topics(int... partitions) {
        AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection();
        AddPartitionsToTxnTopic topic = new AddPartitionsToTxnTopic().setName("topic");
        for (int partition : partitions) {
            topic.partitions().add(partition);
        }
        topics.add(topic);
        return topics;
    }

    private Map<TopicPartition, Errors> add(short version, long producerId, int epoch, int... partitions) {
        AddPartitionsToTxnRequestData data = new AddPartitionsToTxnRequestData()
                .setV3AndBelowTransactionalId(id)
                .setV3AndBelowProducerId(producerId)
                .setV3AndBelowProducerEpoch((short) epoch)
                .setV3AndBelowTopics(topics(partitions));
        AddPartitionsToTxnResponse answer = (AddPartitionsToTxnResponse)
                kafka.ask(ApiKeys.ADD_PARTITIONS_TO_TXN, version, new AddPartitionsToTxnRequest(data, version));
        return AdminCalls.valueIn(answer.errors(), AddPartitionsToTxnResponse.V3_AND_BELOW_TXN_ID);
    }

    private static final TopicPartition ZERO = new TopicPartition("topic", 0);

    @ParameterizedTest
    @CsvSource({"7, INVALID_TXN_STATE", "10, INVALID_TXN_STATE", "11, TRANSACTION_ABORTABLE", "12, NONE"})
    void shouldTakeBatchesOfPartitionsThatWereNotAddedSinceVersion12(short version, Errors expected) {
        InitProducerIdResponseData producer = init();

        assertThat(produce(version, id, batch(producer, 0))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(shorts = {3, 7, 11})
    void shouldTakeBatchesOfPartitionsThatWereAdded(short version) {
        InitProducerIdResponseData producer = init();
        assertThat(add((short) 3, producer.producerId(), producer.producerEpoch(), 0))
                .containsEntry(ZERO, Errors.NONE);

        assertThat(produce(version, id, batch(producer, 0))).isEqualTo(Errors.NONE);
        assertThat(produce(version, id, batch(producer, 1))).isEqualTo(Errors.NONE);
        // What is sent once more is there already.
        assertThat(produce(version, id, batch(producer, 1))).isEqualTo(Errors.NONE);
        assertThat(end((short) 3, producer.producerId(), producer.producerEpoch(), true)
                        .errorCode())
                .isZero();
        // The answer to an end may be lost, and it is asked for once more.
        assertThat(end((short) 3, producer.producerId(), producer.producerEpoch(), true)
                        .errorCode())
                .isZero();
    }

    /** The first one waits for the coordinator, and nobody overtakes it. */
    @Test
    void shouldKeepTheOrderOfBatchesThatAreSentWithoutWaiting() {
        InitProducerIdResponseData producer = init();
        List<RequestHeader> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            sent.add(kafka.send(
                    ApiKeys.PRODUCE, NEWEST_BY_NAME, produceRequest(NEWEST_BY_NAME, id, batch(producer, i))));
        }

        List<Long> offsets = new ArrayList<>();
        for (RequestHeader header : sent) {
            var answer = only((ProduceResponse) AbstractResponse.parseResponse(kafka.frame(), header));
            assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
            offsets.add(answer.baseOffset());
        }

        long first = offsets.getFirst();
        assertThat(offsets).containsExactly(first, first + 1, first + 2, first + 3, first + 4);
    }

    /** If the first one is refused, so are those that wait behind it: none of them is there without it. */
    @Test
    void shouldRefuseWhatIsBehindABatchThatIsRefused() {
        InitProducerIdResponseData producer = init();
        producer.setProducerEpoch((short) (producer.producerEpoch() + 1));
        List<RequestHeader> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            sent.add(kafka.send(
                    ApiKeys.PRODUCE, NEWEST_BY_NAME, produceRequest(NEWEST_BY_NAME, id, batch(producer, i))));
        }

        for (RequestHeader header : sent) {
            var answer = only((ProduceResponse) AbstractResponse.parseResponse(kafka.frame(), header));
            assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        }
    }

    @Test
    void shouldCommitThoughNothingWasWrittenToSomePartition() {
        InitProducerIdResponseData producer = init();
        assertThat(add((short) 3, producer.producerId(), producer.producerEpoch(), 0, 1))
                .containsEntry(ZERO, Errors.NONE);
        assertThat(addOffsets((short) 3, producer)).isEqualTo(Errors.NONE);
        assertThat(produce((short) 11, id, batch(producer, 0))).isEqualTo(Errors.NONE);

        EndTxnResponseData ended = end((short) 3, producer.producerId(), producer.producerEpoch(), true);

        assertThat(Errors.forCode(ended.errorCode())).isEqualTo(Errors.NONE);
        // Nothing is left of it that the next one could meet.
        assertThat(produce((short) 11, id, batch(producer, 1))).isEqualTo(Errors.TRANSACTION_ABORTABLE);
    }

    /** As @platformatic/kafka does: it adds partitions by the request that brokers send. */
    @Test
    void shouldServeAClientThatMixesTheProtocols() {
        InitProducerIdResponseData producer = init();
        for (int i = 0; i < 3; i++) {
            AddPartitionsToTxnTransactionCollection transactions = new AddPartitionsToTxnTransactionCollection();
            transactions.add(new AddPartitionsToTxnTransaction()
                    .setTransactionalId(id)
                    .setProducerId(producer.producerId())
                    .setProducerEpoch(producer.producerEpoch())
                    .setTopics(topics(0)));
            AddPartitionsToTxnResponse added = (AddPartitionsToTxnResponse) kafka.ask(
                    ApiKeys.ADD_PARTITIONS_TO_TXN,
                    (short) 5,
                    new AddPartitionsToTxnRequest(
                            new AddPartitionsToTxnRequestData().setTransactions(transactions), (short) 5));
            assertThat(added.errors().get(id)).containsOnly(Map.entry(ZERO, Errors.NONE));

            assertThat(produce((short) 11, id, batch(producer, i))).isEqualTo(Errors.NONE);

            EndTxnResponseData ended = end((short) 4, producer.producerId(), producer.producerEpoch(), i != 1);
            assertThat(Errors.forCode(ended.errorCode())).isEqualTo(Errors.NONE);
        }
    }

    @Test
    void shouldRefuseTransactionalBatchesWithoutATransactionalId() {
        assertThat(produce(NEWEST_BY_NAME, null, batch(init(), 0)))
                .isEqualTo(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
    }

    @Test
    void shouldRefuseOtherBatchesOfAProducerInATransaction() {
        InitProducerIdResponseData producer = init();
        assertThat(produce(NEWEST_BY_NAME, id, batch(producer, 0))).isEqualTo(Errors.NONE);

        MemoryRecords plain = MemoryRecords.withIdempotentRecords(
                Compression.NONE,
                producer.producerId(),
                producer.producerEpoch(),
                1,
                new SimpleRecord("value".getBytes(UTF_8)));

        assertThat(produce(NEWEST_BY_NAME, id, plain)).isEqualTo(Errors.INVALID_TXN_STATE);
    }

    @Test
    void shouldRefuseToBeginInTheMiddle() {
        assertThat(produce(NEWEST_BY_NAME, id, batch(init(), 3))).isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
    }

    @Test
    void shouldRefuseBatchesOfAnOlderEpoch() {
        InitProducerIdResponseData before = init();
        assertThat(produce(NEWEST_BY_NAME, id, batch(before, 0))).isEqualTo(Errors.NONE);
        init();

        assertThat(produce(NEWEST_BY_NAME, id, batch(before, 1))).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void shouldRefuseBatchesOfAnIdThatIsNotKnown() {
        InitProducerIdResponseData producer = init();

        assertThat(produce(NEWEST_BY_NAME, "somebody else", batch(producer, 0)))
                .isEqualTo(Errors.INVALID_PRODUCER_ID_MAPPING);
    }

    @ParameterizedTest
    @CsvSource({"3, INVALID_PRODUCER_EPOCH", "4, PRODUCER_FENCED", "5, PRODUCER_FENCED"})
    void shouldNotGoOnWithAnIdentityThatSomebodyTookOver(short version, Errors expected) {
        InitProducerIdResponseData before = init();
        init();
        init();

        assertThat(Errors.forCode(init(version, before.producerId(), before.producerEpoch())
                        .errorCode()))
                .isEqualTo(expected);
    }

    @Test
    void shouldGiveTheNextEpochToAProducerThatGoesOn() {
        InitProducerIdResponseData before = init();

        InitProducerIdResponseData after = init((short) 5, before.producerId(), before.producerEpoch());

        assertThat(after.errorCode()).isZero();
        assertThat(after.producerId()).isEqualTo(before.producerId());
        assertThat(after.producerEpoch()).isEqualTo((short) (before.producerEpoch() + 1));
    }

    @Test
    void shouldRefuseIdentitiesThatAreNone() {
        assertThat(Errors.forCode(init((short) 5, 4, (short) -1).errorCode())).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(Errors.forCode(init((short) 5, -1, (short) 4).errorCode())).isEqualTo(Errors.INVALID_REQUEST);
    }

    @ParameterizedTest
    @CsvSource({"1, INVALID_PRODUCER_EPOCH", "2, PRODUCER_FENCED", "5, PRODUCER_FENCED"})
    void shouldNotEndTheTransactionOfAnother(short version, Errors expected) {
        InitProducerIdResponseData producer = init();

        assertThat(Errors.forCode(end(version, producer.producerId(), producer.producerEpoch() + 7, true)
                        .errorCode()))
                .isEqualTo(expected);
        assertThat(Errors.forCode(end(version, producer.producerId() + 7, producer.producerEpoch(), true)
                        .errorCode()))
                .isEqualTo(Errors.INVALID_PRODUCER_ID_MAPPING);
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, 3, 4, 5})
    void shouldNotCommitWhatWasNotBegun(short version) {
        InitProducerIdResponseData producer = init();

        assertThat(Errors.forCode(end(version, producer.producerId(), producer.producerEpoch(), true)
                        .errorCode()))
                .isEqualTo(Errors.INVALID_TXN_STATE);
    }

    @Test
    void shouldGiveANewEpochAtEachEndSinceVersion5() {
        InitProducerIdResponseData producer = init();
        assertThat(produce(NEWEST_BY_NAME, id, batch(producer, 0))).isEqualTo(Errors.NONE);

        EndTxnResponseData ended = end((short) 5, producer.producerId(), producer.producerEpoch(), true);
        EndTxnResponseData again = end((short) 5, producer.producerId(), producer.producerEpoch(), true);

        assertThat(ended.errorCode()).isZero();
        assertThat(ended.producerEpoch()).isEqualTo((short) (producer.producerEpoch() + 1));
        assertThat(again).isEqualTo(ended);
    }

    /** A producer id has 32,767 epochs; the producer gets another id then, and does not notice. */
    @Test
    @Tag("long")
    void shouldGiveAnotherProducerIdWhenEpochsAreUsedUp() {
        InitProducerIdResponseData producer = init();
        long first = producer.producerId();
        for (int i = 0; i < Short.MAX_VALUE - 2; i++) {
            producer = init();
            assertThat(producer.errorCode()).isZero();
        }
        assertThat(producer.producerId()).isEqualTo(first);
        assertThat(producer.producerEpoch()).isEqualTo((short) (Short.MAX_VALUE - 2));
        EndTxnResponseData last = transact(producer);
        assertThat(last.producerId()).isEqualTo(first);
        assertThat(last.producerEpoch()).isEqualTo((short) (Short.MAX_VALUE - 1));

        EndTxnResponseData next = transact(identity(last));

        assertThat(next.producerId()).isNotEqualTo(first);
        assertThat(next.producerEpoch()).isZero();
        EndTxnResponseData further = transact(identity(next));
        assertThat(further.producerId()).isEqualTo(next.producerId());
        assertThat(further.producerEpoch()).isEqualTo((short) 1);
    }

    private static InitProducerIdResponseData identity(EndTxnResponseData ended) {
        return new InitProducerIdResponseData()
                .setProducerId(ended.producerId())
                .setProducerEpoch(ended.producerEpoch());
    }

    private EndTxnResponseData transact(InitProducerIdResponseData producer) {
        assertThat(produce(NEWEST_BY_NAME, id, batch(producer, 0))).isEqualTo(Errors.NONE);
        EndTxnResponseData ended = end((short) 5, producer.producerId(), producer.producerEpoch(), true);
        assertThat(Errors.forCode(ended.errorCode())).isEqualTo(Errors.NONE);
        return ended;
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, 1, 2, 3})
    void shouldAddAllPartitionsOrNone(short version) {
        InitProducerIdResponseData producer = init();

        Map<TopicPartition, Errors> some = add(version, producer.producerId(), producer.producerEpoch(), 0, 2);

        assertThat(some)
                .containsEntry(ZERO, Errors.OPERATION_NOT_ATTEMPTED)
                .containsEntry(new TopicPartition("topic", 2), Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(produce((short) 11, id, batch(producer, 0))).isEqualTo(Errors.TRANSACTION_ABORTABLE);
        assertThat(add(version, producer.producerId(), producer.producerEpoch(), 0, 1))
                .containsOnly(Map.entry(ZERO, Errors.NONE), Map.entry(new TopicPartition("topic", 1), Errors.NONE));
        assertThat(add(version, producer.producerId(), producer.producerEpoch() + 1, 0))
                .containsEntry(ZERO, version < 2 ? Errors.INVALID_PRODUCER_EPOCH : Errors.PRODUCER_FENCED);
        assertThat(add(version, -3, 0, 0)).containsEntry(ZERO, Errors.INVALID_PRODUCER_ID_MAPPING);
    }

    @ParameterizedTest
    @CsvSource({"4, INVALID_TXN_STATE", "5, TRANSACTION_ABORTABLE"})
    void shouldTellBrokersWhetherAPartitionWasAdded(short version, Errors expected) {
        InitProducerIdResponseData producer = init();
        assertThat(add((short) 3, producer.producerId(), producer.producerEpoch(), 0))
                .containsEntry(ZERO, Errors.NONE);
        AddPartitionsToTxnTransactionCollection transactions = new AddPartitionsToTxnTransactionCollection();
        transactions.add(new AddPartitionsToTxnTransaction()
                .setTransactionalId(id)
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setVerifyOnly(true)
                .setTopics(topics(0, 1)));

        AddPartitionsToTxnResponse answer = (AddPartitionsToTxnResponse) kafka.ask(
                ApiKeys.ADD_PARTITIONS_TO_TXN,
                version,
                new AddPartitionsToTxnRequest(
                        new AddPartitionsToTxnRequestData().setTransactions(transactions), version));

        assertThat(answer.errors().get(id))
                .containsOnly(Map.entry(ZERO, Errors.NONE), Map.entry(new TopicPartition("topic", 1), expected));
    }

    @ParameterizedTest
    @CsvSource({"0, INVALID_TXN_STATE", "3, INVALID_TXN_STATE", "4, TRANSACTION_ABORTABLE", "5, NONE"})
    void shouldTakeOffsetsOfGroupsThatWereNotAddedSinceVersion5(short version, Errors expected) {
        InitProducerIdResponseData producer = init();

        assertThat(commitOffset(version, producer)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, 1, 2, 3, 4})
    void shouldTakeOffsetsOfGroupsThatWereAdded(short version) {
        InitProducerIdResponseData producer = init();
        assertThat(addOffsets(version, producer)).isEqualTo(Errors.NONE);

        assertThat(commitOffset(version, producer)).isEqualTo(Errors.NONE);

        assertThat(end((short) 4, producer.producerId(), producer.producerEpoch(), true)
                        .errorCode())
                .isZero();
    }

    private Errors addOffsets(short version, InitProducerIdResponseData producer) {
        AddOffsetsToTxnResponse added = (AddOffsetsToTxnResponse) kafka.ask(
                ApiKeys.ADD_OFFSETS_TO_TXN,
                version,
                new AddOffsetsToTxnRequest.Builder(new AddOffsetsToTxnRequestData()
                                .setTransactionalId(id)
                                .setProducerId(producer.producerId())
                                .setProducerEpoch(producer.producerEpoch())
                                .setGroupId("group"))
                        .build(version));
        return Errors.forCode(added.data().errorCode());
    }

    private Errors commitOffset(short version, InitProducerIdResponseData producer) {
        TxnOffsetCommitRequestData data = new TxnOffsetCommitRequestData()
                .setTransactionalId(id)
                .setGroupId("group")
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setTopics(List.of(new TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic()
                        .setName("topic")
                        .setPartitions(List.of(new TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition()
                                .setPartitionIndex(0)
                                .setCommittedOffset(1)
                                .setCommittedMetadata("")))));
        TxnOffsetCommitResponse answer = (TxnOffsetCommitResponse)
                kafka.ask(ApiKeys.TXN_OFFSET_COMMIT, version, new TxnOffsetCommitRequest(data, version));
        return Errors.forCode(
                answer.data().topics().getFirst().partitions().getFirst().errorCode());
    }
}
