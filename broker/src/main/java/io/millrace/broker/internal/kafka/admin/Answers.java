package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;

/** Answers made of parts that come at different times. */
public final class Answers {

    private static final int MAX_MESSAGE_CHARS = 1_000;

    private Answers() {}

    /** Answers when all parts are there, or that the request failed if one of them failed. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is thrown there is answered
    public static <T> void whenAll(
            KafkaExchange exchange,
            List<? extends CompletionStage<? extends T>> parts,
            Function<List<T>, ? extends AbstractResponse> response) {
        List<CompletableFuture<? extends T>> futures = parts.stream()
                .<CompletableFuture<? extends T>>map(part -> part.toCompletableFuture())
                .toList();
        CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            try {
                if (failure != null) {
                    exchange.fail(failure);
                } else {
                    exchange.answer(response.apply(
                            futures.stream().<T>map(future -> future.join()).toList()));
                }
            } catch (RuntimeException e) {
                exchange.fail(e);
            }
        });
    }

    /** Returns the error of one part that failed. */
    public static ApiError error(Throwable failure) {
        Errors error = KafkaErrors.of(failure);
        return error(error, KafkaErrors.toException(failure).getMessage());
    }

    /** Returns the error of one part that a client got wrong. */
    public static ApiError error(ApiException failure) {
        return error(Errors.forException(failure), failure.getMessage());
    }

    /** Returns an error; of what a client sent, only so much is sent back as fits into a message. */
    public static ApiError error(Errors error, @Nullable String message) {
        return new ApiError(
                error,
                message == null || message.length() <= MAX_MESSAGE_CHARS
                        ? message
                        : message.substring(0, MAX_MESSAGE_CHARS) + "...");
    }

    /** Returns a part that is there already. */
    public static <T> CompletionStage<T> now(T part) {
        return CompletableFuture.completedFuture(part);
    }
}
