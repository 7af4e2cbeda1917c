package io.millrace.server.internal.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Levels of loggers, set by Kafka's client while a broker runs. */
final class LogbackLevelsTest {
    private static final ConfigResource LOGGERS = new ConfigResource(ConfigResource.Type.BROKER_LOGGER, "1");
    private static final String NAME = "io.millrace.test.levels";

    private static EmbeddedBroker broker;
    private static Admin admin;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        admin = Admin.create(Map.of("bootstrap.servers", broker.url().substring("millrace://".length())));
        LoggerFactory.getLogger(NAME);
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
    }

    @AfterEach
    void reset() {
        new LogbackLevels().inherit(NAME);
    }

    @Test
    void shouldTellEveryLoggerAndSetOne() throws Exception {
        String before = level();
        assertThat(loggers().get("root")).isNotNull();
        assertThat(loggers().get(NAME).isReadOnly()).isFalse();
        assertThat(LoggerFactory.getLogger(NAME).isTraceEnabled()).isFalse();

        alter(set(NAME, "TRACE"));

        assertThat(level()).isEqualTo("TRACE");
        assertThat(LoggerFactory.getLogger(NAME).isTraceEnabled()).isTrue();
        alter(set(NAME, "FATAL"));
        assertThat(level()).isEqualTo("ERROR");
        alter(new AlterConfigOp(new ConfigEntry(NAME, ""), OpType.DELETE));
        assertThat(level()).isEqualTo(before);
    }

    @Test
    void shouldSetAllOrNoneAndRehearse() throws Exception {
        assertRefused(InvalidConfigurationException.class, set(NAME, "TRACE"), set("io.nobody", "INFO"));
        assertThat(level()).isNotEqualTo("TRACE");

        admin.incrementalAlterConfigs(
                        Map.of(LOGGERS, List.of(set(NAME, "TRACE"))), new AlterConfigsOptions().validateOnly(true))
                .all()
                .get();
        assertThat(level()).isNotEqualTo("TRACE");
    }

    @Test
    void shouldRefuseWhatIsNoLevel() {
        assertRefused(InvalidConfigurationException.class, set(NAME, "LOUD"));
        assertRefused(InvalidRequestException.class, new AlterConfigOp(new ConfigEntry(NAME, "INFO"), OpType.APPEND));
        assertRefused(InvalidRequestException.class, new AlterConfigOp(new ConfigEntry("root", ""), OpType.DELETE));
    }

    private static AlterConfigOp set(String logger, String level) {
        return new AlterConfigOp(new ConfigEntry(logger, level), OpType.SET);
    }

    private static void alter(AlterConfigOp... changes) throws Exception {
        admin.incrementalAlterConfigs(Map.of(LOGGERS, List.of(changes))).all().get();
    }

    private static void assertRefused(Class<? extends Exception> why, AlterConfigOp... changes) {
        assertThatThrownBy(() -> alter(changes))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(why);
    }

    private static Config loggers() throws Exception {
        return Objects.requireNonNull(
                admin.describeConfigs(List.of(LOGGERS)).all().get().get(LOGGERS));
    }

    private static String level() throws Exception {
        return loggers().get(NAME).value();
    }
}
