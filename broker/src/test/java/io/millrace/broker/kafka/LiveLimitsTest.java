package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many connections there may be is changed while the broker runs, and still holds when it is started again. */
class LiveLimitsTest {

    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");
    private static final int FEW = 12;

    @TempDir
    private Path directory;

    private EmbeddedBroker start() {
        return EmbeddedBroker.builder().directory(directory).start();
    }

    private static void alter(Admin admin, String key, String value, AlterConfigOp.OpType operation) {
        AdminCalls.await(admin.incrementalAlterConfigs(
                        Map.of(ALL_BROKERS, List.of(new AlterConfigOp(new ConfigEntry(key, value), operation))))
                .all());
    }

    /** How many of some more connections than a few are served. */
    private static int served(EmbeddedBroker broker) {
        List<RawKafka> open = new ArrayList<>();
        try {
            int served = 0;
            for (int i = 0; i < FEW + 5; i++) {
                RawKafka raw = new RawKafka(broker.port());
                open.add(raw);
                raw.send(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequest(new ApiVersionsRequestData(), (short)
                        0));
                served += raw.answerOrEnd().isPresent() ? 1 : 0;
            }
            return served;
        } finally {
            open.forEach(RawKafka::close);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"max.connections", "max.connections.per.ip"})
    void shouldHoldALimitThatIsChangedWhileItRuns(String key) {
        try (EmbeddedBroker broker = start();
                Admin admin = Admin.create(KafkaClients.config(broker, Map.of()))) {
            assertThat(served(broker)).isEqualTo(FEW + 5);

            alter(admin, key, Integer.toString(FEW), AlterConfigOp.OpType.SET);

            // The administrator's own connections count.
            await().until(() -> served(broker) < FEW);
        }
        try (EmbeddedBroker broker = start()) {
            assertThat(served(broker)).isBetween(1, FEW);
            try (Admin admin = Admin.create(KafkaClients.config(broker, Map.of()))) {
                await().ignoreExceptions().untilAsserted(() -> alter(admin, key, "", AlterConfigOp.OpType.DELETE));
            }
            await().until(() -> served(broker) == FEW + 5);
        }
    }

    @Test
    void shouldLetThoseStayThatAreConnectedWhenTheLimitFalls() {
        try (EmbeddedBroker broker = start();
                RawKafka before = new RawKafka(broker.port());
                Admin admin = Admin.create(KafkaClients.config(broker, Map.of()))) {
            before.ask(
                    ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0));

            alter(admin, "max.connections", "1", AlterConfigOp.OpType.SET);

            assertThat(before.ask(
                            ApiKeys.API_VERSIONS,
                            (short) 0,
                            new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0)))
                    .isNotNull();
        }
    }
}
