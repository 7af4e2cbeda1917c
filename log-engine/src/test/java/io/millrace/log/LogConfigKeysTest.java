package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigValues;
import io.millrace.log.config.InvalidConfigException;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.TimestampType;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LogConfigKeysTest {
    private static final long HOUR_MS = 3_600_000;

    @Test
    void shouldGiveTheDefaultsThatLogConfigHas() {
        LogConfig config = LogConfigKeys.logConfig(ConfigValues.EMPTY, ConfigValues.EMPTY);

        assertThat(config.toBuilder()
                        .maxBatchBytes(LogConfig.DEFAULT.maxBatchBytes())
                        .timestamps(TimestampConfig.ANY)
                        .build())
                .isEqualTo(LogConfig.DEFAULT);
        assertThat(config.maxBatchBytes()).isEqualTo(1_048_588);
        assertThat(config.retentionMs()).isEqualTo(168 * HOUR_MS);
        assertThat(config.timestamps().afterMaxMs()).isEqualTo(HOUR_MS);
    }

    @Test
    void shouldPreferMillisecondsToMinutesToHours() {
        assertThat(broker(Map.of("log.retention.hours", "2")).retentionMs()).isEqualTo(2 * HOUR_MS);
        assertThat(broker(Map.of("log.retention.hours", "2", "log.retention.minutes", "5"))
                        .retentionMs())
                .isEqualTo(300_000);
        assertThat(broker(Map.of("log.retention.hours", "2", "log.retention.minutes", "5", "log.retention.ms", "7"))
                        .retentionMs())
                .isEqualTo(7);
        assertThat(broker(Map.of("log.roll.hours", "1")).rollMs()).isEqualTo(HOUR_MS);
        assertThat(broker(Map.of("log.roll.hours", "1", "log.roll.ms", "9")).rollMs())
                .isEqualTo(9);
    }

    @Test
    void shouldTakeMinusOneAsForEver() {
        assertThat(broker(Map.of("log.retention.minutes", "-1")).retentionMs()).isEqualTo(LogConfig.UNLIMITED);
        assertThat(broker(Map.of("log.retention.hours", "-1")).retentionMs()).isEqualTo(LogConfig.UNLIMITED);
    }

    @Test
    void shouldLetADestinationOverrideTheBroker() {
        ConfigValues broker = LogConfigKeys.ALL.parse(Map.of("log.retention.ms", "7", "log.flush", "ack"));
        ConfigValues destination = LogConfigKeys.ALL
                .perDestination()
                .parse(Map.of("retention.ms", "5", "flush", "OS", "max.message.bytes", "5000", "segment.ms", "3"));

        LogConfig config = LogConfigKeys.logConfig(broker, destination);

        assertThat(config.retentionMs()).isEqualTo(5);
        assertThat(config.flush()).isEqualTo(FlushPolicy.OS);
        assertThat(config.maxBatchBytes()).isEqualTo(5000);
        assertThat(config.rollMs()).isEqualTo(3);
    }

    @Test
    void shouldReadKafkasSettingsOfATopic() {
        LogConfig config = LogConfigKeys.logConfig(
                LogConfigKeys.ALL.parse(Map.of("log.cleanup.policy", "delete", "compression.type", "lz4")),
                LogConfigKeys.ALL
                        .perDestination()
                        .parse(Map.of(
                                "cleanup.policy", "compact, delete",
                                "min.compaction.lag.ms", "5",
                                "min.cleanable.dirty.ratio", "0.01",
                                "delete.retention.ms", "100",
                                "message.timestamp.type", "LogAppendTime",
                                "compression.type", "gzip",
                                "compression.gzip.level", "9",
                                "min.insync.replicas", "2",
                                "flush.messages", "1",
                                "retention.durable", "drop")));

        assertThat(config.cleanup()).isEqualTo(new CleanupConfig(true, true, 5, Long.MAX_VALUE, 100, 0.01, 0.5));
        assertThat(config.timestamps().type()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(config.compression().codec()).contains(Compression.GZIP);
        assertThat(config.compression().levelOf(Compression.GZIP)).isEqualTo(9);
        assertThat(config.minInSyncReplicas()).isEqualTo(2);
        assertThat(config.flushMessages()).isEqualTo(1);
        assertThat(config.durableRetention()).isEqualTo(DurableRetention.DROP);
    }

    @Test
    void shouldRefuseSettingsThatContradictEachOther() {
        assertThatThrownBy(() -> LogConfigKeys.ALL.perDestination().parse(Map.of("cleanup.policy", "shrink")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("must be delete, compact, or both");
        ConfigValues lags = LogConfigKeys.ALL
                .perDestination()
                .parse(Map.of(
                        "cleanup.policy", "compact", "min.compaction.lag.ms", "20", "max.compaction.lag.ms", "10"));
        assertThat(LogConfigKeys.contradiction(ConfigValues.EMPTY, lags))
                .hasValueSatisfying(problem -> assertThat(problem).contains("20", "10"));
        assertThat(LogConfigKeys.contradiction(ConfigValues.EMPTY, ConfigValues.EMPTY))
                .isEmpty();
        // The broker's lag may have been lowered below the log's own since that was checked.
        assertThat(LogConfigKeys.logConfig(ConfigValues.EMPTY, lags).cleanup().maxCompactionLagMs())
                .isEqualTo(20);
    }

    @Test
    void shouldSpreadTheRollsOfSegments() {
        LogConfig config = LogConfig.builder().rollMs(1_000).rollJitterMs(300).build();

        assertThat(LongStream.range(0, 100).map(config::rollAfterMs).distinct().count())
                .isGreaterThan(50);
        assertThat(LongStream.range(0, 100).map(config::rollAfterMs)).allMatch(ms -> ms >= 700 && ms <= 1_000);
    }

    @Test
    void shouldDocumentEveryKey() {
        assertThat(LogConfigKeys.ALL.all()).allSatisfy(key -> {
            assertThat(key.documentation()).endsWith(".");
            assertThat(key.defaultText()).isNotEmpty();
        });
        assertThat(LogConfigKeys.ALL.all()).extracting(ConfigKey::name).contains("log.dirs", "log.reserve.bytes");
    }

    private static LogConfig broker(Map<String, String> texts) {
        return LogConfigKeys.logConfig(LogConfigKeys.ALL.parse(texts), ConfigValues.EMPTY);
    }
}
