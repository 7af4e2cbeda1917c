package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.CreateDestination;
import io.millrace.wire.frame.CreateTemporary;
import io.millrace.wire.frame.DeleteTemporary;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.name.TemporaryName;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients that do not keep to the rules can do to the temporary destinations of others (Jakarta Messaging 6.2.2): nothing. */
class TemporaryDestinationsOfOthersTest {

    private static final UUID KEY = new UUID(1, 2);

    private final TestBroker broker = TestBroker.start("session.grace.ms", "200", "temporary.max.destinations", "3");
    private final RawClient owner = RawClient.inSession(broker.port());

    @AfterEach
    void close() {
        owner.close();
        broker.close();
    }

    private static DestinationDescribed create(RawClient client, UUID key, Optional<String> name) {
        return client.request(
                DestinationDescribed.class, corr -> new CreateTemporary(corr, DestinationKind.QUEUE, key, name));
    }

    private static OpenConsumer open(int corr, DestinationDescribed queue) {
        return new OpenConsumer(
                corr,
                1,
                1,
                queue.logId(),
                0,
                ConsumerSource.QUEUE,
                OpenConsumer.NO_SUBSCRIPTION,
                StartPosition.LATEST,
                -1,
                10,
                10_000,
                List.of());
    }

    @Test
    void shouldRefuseThatAnotherConnectionConsumesDeletesOrTakesItUp() {
        DestinationDescribed queue = create(owner, KEY, Optional.empty());
        try (RawClient thief = RawClient.inSession(broker.port())) {
            assertThat(thief.failure(corr -> open(corr, queue)).code()).isEqualTo(ErrorCode.INVALID_DESTINATION);
            assertThat(thief.failure(corr -> new DeleteTemporary(corr, queue.name()))
                            .code())
                    .isEqualTo(ErrorCode.INVALID_DESTINATION);
            assertThat(thief.failure(corr ->
                                    new CreateTemporary(corr, DestinationKind.QUEUE, KEY, Optional.of(queue.name())))
                            .code())
                    .isEqualTo(ErrorCode.INVALID_DESTINATION);
            assertThat(thief.failure(corr -> new CreateTemporary(
                                    corr, DestinationKind.QUEUE, UUID.randomUUID(), Optional.of(queue.name())))
                            .message())
                    .contains("cannot be taken up");
        }
        assertThat(create(owner, KEY, Optional.empty()).logId()).isEqualTo(queue.logId());
        assertThat(owner.request(Done.class, corr -> new DeleteTemporary(corr, queue.name())))
                .isNotNull();
    }

    @Test
    void shouldGiveNobodyANameThatTheKeyDoesNotShow() {
        for (String name : List.of(
                "orders",
                TemporaryName.of(DestinationKind.QUEUE, 1, 1, UUID.randomUUID()).toString(),
                TemporaryName.of(DestinationKind.TOPIC, 1, 0, KEY).toString(),
                TemporaryName.of(DestinationKind.QUEUE, 2, 0, KEY).toString(),
                TemporaryName.of(DestinationKind.QUEUE, 1, Long.MAX_VALUE / 100, KEY)
                        .toString())) {
            assertThat(owner.failure(corr -> new CreateTemporary(corr, DestinationKind.QUEUE, KEY, Optional.of(name)))
                            .code())
                    .as(name)
                    .isEqualTo(ErrorCode.INVALID_DESTINATION);
        }
        String earlier = TemporaryName.of(DestinationKind.QUEUE, 1, 0, KEY).toString();
        assertThat(create(owner, KEY, Optional.of(earlier)).name()).isEqualTo(earlier);
    }

    @Test
    void shouldNotMakeACommonDestinationOfSuchAName() {
        String name = TemporaryName.of(DestinationKind.QUEUE, 1, 0, KEY).toString();

        assertThat(owner.failure(corr -> new DescribeDestination(corr, Optional.of(DestinationKind.QUEUE), name, true))
                        .code())
                .isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
        assertThat(owner.failure(corr -> new CreateDestination(corr, DestinationKind.QUEUE, name, -1, List.of()))
                        .code())
                .isEqualTo(ErrorCode.INVALID_DESTINATION);
        assertThat(owner.failure(corr -> new DeleteTemporary(corr, name)).code())
                .isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
        assertThat(owner.failure(corr -> new DeleteTemporary(corr, "orders")).code())
                .isEqualTo(ErrorCode.INVALID_DESTINATION);
    }

    @Test
    void shouldHaveABoundAndGiveBackWhatALostClientHad() {
        for (int i = 0; i < 3; i++) {
            create(owner, new UUID(3, i), Optional.empty());
        }
        assertThat(owner.failure(corr -> new CreateTemporary(corr, DestinationKind.QUEUE, KEY, Optional.empty()))
                        .message())
                .contains("temporary.max.destinations");

        owner.close();
        try (RawClient next = RawClient.inSession(broker.port())) {
            Awaitility.await()
                    .until(() ->
                            next.start(corr -> new CreateTemporary(corr, DestinationKind.QUEUE, KEY, Optional.empty()))
                                            .join()
                                    instanceof DestinationDescribed);
            create(next, new UUID(4, 1), Optional.empty());
            create(next, new UUID(4, 2), Optional.empty());
        }
    }

    @Test
    void shouldKeepThemForAClientThatComesBackWithinTheGrace() {
        RawClient first = RawClient.connect(broker.port(), new UUID(7, 7));
        DestinationDescribed queue = create(first, KEY, Optional.empty());
        try (RawClient again = RawClient.connect(broker.port(), new UUID(7, 7))) {
            first.close();

            assertThat(create(again, KEY, Optional.of(queue.name()))).isNotNull();
            again.openSession(1, UUID.randomUUID());
            RawConsumer consumer = RawConsumer.onQueue(again, 1, 1, queue, 10);
            new RawProducer(owner, 1, queue).send("late");

            assertThat(consumer.receive(1))
                    .extracting(RawConsumer.Message::text)
                    .containsExactly("late");
        }
    }
}
