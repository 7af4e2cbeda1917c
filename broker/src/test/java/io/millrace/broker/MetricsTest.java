package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.frame.CloseSession;
import io.millrace.wire.frame.DeleteDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.name.DestinationKind;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** The metrics as a JMX client sees them. */
class MetricsTest {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private static EmbeddedBroker start(int brokerId) {
        return EmbeddedBroker.builder()
                .config("metrics.jmx.enable", "true")
                .config("broker.id", Integer.toString(brokerId))
                .start();
    }

    private static double value(String properties) {
        try {
            ObjectName name = new ObjectName("io.millrace:" + properties);
            if (!SERVER.isRegistered(name)) {
                return -1;
            }
            boolean counter = name.getKeyProperty("name").endsWith("_total")
                    || name.getKeyProperty("name").endsWith("_count");
            return ((Number) SERVER.getAttribute(name, counter ? "Count" : "Value")).doubleValue();
        } catch (JMException e) {
            throw new AssertionError(properties, e);
        }
    }

    private static double of(int brokerId, String name, String destination) {
        return value("name=" + name + ",broker=" + brokerId + ",destination=" + destination + ",kind=queue");
    }

    private static Set<ObjectName> all(int brokerId) {
        try {
            return SERVER.queryNames(new ObjectName("io.millrace:broker=" + brokerId + ",*"), null);
        } catch (MalformedObjectNameException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldCountWhatComesInGoesOutAndIsAcknowledged() {
        try (EmbeddedBroker broker = start(71);
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(client, 1, queue);
            for (int i = 0; i < 10; i++) {
                producer.send("a", "b");
            }
            await().until(() -> of(71, "millrace_destination_messages_ready", "orders") == 20);
            await().until(() -> of(71, "millrace_destination_oldest_message_age_seconds", "orders") > 0);
            RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 8);
            List<Message> messages = consumer.receive(8);
            await().until(() -> of(71, "millrace_destination_messages_in_flight", "orders") == 8);
            consumer.acknowledge(messages.subList(0, 5));
            await().until(() -> of(71, "millrace_destination_messages_in_flight", "orders") == 3);

            assertThat(of(71, "millrace_destination_messages_ready", "orders")).isEqualTo(12);
            assertThat(of(71, "millrace_destination_messages_in_total", "orders"))
                    .isEqualTo(20);
            assertThat(of(71, "millrace_destination_messages_out_total", "orders"))
                    .isEqualTo(8);
            assertThat(of(71, "millrace_destination_messages_acknowledged_total", "orders"))
                    .isEqualTo(5);
            assertThat(of(71, "millrace_destination_messages_redelivered_total", "orders"))
                    .isZero();
            assertThat(of(71, "millrace_destination_consumers", "orders")).isEqualTo(1);
            assertThat(of(71, "millrace_destination_size_bytes", "orders"))
                    .isEqualTo(of(71, "millrace_destination_payload_in_bytes_total", "orders"));
            assertThat(value("name=millrace_messages_in_total,broker=71")).isEqualTo(20);
            assertThat(value("name=millrace_messages_acknowledged_total,broker=71"))
                    .isEqualTo(5);
            assertThat(value("name=millrace_messages_ready,broker=71")).isEqualTo(12);
            assertThat(value("name=millrace_connections,broker=71")).isEqualTo(1);
            assertThat(value("name=millrace_sessions,broker=71")).isEqualTo(1);
            assertThat(value("name=millrace_send_latency_seconds_count,broker=71"))
                    .isEqualTo(10);
            assertThat(value("name=millrace_send_latency_seconds,broker=71,quantile=0.5"))
                    .isPositive();
            assertThat(value("name=millrace_sync_duration_seconds_count,broker=71"))
                    .isPositive();
            assertThat(value("name=millrace_batch_size_messages,broker=71,quantile=1"))
                    .isEqualTo(2);
            assertThat(value("name=millrace_start_duration_seconds,broker=71")).isPositive();
            assertThat(value("name=millrace_partitions_online,broker=71")).isEqualTo(1);
            assertThat(value("name=millrace_network_out_bytes_total,broker=71")).isPositive();
        }
    }

    @Test
    void shouldCountRedeliveries() {
        try (EmbeddedBroker broker = start(72);
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            new RawProducer(client, 1, queue).send("a", "b", "c");
            RawConsumer first = RawConsumer.onQueue(client, 1, 1, queue, 3);
            first.receive(3);
            client.request(Done.class, corr -> new CloseSession(corr, 1));
            client.openSession(2, UUID.randomUUID());
            RawConsumer.onQueue(client, 2, 1, queue, 3).receive(3);

            await().until(() -> of(72, "millrace_destination_messages_redelivered_total", "orders") == 3);
            assertThat(of(72, "millrace_destination_messages_out_total", "orders"))
                    .isEqualTo(6);
        }
    }

    @Test
    void shouldForgetADeletedDestinationAndEverythingWhenTheBrokerEnds() {
        try (EmbeddedBroker broker = start(73);
                RawClient client = RawClient.inSession(broker.port())) {
            new RawProducer(client, 1, client.describe(DestinationKind.QUEUE, "short")).send("a");
            await().until(() -> of(73, "millrace_destination_messages_in_total", "short") == 1);
            client.request(Done.class, corr -> new DeleteDestination(corr, DestinationKind.QUEUE, "short"));
            await().until(() -> of(73, "millrace_destination_messages_in_total", "short") == -1);

            assertThat(value("name=millrace_messages_in_total,broker=73")).isEqualTo(1);
            assertThat(all(73)).isNotEmpty();
        }
        assertThat(all(73)).isEmpty();
    }
}
