package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigValues;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogConfigKeysTest {
    private static final long HOUR_MS = 3_600_000;

    @Test
    void shouldGiveTheDefaultsThatLogConfigHas() {
        LogConfig config = LogConfigKeys.logConfig(ConfigValues.EMPTY, ConfigValues.EMPTY);

        assertThat(config.toBuilder()
                        .maxBatchBytes(LogConfig.DEFAULT.maxBatchBytes())
                        .build())
                .isEqualTo(LogConfig.DEFAULT);
        assertThat(config.maxBatchBytes()).isEqualTo(1_000_000);
        assertThat(config.retentionMs()).isEqualTo(168 * HOUR_MS);
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
