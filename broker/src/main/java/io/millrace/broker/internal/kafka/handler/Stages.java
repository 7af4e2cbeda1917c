package io.millrace.broker.internal.kafka.handler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Several questions that are asked at a time. */
final class Stages {

    private Stages() {}

    /** Completes with all results, in the order of the parts; fails if one of them does. */
    static <R> CompletableFuture<List<R>> all(List<CompletableFuture<R>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).thenApply(done -> {
            List<R> results = new ArrayList<>(parts.size());
            parts.forEach(part -> results.add(part.join()));
            return results;
        });
    }
}
