package io.millrace.broker.internal.network;

import io.millrace.broker.internal.metrics.RequestMetrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;

/** Counts what answers say that failed. */
final class AnswerErrors {

    private AnswerErrors() {}

    static void count(AbstractResponse answer, RequestMetrics.Kind kind) {
        try {
            answer.errorCounts().forEach((error, count) -> {
                if (error != Errors.NONE) {
                    kind.onErrors(error.name(), count);
                }
            });
        } catch (RuntimeException uncountable) {
            // Kafka's own class cannot count an answer that tells twice of the same thing, which was asked for twice.
            kind.onErrors(Errors.INVALID_REQUEST.name(), 1);
        }
    }
}
