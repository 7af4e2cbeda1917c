package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrefetchWindowTest {

    private static final long MS = 1_000_000;

    private final PrefetchWindow window = new PrefetchWindow(100);

    @Test
    void shouldFetchOnDemandAtFirst() {
        window.onHungry(0);

        assertThat(window.messages()).isZero();
    }

    @Test
    void shouldDoubleWhileTheApplicationComesBackQuickly() {
        int[] sizes = new int[9];
        for (int i = 0; i < sizes.length; i++) {
            window.onHungry(i * (10 * MS));
            sizes[i] = window.messages();
        }

        assertThat(sizes).containsExactly(0, 2, 4, 8, 16, 32, 64, 100, 100);
    }

    @Test
    void shouldNotGrowForAnApplicationThatTakesItsTime() {
        for (int i = 0; i < 5; i++) {
            window.onHungry(i * (100 * MS));
        }

        assertThat(window.messages()).isZero();
    }

    @Test
    void shouldCloseWhenMessagesLieUnread() {
        window.onHungry(0);
        window.onHungry(MS);
        window.onHungry(2 * MS);

        window.onUnread();
        window.onHungry(3 * MS);

        assertThat(window.messages()).isZero();
    }

    @Test
    void shouldCompareTimesThatOverflow() {
        window.onHungry(Long.MAX_VALUE - MS);
        window.onHungry(Long.MIN_VALUE + MS);

        assertThat(window.messages()).isEqualTo(2);
    }
}
