package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.broker.config.PortUnavailableException;
import io.millrace.log.config.InvalidConfigException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.DeleteDestination;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.name.DestinationKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EmbeddedBrokerTest {

    @Test
    void shouldRunSeveralBrokersInOneProcess() {
        try (EmbeddedBroker first =
                        EmbeddedBroker.builder().temporaryDirectory().start();
                EmbeddedBroker second = EmbeddedBroker.builder().start();
                RawClient client = RawClient.connect(first.port());
                RawClient other = RawClient.connect(second.port())) {
            client.openSession(1, UUID.randomUUID());
            other.openSession(1, UUID.randomUUID());
            DestinationDescribed here = client.describe(DestinationKind.QUEUE, "orders");
            DestinationDescribed there = other.describe(DestinationKind.QUEUE, "orders");
            new RawProducer(client, 1, here).send("here");
            new RawProducer(other, 1, there).send("there");

            assertThat(RawConsumer.onQueue(client, 1, 1, here, 10).receive(1))
                    .extracting(Message::text)
                    .containsExactly("here");
            assertThat(RawConsumer.onQueue(other, 1, 1, there, 10).receive(1))
                    .extracting(Message::text)
                    .containsExactly("there");
        }
    }

    @Test
    void shouldRemoveItsTemporaryDirectory() {
        Path directory;
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
            directory = broker.directory();
            assertThat(directory).isNotEmptyDirectory();
            assertThat(broker.url()).isEqualTo("millrace://127.0.0.1:" + broker.port());
        }

        assertThat(Files.exists(directory)).isFalse();
    }

    @Test
    void shouldSayGoodbyeToItsClientsWhenItIsClosed() {
        EmbeddedBroker broker = EmbeddedBroker.builder().start();
        try (RawClient client = RawClient.connect(broker.port())) {
            broker.close();

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
            RawClient.join(client.ended());
        }
    }

    @Test
    void shouldSayThatThePortIsInUse() {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
            assertThatThrownBy(
                            () -> EmbeddedBroker.builder().port(broker.port()).start())
                    .isInstanceOf(PortUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + broker.port());
        }
    }

    @Test
    void shouldRefuseAnUnknownSettingWithASuggestion() {
        assertThatThrownBy(() ->
                        EmbeddedBroker.builder().config("num.partition", "3").start())
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("num.partition")
                .hasMessageContaining("did you mean num.partitions?");
    }

    @Test
    void shouldEndConsumersOfADeletedDestinationAndStartANewOneEmpty() {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            new RawProducer(client, 1, queue).send("old");
            RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 1);
            consumer.receive(1);

            client.request(Done.class, corr -> new DeleteDestination(corr, DestinationKind.QUEUE, "orders"));

            assertThat(client.closedConsumer().code()).isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
            assertThat(client.failure(corr ->
                                    new DescribeDestination(corr, Optional.of(DestinationKind.QUEUE), "orders", false))
                            .code())
                    .isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
            RawProducer late = new RawProducer(client, 1, queue, 77, 0);
            assertThat(client.failure(corr -> late.frame(corr, SendAnswer.REPLICATED, late.batch(0, "late")))
                            .code())
                    .isIn(ErrorCode.NOT_LEADER, ErrorCode.DESTINATION_NOT_FOUND);
            DestinationDescribed again = client.describe(DestinationKind.QUEUE, "orders");
            assertThat(again.logId()).isNotEqualTo(queue.logId());
            RawConsumer next = RawConsumer.onQueue(client, 1, 1, again, 10);
            new RawProducer(client, 1, again).send("new");
            assertThat(next.receive(1))
                    .extracting(Message::text, Message::offset)
                    .containsExactly(tuple("new", 0L));
        }
    }
}
