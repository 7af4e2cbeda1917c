package io.millrace.wire.name;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemporaryNameTest {

    private static final UUID KEY = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

    @Test
    void shouldReadWhatItWrites() {
        for (DestinationKind kind : DestinationKind.values()) {
            TemporaryName name = TemporaryName.of(kind, 12, 345, KEY);

            assertThat(TemporaryName.parse(name.toString())).contains(name);
            assertThat(DestinationName.of(name.toString()).logName()).isEqualTo(name.toString());
        }
    }

    @Test
    void shouldBelongToItsKeyOnly() {
        TemporaryName name = TemporaryName.of(DestinationKind.QUEUE, 1, 1, KEY);

        assertThat(name.belongsTo(KEY)).isTrue();
        assertThat(name.belongsTo(new UUID(KEY.getMostSignificantBits(), KEY.getLeastSignificantBits() + 1)))
                .isFalse();
        assertThat(name.toString()).doesNotContain("0011223344556677");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "orders",
                "temporary-queue",
                "temporary-queue.1.1.",
                "temporary-thing.1.1.00000000000000000000000000000000",
                "temporary-queue.01.1.00000000000000000000000000000000",
                "temporary-queue.1.-1.00000000000000000000000000000000",
                "temporary-queue.1.1.0000000000000000000000000000000",
                "temporary-queue.1.1.0000000000000000000000000000000G",
                "temporary-queue.1.1.00000000000000000000000000000000\n",
                "temporary-queue.9999999999.1.00000000000000000000000000000000",
                "temporary-queue.1.9999999999999999999.00000000000000000000000000000000"
            })
    void shouldTakeNothingElseForATemporaryName(String name) {
        assertThat(TemporaryName.parse(name)).isEmpty();
    }
}
