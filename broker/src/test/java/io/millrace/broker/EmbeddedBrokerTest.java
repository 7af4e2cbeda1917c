package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.broker.config.PortUnavailableException;
import io.millrace.log.config.InvalidConfigException;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.name.DestinationKind;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
