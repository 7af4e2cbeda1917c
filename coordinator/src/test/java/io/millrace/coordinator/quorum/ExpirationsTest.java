package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class ExpirationsTest {

    private final AtomicInteger threads = new AtomicInteger();
    private final ThreadFactory factory = task -> {
        threads.incrementAndGet();
        return Thread.ofPlatform().daemon().unstarted(task);
    };

    @Test
    void shouldFailAfterTheTime() {
        try (Expirations expirations = new Expirations(factory)) {
            CompletableFuture<Long> waiting = expirations.failAfter(1);

            await().atMost(Duration.ofSeconds(60)).until(waiting::isDone);

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(waiting::join)
                    .withCauseInstanceOf(TimeoutException.class);
        }
    }

    @Test
    void shouldNotTouchWhatWasCompletedInTime() {
        try (Expirations expirations = new Expirations(factory)) {
            CompletableFuture<Long> waiting = expirations.failAfter(60_000);

            waiting.complete(5L);

            assertThat(waiting.join()).isEqualTo(5L);
        }
    }

    /** The Raft core asks for one per append. */
    @Test
    void shouldHaveNoTimerNorThreadForWaitsWithoutEnd() {
        try (Expirations expirations = new Expirations(factory)) {
            CompletableFuture<Long> waiting = expirations.failAfter(Integer.MAX_VALUE);

            assertThat(waiting).isNotDone();
            assertThat(threads).hasValue(0);
        }
    }
}
