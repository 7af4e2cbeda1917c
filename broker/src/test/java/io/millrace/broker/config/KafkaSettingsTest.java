package io.millrace.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.config.InvalidConfigException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings that people have in the files of their Kafka brokers: with effect, or with one warning that says what replaced them. */
class KafkaSettingsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '=', textBlock = """
                    broker.id=3
                    log.dirs=/tmp/kafka-logs-1,/tmp/kafka-logs-2
                    port=9093
                    message.max.bytes=1000000
                    num.io.threads=8
                    queued.max.requests=500
                    socket.request.max.bytes=104857600
                    num.partitions=5
                    log.segment.bytes=1073741824
                    log.roll.ms=604800000
                    log.roll.hours=168
                    log.retention.ms=604800000
                    log.retention.minutes=10080
                    log.retention.hours=168
                    log.retention.bytes=-1
                    log.retention.check.interval.ms=300000
                    auto.create.topics.enable=false
                    offset.metadata.max.bytes=4096
                    connections.max.idle.ms=600000
                    unclean.leader.election.enable=false
                    delete.topic.enable=true
                    offsets.topic.num.partitions=50
                    offsets.retention.check.interval.ms=600000
                    offsets.topic.replication.factor=3
                    offsets.topic.segment.bytes=104857600
                    offsets.load.buffer.size=5242880
                    offsets.commit.timeout.ms=5000
                    """)
    void shouldHaveEffect(String name, String value) {
        BrokerConfig config = BrokerConfig.of(Map.of(name, value));

        assertThat(config.warnings()).isEmpty();
        assertThat(BrokerKeys.ALL.find(name).map(config::textOf)).hasValue(value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '=', textBlock = """
                    zookeeper.connect=localhost:2181/kafka
                    zookeeper.session.timeout.ms=6000
                    zookeeper.connection.timeout.ms=6000
                    zookeeper.sync.time.ms=2000
                    socket.send.buffer.bytes=102400
                    socket.receive.buffer.bytes=102400
                    default.replication.factor=1
                    replica.lag.time.max.ms=10000
                    replica.lag.max.messages=4000
                    replica.socket.timeout.ms=30000
                    replica.socket.receive.buffer.bytes=65536
                    replica.fetch.max.bytes=1048576
                    replica.fetch.wait.max.ms=500
                    num.replica.fetchers=1
                    fetch.purgatory.purge.interval.requests=1000
                    controlled.shutdown.enable=true
                    auto.leader.rebalance.enable=true
                    leader.imbalance.per.broker.percentage=10
                    leader.imbalance.check.interval.seconds=300
                    num.recovery.threads.per.data.dir=1
                    offsets.commit.required.acks=-1
                    """)
    void shouldBeAcceptedWithOneWarningThatSaysWhatReplacedIt(String name, String value) {
        BrokerConfig config = BrokerConfig.of(Map.of(name, value));

        assertThat(config.warnings()).singleElement().asString().startsWith(name + " is obsolete and has no effect: ");
        assertThat(ReplacedKey.all()).extracting(ReplacedKey::name).contains(name);
    }

    @Test
    void shouldTakeTheOtherNamesOfASetting() {
        BrokerConfig config =
                BrokerConfig.of(Map.of("node.id", "7", "log.dir", "/tmp/a", "offsets.topic.retention.minutes", "1440"));

        assertThat(config.get(BrokerKeys.BROKER_ID)).isEqualTo(7);
        assertThat(BrokerKeys.ALL.find("log.dirs").map(config::textOf)).hasValue("/tmp/a");
        assertThat(BrokerKeys.ALL.find("offsets.retention.minutes").map(config::textOf))
                .hasValue("1440");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> BrokerConfig.of(Map.of("node.id", "7", "broker.id", "8")))
                .withMessageContaining("two names of one setting");
    }

    /** The settings, not the comments, of the file that Kafka 4.4 comes with. */
    @Test
    void shouldStartWithTheFileThatKafkaComesWith() {
        Map<String, String> file = new HashMap<>();
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.bootstrap.servers=localhost:9093
        listeners=PLAINTEXT://:9092,CONTROLLER://:9093
        inter.broker.listener.name=PLAINTEXT
        advertised.listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL
        num.network.threads=3
        num.io.threads=8
        socket.send.buffer.bytes=102400
        socket.receive.buffer.bytes=102400
        socket.request.max.bytes=104857600
        log.dirs=/tmp/kraft-combined-logs
        num.partitions=1
        num.recovery.threads.per.data.dir=1
        offsets.topic.replication.factor=1
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        log.retention.hours=168
        log.segment.bytes=1073741824
        log.retention.check.interval.ms=300000
        """.lines().map(line -> line.split("=", 2)).forEach(setting -> file.put(setting[0], setting[1]));

        BrokerConfig config = BrokerConfig.of(file);

        assertThat(config.get(BrokerKeys.BROKER_ID)).isEqualTo(1);
        assertThat(config.advertised(9092)).isEqualTo(new ListenerAddress("localhost", 9092));
    }

    @ParameterizedTest
    @CsvSource({
        "sasl.kerberos.service.name,kafka,Kerberos",
        "listener.name.clients.sasl.kerberos.service.name,kafka,Kerberos",
        "sasl.oauthbearer.jwks.endpoint.url,https://idp.example,OAuth",
        "listener.name.clients.plain.sasl.server.callback.handler.class,org.example.Check,classes",
        "ssl.engine.factory.class,org.example.Engines,classes",
        "ssl.provider,BCJSSE,java.security",
        "sasl.enabled.mechanisms,GSSAPI,SCRAM-SHA-512"
    })
    void shouldRefuseClearlyWhatProtectsAndIsNotThere(String key, String value, String told) {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of(key, value)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(key.replace("listener.name.clients.", ""))
                .hasMessageContaining(told);
    }
}
