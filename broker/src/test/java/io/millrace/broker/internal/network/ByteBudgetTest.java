package io.millrace.broker.internal.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteBudgetTest {

    private static final long READ_BYTES = 64 * 1024;

    private final ByteBudget budget = new ByteBudget(10 * READ_BYTES);
    private int resumed;

    @Test
    void shouldLetThoseGoOnForWhomThereIsRoom() {
        budget.add(10 * READ_BYTES + 1);
        for (int i = 0; i < 20; i++) {
            budget.whenUnder(() -> resumed++);
        }
        assertThat(resumed).isZero();

        budget.remove(1);
        assertThat(resumed).isZero();
        budget.remove(3 * READ_BYTES);
        assertThat(resumed).isEqualTo(3);
    }

    @Test
    void shouldLetTheOthersGoOnWhenThoseHadNothingToBring() {
        budget.add(11 * READ_BYTES);
        for (int i = 0; i < 20; i++) {
            budget.whenUnder(() -> resumed++);
        }
        budget.remove(11 * READ_BYTES);
        assertThat(resumed).isEqualTo(10);

        budget.resumeSome();
        assertThat(resumed).isEqualTo(20);
    }
}
