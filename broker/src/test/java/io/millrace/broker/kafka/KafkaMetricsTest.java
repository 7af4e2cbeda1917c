package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators of Kafka look for: requests by kind, their errors and latencies, and groups by state. */
class KafkaMetricsTest {

    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
    private static final int BROKER_ID = 81;

    private static double value(String properties) {
        try {
            ObjectName name = new ObjectName("io.millrace:broker=" + BROKER_ID + ",name=millrace_" + properties);
            if (!SERVER.isRegistered(name)) {
                return -1;
            }
            String metric = name.getKeyProperty("name");
            boolean counter = metric.endsWith("_total") || metric.endsWith("_count");
            return ((Number) SERVER.getAttribute(name, counter ? "Count" : "Value")).doubleValue();
        } catch (JMException e) {
            throw new AssertionError(properties, e);
        }
    }

    private EmbeddedBroker start() {
        return EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("metrics.jmx.enable", "true")
                .config("broker.id", Integer.toString(BROKER_ID))
                .config("group.initial.rebalance.delay.ms", "0")
                .start();
    }

    private static void produce(EmbeddedBroker broker) throws Exception {
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>("measured", "value")).get();
            }
        }
    }

    private static KafkaConsumer<String, String> member(EmbeddedBroker broker, String protocol) {
        KafkaConsumer<String, String> consumer = KafkaClients.consumer(
                broker, Map.of("group.id", "of-" + protocol, "group.protocol", protocol, "enable.auto.commit", false));
        consumer.subscribe(List.of("measured"));
        assertThat(KafkaClients.poll(consumer, 10)).hasSize(10);
        consumer.commitSync();
        return consumer;
    }

    @Test
    void shouldShowRequestsAndWhatGroupsDid() throws Exception {
        try (EmbeddedBroker broker = start()) {
            // What nobody has used is there from the beginning, and 0.
            await().until(() -> value("groups,protocol=classic,state=stable") == 0);
            assertThat(value("group_offset_commits_total")).isZero();
            produce(broker);
            member(broker, "classic").close();
            member(broker, "consumer").close();
            try (RawKafka raw = new RawKafka(broker.port())) {
                raw.ask(
                        ApiKeys.HEARTBEAT,
                        (short) 4,
                        new HeartbeatRequest.Builder(new HeartbeatRequestData()
                                        .setGroupId("of-classic")
                                        .setMemberId("nobody"))
                                .build((short) 4));
            }

            await().until(() -> value("kafka_request_errors_total,request=Heartbeat,error=UNKNOWN_MEMBER_ID") == 1);
            await().until(() -> value("kafka_request_latency_seconds,request=Produce,quantile=0.99") > 0);
            assertThat(value("kafka_request_latency_seconds_count,request=Produce"))
                    .isEqualTo(10);
            assertThat(value("kafka_request_latency_seconds_count,request=OffsetCommit"))
                    .isPositive();
            assertThat(value("kafka_request_errors_total,request=Produce,error=UNKNOWN_SERVER_ERROR"))
                    .isEqualTo(-1);
            assertThat(value("group_offset_commits_total")).isGreaterThanOrEqualTo(2);
            assertThat(value("group_rebalances_total,protocol=classic")).isPositive();
            assertThat(value("group_rebalances_total,protocol=consumer")).isPositive();
            assertThat(value("group_partitions,state=active")).isPositive();
            assertThat(value("group_load_max_seconds")).isNotNegative();
        }
        assertThat(value("group_offset_commits_total")).isEqualTo(-1);
    }

    /** The coordinator counts groups by state once a minute, and not each time that one changes. */
    @Tag("long")
    @Test
    void shouldShowGroupsByState() throws Exception {
        try (EmbeddedBroker broker = start()) {
            produce(broker);
            try (KafkaConsumer<String, String> classic = member(broker, "classic");
                    KafkaConsumer<String, String> modern = member(broker, "consumer")) {
                await().atMost(Duration.ofSeconds(90)).until(() -> {
                    classic.poll(Duration.ofMillis(20));
                    modern.poll(Duration.ofMillis(20));
                    return value("groups,protocol=classic,state=stable") == 1
                            && value("groups,protocol=consumer,state=stable") == 1
                            && value("group_offsets") == 2;
                });
            }
        }
    }
}
