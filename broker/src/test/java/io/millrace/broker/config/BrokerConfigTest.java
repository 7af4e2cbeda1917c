package io.millrace.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.log.DurableRetention;
import io.millrace.log.FlushPolicy;
import io.millrace.log.LogConfig;
import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.InvalidConfigException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerConfigTest {

    @Test
    void shouldListenOnThisMachineOnlyUnlessToldOtherwise() {
        BrokerConfig config = BrokerConfig.of(Map.of());

        assertThat(config.listener()).isEqualTo(new ListenerAddress("127.0.0.1", 9092));
        assertThat(config.get(BrokerKeys.BROKER_ID)).isEqualTo(1);
        assertThat(config.get(BrokerKeys.SESSION_GRACE_MS)).isEqualTo(15_000);
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    void shouldRunAShardOnEachNetworkThreadUnlessToldOtherwise() {
        BrokerConfig usual = BrokerConfig.of(Map.of());
        assertThat(usual.networkThreads())
                .isEqualTo(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
        assertThat(usual.shards()).isEqualTo(usual.networkThreads());

        BrokerConfig wider = BrokerConfig.of(Map.of("num.network.threads", "5"));
        assertThat(wider.networkThreads()).isEqualTo(5);
        assertThat(wider.shards()).isEqualTo(5);

        assertThat(BrokerConfig.of(Map.of("num.io.threads", "7")).shards()).isEqualTo(7);
    }

    @Test
    void shouldReadListenersAsKafkaWritesThem() {
        assertThat(BrokerConfig.of(Map.of("listeners", "PLAINTEXT://:9093")).listener())
                .isEqualTo(new ListenerAddress("0.0.0.0", 9093));
        assertThat(BrokerConfig.of(Map.of("listeners", "PLAINTEXT://[::1]:9094", "port", "1"))
                        .listener())
                .isEqualTo(new ListenerAddress("::1", 9094));
        assertThat(BrokerConfig.of(Map.of("host.name", "localhost", "port", "9095"))
                        .listener())
                .hasToString("localhost:9095");
    }

    @Test
    void shouldTellClientsAnAddressThatTheyCanReach() {
        assertThat(BrokerConfig.of(Map.of("listeners", "PLAINTEXT://:0")).advertised(4711))
                .isEqualTo(new ListenerAddress("127.0.0.1", 4711));
        assertThat(BrokerConfig.of(Map.of("advertised.listeners", "PLAINTEXT://broker.example:9999"))
                        .advertised(4711))
                .isEqualTo(new ListenerAddress("broker.example", 9999));
        assertThat(BrokerConfig.of(Map.of("advertised.listeners", "PLAINTEXT://broker.example:0"))
                        .advertised(4711))
                .isEqualTo(new ListenerAddress("broker.example", 4711));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSL://host:9092",
                "PLAINTEXT://host",
                "PLAINTEXT://host:70000",
                "host",
                "PLAINTEXT://a:1,PLAINTEXT://b:2"
            })
    void shouldRefuseListenersThatItCannotServe(String listeners) {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of("listeners", listeners)))
                .isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void shouldSuggestTheNearestKeyForAnUnknownOne() {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of("log.segment.byte", "1000000")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("did you mean log.segment.bytes?");
    }

    @Test
    void shouldWarnOfObsoleteKeysAndSayWhatReplacedThem() {
        BrokerConfig config =
                BrokerConfig.of(Map.of("zookeeper.connect", "localhost:2181", "replica.lag.max.messages", "4000"));

        assertThat(config.warnings())
                .anySatisfy(warning -> assertThat(warning).contains("zookeeper.connect", "no ZooKeeper"))
                .anySatisfy(
                        warning -> assertThat(warning).contains("replica.lag.max.messages", "replica.lag.time.max.ms"));
    }

    @Test
    void shouldRefuseATransferPoolThatHoldsNoLargeMessage() {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of("transfer.pool.bytes", "1000000")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("transfer.pool.bytes")
                .hasMessageContaining("jms.message.max.bytes");
    }

    @Test
    void shouldLetDestinationsOverrideWhatIsTheirs() {
        BrokerConfig config = BrokerConfig.of(Map.of("log.segment.bytes", "5000", "jms.message.max.bytes", "9000"));

        LogConfig plain = config.logConfig(LogOrigin.JMS, Map.of());
        LogConfig own = config.logConfig(
                LogOrigin.JMS, Map.of("segment.bytes", "7000", "flush", "os", "max.message.bytes", "800"));

        assertThat(plain.segmentBytes()).isEqualTo(5_000);
        assertThat(plain.maxBatchBytes()).isEqualTo(9_000);
        assertThat(own.segmentBytes()).isEqualTo(7_000);
        assertThat(own.flush()).isEqualTo(FlushPolicy.OS);
        assertThat(own.maxBatchBytes()).isEqualTo(800);
        assertThat(config.destinationTexts(LogOrigin.JMS, Map.of("flush", "os")))
                .containsEntry("flush", "os")
                .containsEntry("segment.bytes", "5000")
                .containsEntry("segment.ms", "604800000")
                .containsEntry("segment.jitter.ms", "0")
                .containsEntry("retention.ms", "604800000");
        assertThatThrownBy(() -> config.logConfig(LogOrigin.JMS, Map.of("broker.id", "7")))
                .isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void shouldGoByTheDoorThroughWhichALogWasCreatedWhereNothingIsSet() {
        BrokerConfig config = BrokerConfig.of(Map.of("jms.message.max.bytes", "9000000"));

        LogConfig jms = config.logConfig(LogOrigin.JMS, Map.of());
        LogConfig kafka = config.logConfig(LogOrigin.KAFKA, Map.of());

        assertThat(jms.durableRetention()).isEqualTo(DurableRetention.KEEP);
        assertThat(kafka.durableRetention()).isEqualTo(DurableRetention.DROP);
        assertThat(jms.maxBatchBytes()).isEqualTo(9_000_000);
        assertThat(kafka.maxBatchBytes()).isEqualTo(1_048_588);
        assertThat(jms.timestamps().afterMaxMs()).isEqualTo(Long.MAX_VALUE);
        assertThat(kafka.timestamps().afterMaxMs()).isEqualTo(3_600_000);
        assertThat(config.destinationTexts(LogOrigin.KAFKA, Map.of()))
                .containsEntry("retention.durable", "drop")
                .containsEntry("max.message.bytes", "1048588");
        assertThat(config.effectiveTexts(LogOrigin.JMS, Map.of()))
                .containsEntry("retention.durable", "keep")
                .containsEntry("max.message.bytes", "9000000");
    }

    @Test
    void shouldLetTheBrokerAndTheLogDecideBeforeTheDoor() {
        BrokerConfig config =
                BrokerConfig.of(Map.of("retention.durable", "drop", "log.message.timestamp.after.max.ms", "5"));

        LogConfig jms = config.logConfig(LogOrigin.JMS, Map.of());

        assertThat(jms.durableRetention()).isEqualTo(DurableRetention.DROP);
        assertThat(jms.timestamps().afterMaxMs()).isEqualTo(5);
        assertThat(config.logConfig(LogOrigin.KAFKA, Map.of("retention.durable", "keep"))
                        .durableRetention())
                .isEqualTo(DurableRetention.KEEP);
    }

    @Test
    void shouldDocumentEveryKey() {
        assertThat(BrokerKeys.ALL.all())
                .allSatisfy(
                        key -> assertThat(key.documentation()).as(key.name()).isNotBlank())
                .extracting(ConfigKey::name)
                .contains("broker.id", "log.dirs", "session.grace.ms")
                .doesNotHaveDuplicates();
    }
}
