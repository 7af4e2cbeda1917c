package io.millrace.broker.kafka;

import static io.millrace.broker.kafka.AdminCalls.assertFails;
import static io.millrace.broker.kafka.AdminCalls.await;
import static io.millrace.broker.kafka.AdminCalls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What administrators see of transactions of Kafka's producers, and how they end one that hangs. */
class TransactionAdminTest {

    private static final TopicPartition PARTITION = new TopicPartition("a", 1);

    private EmbeddedBroker broker;
    private Admin admin;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
        await(admin.createTopics(List.of(new NewTopic("a", 2, (short) 1))).all());
    }

    @AfterEach
    void close() {
        admin.close();
        broker.close();
    }

    private KafkaProducer<String, String> begun(String id) throws Exception {
        KafkaProducer<String, String> producer =
                KafkaClients.producer(broker, Map.of("transactional.id", id, "transaction.timeout.ms", 50_000));
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("a", 1, null, "of " + id)).get(20, TimeUnit.SECONDS);
        return producer;
    }

    @Test
    void shouldDescribeATransaction() throws Exception {
        try (KafkaProducer<String, String> producer = begun("one");
                KafkaConsumer<String, String> group = KafkaClients.consumer(broker, Map.of("group.id", "g"))) {
            producer.sendOffsetsToTransaction(Map.of(PARTITION, new OffsetAndMetadata(1)), group.groupMetadata());

            TransactionDescription open =
                    get(admin.describeTransactions(List.of("one")).description("one"));

            assertThat(open.state()).isEqualTo(TransactionState.ONGOING);
            assertThat(open.transactionTimeoutMs()).isEqualTo(50_000);
            assertThat(open.transactionStartTimeMs()).isPresent();
            assertThat(open.topicPartitions())
                    .contains(PARTITION)
                    .anyMatch(partition -> partition.topic().equals("__consumer_offsets"))
                    .hasSize(2);
            producer.commitTransaction();
            TransactionDescription over =
                    get(admin.describeTransactions(List.of("one")).description("one"));
            assertThat(over.state()).isIn(TransactionState.COMPLETE_COMMIT, TransactionState.PREPARE_COMMIT);
        }
        assertFails(admin.describeTransactions(List.of("other")).all(), TransactionalIdNotFoundException.class);
    }

    @Test
    void shouldListTransactionsByWhatIsAskedFor() throws Exception {
        try (KafkaProducer<String, String> open = begun("open.1");
                KafkaProducer<String, String> over = begun("over.1")) {
            over.abortTransaction();
            long openId = get(admin.describeTransactions(List.of("open.1")).description("open.1"))
                    .producerId();

            assertThat(ids(new ListTransactionsOptions())).containsExactlyInAnyOrder("open.1", "over.1");
            assertThat(ids(new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING))))
                    .containsExactly("open.1");
            assertThat(ids(new ListTransactionsOptions().filterProducerIds(Set.of(openId))))
                    .containsExactly("open.1");
            assertThat(ids(new ListTransactionsOptions().filterOnTransactionalIdPattern("ov.*")))
                    .containsExactly("over.1");
            assertThat(ids(new ListTransactionsOptions().filterOnTransactionalIdPattern("ov")))
                    .isEmpty();
            assertThat(ids(new ListTransactionsOptions().filterOnDuration(3_600_000)))
                    .isEmpty();
            assertThat(ids(new ListTransactionsOptions()
                            .filterStates(Set.of(TransactionState.ONGOING))
                            .filterOnDuration(0)))
                    .isSubsetOf("open.1");
            assertFails(
                    admin.listTransactions(new ListTransactionsOptions().filterOnTransactionalIdPattern("("))
                            .all(),
                    InvalidRegularExpression.class);
            open.abortTransaction();
        }
    }

    private List<String> ids(ListTransactionsOptions options) {
        Collection<TransactionListing> listed =
                get(admin.listTransactions(options).all());
        return listed.stream().map(TransactionListing::transactionalId).toList();
    }

    private ProducerState producer() {
        return get(admin.describeProducers(List.of(PARTITION)).partitionResult(PARTITION))
                .activeProducers()
                .getFirst();
    }

    @Test
    void shouldEndATransactionThatHangsInAPartition() throws Exception {
        try (KafkaProducer<String, String> hangs = begun("hangs")) {
            hangs.commitTransaction();
            hangs.beginTransaction();
            hangs.send(new ProducerRecord<>("a", 1, null, "hangs")).get(20, TimeUnit.SECONDS);
            ProducerState open = producer();
            assertThat(open.currentTransactionStartOffset()).hasValue(2);
            assertFails(
                    admin.abortTransaction(new AbortTransactionSpec(
                                    PARTITION, open.producerId(), (short) (open.producerEpoch() - 1), 0))
                            .all(),
                    InvalidProducerEpochException.class);

            await(admin.abortTransaction(new AbortTransactionSpec(
                            PARTITION,
                            open.producerId(),
                            (short) open.producerEpoch(),
                            open.coordinatorEpoch().orElse(0)))
                    .all());

            assertThat(producer().currentTransactionStartOffset()).isEmpty();
            // Not all of it can be committed any more, so nothing is.
            assertThatThrownBy(hangs::commitTransaction).isInstanceOf(KafkaException.class);
        }
    }
}
