package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ConfigEntry;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.CreateDestination;
import io.millrace.wire.frame.DeleteDestination;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DescribeLog;
import io.millrace.wire.frame.DescribedConfig;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.DestinationSummary;
import io.millrace.wire.frame.DestinationsListed;
import io.millrace.wire.frame.ListDestinations;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.PartitionDescription;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.name.DestinationKind;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DestinationTest {

    private final TestBroker broker = TestBroker.start("num.partitions", "2");
    private final RawClient client = RawClient.connect(broker.port());

    @BeforeEach
    void open() {
        client.openSession(1, UUID.randomUUID());
    }

    @AfterEach
    void close() {
        client.close();
        broker.close();
    }

    private List<DestinationSummary> list(Optional<DestinationKind> kind) {
        return client.request(DestinationsListed.class, corr -> new ListDestinations(corr, kind))
                .destinations();
    }

    @Test
    void shouldCreateADestinationWhenItIsFirstUsed() {
        DestinationDescribed created = client.describe(DestinationKind.QUEUE, "orders");
        DestinationDescribed found = client.describe(DestinationKind.QUEUE, "orders");

        assertThat(found.logId()).isEqualTo(created.logId());
        assertThat(created.partitions()).hasSize(2).allSatisfy(partition -> {
            assertThat(partition.leaderBrokerId()).isEqualTo(1);
            assertThat(partition.host()).isEqualTo("127.0.0.1");
            assertThat(partition.port()).isEqualTo(broker.port());
        });
        assertThat(created.maxMessageBytes()).isEqualTo(64 << 20);
    }

    @Test
    void shouldCreateADestinationOnceThoughManyAskForIt() {
        List<RawClient> clients = IntStream.range(0, 8)
                .mapToObj(i -> RawClient.connect(broker.port()))
                .toList();
        List<CompletableFuture<UUID>> answers = clients.stream()
                .map(asking -> asking.start(corr ->
                                new DescribeDestination(corr, Optional.of(DestinationKind.TOPIC), "popular", true))
                        .thenApply(answer -> ((DestinationDescribed) answer).logId()))
                .toList();

        assertThat(answers.stream().map(RawClient::join).distinct()).hasSize(1);
        clients.forEach(RawClient::close);
    }

    @Test
    void shouldNotCreateWhatIsOnlyAskedFor() {
        assertThat(client.failure(corr -> new DescribeDestination(corr, Optional.empty(), "nothing", false))
                        .code())
                .isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
        assertThat(client.failure(corr ->
                                new DescribeDestination(corr, Optional.of(DestinationKind.QUEUE), "nothing", false))
                        .code())
                .isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
        assertThat(list(Optional.empty())).isEmpty();
    }

    @Test
    void shouldNotCreateOnFirstUseWhereThatIsSwitchedOff() {
        try (TestBroker strict = TestBroker.start("auto.create.topics.enable", "false");
                RawClient asking = RawClient.connect(strict.port())) {
            assertThat(asking.failure(corr ->
                                    new DescribeDestination(corr, Optional.of(DestinationKind.QUEUE), "orders", true))
                            .message())
                    .contains("auto.create.topics.enable");
            asking.request(
                    DestinationDescribed.class,
                    corr -> new CreateDestination(corr, DestinationKind.QUEUE, "orders", -1, List.of()));
            assertThat(asking.describe(DestinationKind.QUEUE, "orders").kind()).isEqualTo(DestinationKind.QUEUE);
        }
    }

    @Test
    void shouldKeepTheKindOfAName() {
        DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");

        assertThat(client.failure(corr ->
                                new DescribeDestination(corr, Optional.of(DestinationKind.TOPIC), "orders", true))
                        .code())
                .isEqualTo(ErrorCode.WRONG_DESTINATION_KIND);
        assertThat(client.failure(corr -> new CreateDestination(corr, DestinationKind.TOPIC, "orders", 1, List.of()))
                        .code())
                .isEqualTo(ErrorCode.WRONG_DESTINATION_KIND);
        assertThat(client.failure(corr -> new OpenConsumer(
                                corr,
                                1,
                                1,
                                queue.logId(),
                                0,
                                ConsumerSource.PRIVATE,
                                OpenConsumer.NO_SUBSCRIPTION,
                                StartPosition.LATEST,
                                -1,
                                1,
                                1,
                                List.of()))
                        .code())
                .isEqualTo(ErrorCode.WRONG_DESTINATION_KIND);
        assertThat(client.request(
                                DestinationDescribed.class,
                                corr -> new DescribeDestination(corr, Optional.empty(), "orders", false))
                        .kind())
                .isEqualTo(DestinationKind.QUEUE);
    }

    @Test
    void shouldCreateWithPartitionsAndSettings() {
        DestinationDescribed created = client.request(
                DestinationDescribed.class,
                corr -> new CreateDestination(
                        corr,
                        DestinationKind.TOPIC,
                        "wide",
                        5,
                        List.of(new ConfigEntry("retention.ms", "60000"), new ConfigEntry("flush", "os"))));

        assertThat(created.partitions()).hasSize(5);
        List<DescribedConfig> config = client.describeLog(created).config();
        assertThat(config)
                .contains(
                        new DescribedConfig("retention.ms", "60000", false),
                        new DescribedConfig("flush", "os", false),
                        new DescribedConfig("segment.bytes", "1073741824", true));
        assertThat(client.failure(corr -> new CreateDestination(corr, DestinationKind.TOPIC, "wide", 5, List.of()))
                        .code())
                .isEqualTo(ErrorCode.DESTINATION_EXISTS);
    }

    @Test
    void shouldListWhatThereIs() {
        DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
        DestinationDescribed topic = client.describe(DestinationKind.TOPIC, "news of today");
        new RawProducer(client, 1, queue).send("one", "two", "three");
        new RawProducer(client, 1, topic).send("extra");
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 1);
        consumer.acknowledge(consumer.receive(1));

        assertThat(list(Optional.empty()))
                .extracting(DestinationSummary::name, DestinationSummary::partitions, DestinationSummary::messages)
                .containsExactlyInAnyOrder(tuple("orders", 2, 2L), tuple("news of today", 2, 1L));
        assertThat(list(Optional.of(DestinationKind.QUEUE)))
                .extracting(DestinationSummary::name)
                .containsExactly("orders");
        assertThat(list(Optional.of(DestinationKind.TOPIC)))
                .singleElement()
                .satisfies(summary -> assertThat(summary.bytes()).isPositive());
    }

    @Test
    void shouldDescribePartitionsAndCursors() {
        DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
        new RawProducer(client, 1, queue).send("one", "two", "three");
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 2);
        consumer.acknowledge(consumer.receive(2).subList(0, 1));

        List<PartitionDescription> partitions = client.describeLog(queue).partitions();

        assertThat(partitions).hasSize(2);
        assertThat(partitions.get(0).logEnd()).isEqualTo(3);
        assertThat(partitions.get(0).highWatermark()).isEqualTo(3);
        assertThat(partitions.get(0).cursors()).singleElement().satisfies(cursor -> {
            assertThat(cursor.nextOffset()).isEqualTo(1);
            assertThat(cursor.unacknowledged()).isEqualTo(2);
            assertThat(cursor.acquired()).isEqualTo(1);
            assertThat(cursor.consumers()).isEqualTo(1);
        });
        assertThat(partitions.get(1).cursors()).isEmpty();
        assertThat(client.failure(corr -> new DescribeLog(corr, UUID.randomUUID()))
                        .code())
                .isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldRefuseToDeleteWhatIsNotThereOrOfTheOtherKind() {
        client.describe(DestinationKind.QUEUE, "orders");

        assertThat(client.failure(corr -> new DeleteDestination(corr, DestinationKind.TOPIC, "orders"))
                        .code())
                .isEqualTo(ErrorCode.WRONG_DESTINATION_KIND);
        assertThat(client.failure(corr -> new DeleteDestination(corr, DestinationKind.QUEUE, "nothing"))
                        .code())
                .isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
        try (TestBroker strict = TestBroker.start("delete.topic.enable", "false");
                RawClient asking = RawClient.connect(strict.port())) {
            asking.describe(DestinationKind.QUEUE, "orders");
            assertThat(asking.failure(corr -> new DeleteDestination(corr, DestinationKind.QUEUE, "orders"))
                            .code())
                    .isEqualTo(ErrorCode.NOT_AUTHORIZED);
        }
    }

    @Test
    void shouldStopAtTheLimitOfDestinations() {
        try (TestBroker small = TestBroker.start("max.destinations", "2");
                RawClient asking = RawClient.connect(small.port())) {
            asking.describe(DestinationKind.QUEUE, "a");
            asking.describe(DestinationKind.TOPIC, "b");

            assertThat(asking.failure(corr ->
                                    new DescribeDestination(corr, Optional.of(DestinationKind.QUEUE), "c", true))
                            .code())
                    .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        }
    }
}
