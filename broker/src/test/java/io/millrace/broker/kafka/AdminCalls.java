package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;
import org.jspecify.annotations.Nullable;

/** Waits for what Kafka's administration client answers. */
final class AdminCalls {

    private static final int TIMEOUT_S = 20;

    private AdminCalls() {}

    /** Returns the answer. */
    static <T> T get(KafkaFuture<T> future) {
        try {
            return Objects.requireNonNull(future.get(TIMEOUT_S, TimeUnit.SECONDS), "no answer");
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until something is done that has no answer. */
    static void await(@Nullable KafkaFuture<Void> future) {
        try {
            Objects.requireNonNull(future, "nothing was asked").get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** Checks that something is refused. */
    static void assertFails(@Nullable KafkaFuture<?> future, Class<? extends Exception> with) {
        assertThatThrownBy(() ->
                        Objects.requireNonNull(future, "nothing was asked").get(TIMEOUT_S, TimeUnit.SECONDS))
                .hasCauseInstanceOf(with);
    }

    /** Returns what a map must have. */
    static <K, V> V valueIn(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key), () -> key + " is not in " + map.keySet());
    }
}
