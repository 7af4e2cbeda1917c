package io.millrace.coordinator.transaction;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Identities of transactions that are over, for others to come: each with an epoch that was never used, so that nothing late can be taken
 * for the new transaction's.
 */
final class IdentityPool {

    private final ProducerIdSource ids;
    private final ArrayDeque<ProducerIdentity> free = new ArrayDeque<>();

    IdentityPool(ProducerIdSource ids) {
        this.ids = ids;
    }

    CompletionStage<ProducerIdentity> take() {
        ProducerIdentity next = free.poll();
        return next == null ? fresh() : CompletableFuture.completedFuture(next);
    }

    /** Returns an identity that nobody had. */
    CompletionStage<ProducerIdentity> fresh() {
        return ids.allocate().thenApply(id -> new ProducerIdentity(id, (short) 0));
    }

    /** Takes back an identity under which nothing was written. */
    void giveBack(ProducerIdentity unused) {
        if (!unused.isExhausted()) {
            free.push(unused);
        }
    }
}
