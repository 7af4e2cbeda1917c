package io.millrace.log.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigKeysTest {
    private static final ConfigKey<Integer> SIZE = ConfigKey.ofInt("log.segment.bytes")
            .withDefault(100)
            .atLeast(14)
            .perDestination("segment.bytes")
            .describedAs("Size of a file.");
    private static final ConfigKey<List<String>> DIRS =
            ConfigKey.ofList("log.dirs").withDefault(List.of("data"));
    private static final ConfigKeys KEYS =
            ConfigKeys.of(List.of(SIZE, DIRS)).withObsolete("zookeeper.connect", "use metadata.voters");

    @Test
    void shouldReadValuesAndFallBackToDefaults() {
        ConfigValues values = KEYS.parse(Map.of("log.dirs", "/a , /b,"));

        assertThat(values.get(DIRS)).containsExactly("/a", "/b");
        assertThat(values.get(SIZE)).isEqualTo(100);
        assertThat(values.findSet(SIZE)).isEmpty();
    }

    @Test
    void shouldSuggestTheNearestNameForAnUnknownOne() {
        assertThatThrownBy(() -> KEYS.parse(Map.of("log.segmnet.bytes", "20")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessage("unknown setting log.segmnet.bytes (did you mean log.segment.bytes?)");
        assertThatThrownBy(() -> KEYS.parse(Map.of("completely.different", "20")))
                .hasMessage("unknown setting completely.different");
    }

    @Test
    void shouldNameEveryWrongSettingAtOnce() {
        assertThatThrownBy(() -> KEYS.parse(Map.of("log.segment.bytes", "3", "no.such", "x")))
                .hasMessageContaining("log.segment.bytes must be at least 14, is \"3\"")
                .hasMessageContaining("unknown setting no.such");
        assertThatThrownBy(() -> KEYS.parse(Map.of("log.segment.bytes", "1e9")))
                .hasMessage("log.segment.bytes must be a whole number below 2^31, is \"1e9\"");
    }

    @Test
    void shouldAcceptObsoleteSettingsWithAWarning() {
        ConfigValues values = KEYS.parse(Map.of("zookeeper.connect", "host:2181"));

        assertThat(values.warnings())
                .containsExactly("zookeeper.connect is obsolete and has no effect: use metadata.voters");
    }

    @Test
    void shouldDeriveTheKeysOfDestinations() {
        ConfigKeys there = KEYS.perDestination();

        assertThat(there.all()).extracting(ConfigKey::name).containsExactly("segment.bytes");
        assertThatThrownBy(() -> there.parse(Map.of("segment.bytes", "2")))
                .hasMessage("segment.bytes must be at least 14, is \"2\"");
    }

    @Test
    void shouldRefuseAKeyDeclaredTwice() {
        assertThatThrownBy(() -> ConfigKeys.of(List.of(SIZE, SIZE))).isInstanceOf(IllegalArgumentException.class);
    }
}
