package io.millrace.broker.internal.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.local.LocalChannel;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboundWindowTest {

    private static final int MAX_BYTES = 1_000;
    private static final int BUDGET_BYTES = 1_000_000;

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final LocalChannel channel = new LocalChannel();
    private final ReadGate gate = new ReadGate(channel);
    private final OutboundWindow window =
            new OutboundWindow(gate, MAX_BYTES, new ByteBudget(BUDGET_BYTES), new FakeTimeSource());

    @BeforeEach
    void register() {
        loop.register(channel).syncUninterruptibly();
    }

    @AfterEach
    void shutDown() {
        loop.shutdownGracefully().awaitUninterruptibly(1);
    }

    @Test
    void shouldBeCongestedAboveTheBoundAndClearBelowHalfOfIt() {
        window.add(MAX_BYTES + 1);
        assertThat(window.isCongested()).isTrue();
        assertThat(gate.isClosed()).isTrue();

        window.remove(MAX_BYTES / 2);
        assertThat(window.isCongested()).isTrue();

        boolean[] cleared = {false};
        window.whenClear(() -> cleared[0] = true);
        assertThat(cleared[0]).isFalse();
        window.remove(1);

        assertThat(window.isCongested()).isFalse();
        assertThat(gate.isClosed()).isFalse();
        assertThat(cleared[0]).isTrue();
    }

    @Test
    void shouldHoldBackWhoHasSomethingUnreadWhileAllTogetherHaveTooMuch() {
        ByteBudget budget = new ByteBudget(500);
        OutboundWindow reading = new OutboundWindow(new ReadGate(channel), MAX_BYTES, budget, new FakeTimeSource());
        OutboundWindow deaf = new OutboundWindow(new ReadGate(channel), MAX_BYTES, budget, new FakeTimeSource());
        deaf.add(501);
        assertThat(deaf.isCongested()).isTrue();

        assertThat(reading.isCongested()).as("has read everything").isFalse();
        reading.add(10);
        assertThat(reading.isCongested()).isTrue();
        reading.remove(9);
        assertThat(reading.isCongested()).isTrue();
        reading.remove(1);
        assertThat(reading.isCongested()).as("has read everything again").isFalse();

        deaf.remove(1);
        assertThat(deaf.isCongested()).as("all together have little").isFalse();
    }

    @Test
    void shouldGiveNobodyMoreWhileAllTogetherHaveFarTooMuch() {
        ByteBudget budget = new ByteBudget(500);
        OutboundWindow deaf = new OutboundWindow(new ReadGate(channel), MAX_BYTES, budget, new FakeTimeSource());
        OutboundWindow empty = new OutboundWindow(new ReadGate(channel), MAX_BYTES, budget, new FakeTimeSource());
        boolean[] cleared = {false};
        deaf.add(626);

        assertThat(empty.isCongested()).isTrue();
        empty.whenClear(() -> cleared[0] = true);
        assertThat(cleared[0]).isFalse();
        deaf.remove(626);

        assertThat(empty.isCongested()).isFalse();
        assertThat(cleared[0]).isTrue();
    }

    /** A gate that stays closed is a client that is never read again: its consumers stall until it gives the connection up. */
    @Test
    void shouldNeverLeaveTheGateClosedWhenBytesLeaveWhileOthersArrive() {
        for (int round = 0; round < 20_000; round++) {
            CompletableFuture<Void> leaving = CompletableFuture.runAsync(() -> {
                while (!window.isCongested()) {
                    Thread.onSpinWait();
                }
                window.remove(MAX_BYTES + 1);
            });
            window.add(MAX_BYTES + 1);
            leaving.join();

            assertThat(gate.isClosed()).as("round " + round).isFalse();
            assertThat(window.isCongested()).isFalse();
        }
    }
}
