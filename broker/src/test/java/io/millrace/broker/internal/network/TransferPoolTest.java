package io.millrace.broker.internal.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransferPoolTest {

    private int waits;
    private final TransferPool pool = new TransferPool(100, () -> waits++);
    private final List<String> granted = new ArrayList<>();

    private TransferPool.Reservation reserve(String name, int bytes) {
        return pool.reserve(bytes, () -> granted.add(name));
    }

    @Test
    void shouldTellWhenSomebodyHasToWait() {
        TransferPool.Reservation first = pool.reserve(60, () -> {});
        assertThat(waits).isZero();

        pool.reserve(60, () -> {});
        pool.reserve(10, () -> {});

        assertThat(waits).as("the last one has room, but not before its turn").isEqualTo(2);
        first.release();
        assertThat(waits).isEqualTo(2);
    }

    @Test
    void shouldGrantInTheOrderOfAskingAndNotBeyondItsSize() {
        TransferPool.Reservation a = reserve("a", 60);
        TransferPool.Reservation b = reserve("b", 60);
        TransferPool.Reservation c = reserve("c", 10);
        assertThat(granted).containsExactly("a");

        a.release();
        assertThat(granted).containsExactly("a", "b", "c");
        assertThat(pool.reservedBytes()).isEqualTo(70);

        b.release();
        b.release();
        c.release();
        assertThat(pool.reservedBytes()).isZero();
    }

    @Test
    void shouldGrantALargerOneThanItselfWhenNobodyElseHasAny() {
        TransferPool larger = new TransferPool(100, 150, () -> waits++);
        TransferPool.Reservation a = larger.reserve(10, () -> granted.add("a"));
        TransferPool.Reservation b = larger.reserve(150, () -> granted.add("b"));
        TransferPool.Reservation c = larger.reserve(10, () -> granted.add("c"));
        assertThat(granted).containsExactly("a");

        a.release();
        assertThat(granted).containsExactly("a", "b");

        b.release();
        assertThat(granted).containsExactly("a", "b", "c");
        c.release();
        assertThat(larger.reservedBytes()).isZero();
        assertThatThrownBy(() -> larger.reserve(151, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("151")
                .hasMessageContaining("150");
    }

    @Test
    void shouldLetOthersPassWhenAWaitingOneGivesUp() {
        TransferPool.Reservation a = reserve("a", 50);
        TransferPool.Reservation b = reserve("b", 100);
        reserve("c", 50);
        assertThat(granted).containsExactly("a");

        b.release();

        assertThat(granted).containsExactly("a", "c");
        a.release();
        assertThat(pool.reservedBytes()).isEqualTo(50);
    }

    @Test
    void shouldRefuseWhatItCouldNeverGrant() {
        assertThatThrownBy(() -> reserve("huge", 101)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> reserve("nothing", 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
