package io.millrace.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessLimitsTest {

    private static final long MIB = 1 << 20;

    private static BrokerConfig config(long heapBytes, long openFiles, String... settings) {
        return BrokerConfig.of(
                settings.length == 0 ? Map.of() : Map.of(settings[0], settings[1]),
                new ProcessLimits(heapBytes, openFiles));
    }

    @Test
    void shouldShareOutTheUsualHeap() {
        BrokerConfig config = config(512 * MIB, 100_000);

        assertThat(config.maxTransferBytes()).isEqualTo((int) (64 * MIB) + 1_024);
        assertThat(config.transferPoolBytes()).isEqualTo(128 * MIB);
        assertThat(config.queuedMaxRequestBytes()).isEqualTo(64 * MIB);
        assertThat(config.brokerOutboundBytes()).isEqualTo(64 * MIB);
        assertThat(config.openLogFiles()).isEqualTo(4_000);
        assertThat(config.maxConnections()).isEqualTo(10_000);
    }

    @Test
    void shouldTakeSmallerSharesOfASmallHeap() {
        BrokerConfig config = config(128 * MIB, 100_000);

        assertThat(config.maxTransferBytes()).isEqualTo((int) (16 * MIB) + 1_024);
        assertThat(config.transferPoolBytes()).isEqualTo(32 * MIB);
        assertThat(config.brokerOutboundBytes()).isEqualTo(16 * MIB);
    }

    @Test
    void shouldLeaveFilesForEverybodyWhereTheProcessMayOpenFew() {
        BrokerConfig config = config(512 * MIB, 256);

        assertThat(config.openLogFiles()).isEqualTo(64);
        assertThat(config.maxConnections()).isEqualTo(92);
        assertThat(config(512 * MIB, 256, "log.open.files.max", "100").maxConnections())
                .isEqualTo(56);
    }

    @Test
    void shouldKnowTheLimitsOfThisProcess() {
        assertThat(ProcessLimits.current().heapBytes()).isBetween(16 * MIB, 1L << 40);
        assertThat(ProcessLimits.current().openFiles()).isGreaterThan(64);
    }
}
