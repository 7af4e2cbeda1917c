package io.millrace.coordinator.claims;

import io.millrace.coordinator.claims.ClaimOwner.ConnectionKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The claims of a cluster of one broker, or of those client ids that this broker is responsible for. State is touched only on the executor. */
public final class InMemoryClaims implements Claims {

    private final Executor executor;
    private final int maxClaims;
    /** Who has a key: connections of one identity, the one that claimed first in front. Never empty. */
    private final Map<ClaimKey, Map<ConnectionKey, ClaimOwner>> holders = new HashMap<>();

    private final Map<ConnectionKey, Set<ClaimKey>> held = new HashMap<>();

    /**
     * Creates an empty set of claims.
     *
     * @param executor runs tasks one at a time, in order
     * @param maxClaims how many keys may be held at a time, at least 1
     */
    public InMemoryClaims(Executor executor, int maxClaims) {
        if (maxClaims < 1) {
            throw new IllegalArgumentException("at most " + maxClaims + " claims is less than 1");
        }
        this.executor = Objects.requireNonNull(executor, "executor");
        this.maxClaims = maxClaims;
    }

    @Override
    public CompletionStage<ClaimResult> claim(ClaimKey key, ClaimOwner owner) {
        CompletableFuture<ClaimResult> answer = new CompletableFuture<>();
        executor.execute(() -> answer.complete(decide(key, owner)));
        return answer;
    }

    @Override
    public void release(ClaimKey key, ConnectionKey connection) {
        executor.execute(() -> {
            Set<ClaimKey> keys = held.get(connection);
            if (keys != null && keys.remove(key)) {
                endHold(key, connection);
                if (keys.isEmpty()) {
                    held.remove(connection);
                }
            }
        });
    }

    @Override
    public void connectionEnded(ConnectionKey connection) {
        executor.execute(() -> {
            Set<ClaimKey> keys = held.remove(connection);
            if (keys != null) {
                keys.forEach(key -> endHold(key, connection));
            }
        });
    }

    private ClaimResult decide(ClaimKey key, ClaimOwner owner) {
        Map<ConnectionKey, ClaimOwner> current = holders.get(key);
        if (current == null) {
            if (holders.size() >= maxClaims) {
                return new ClaimResult.LimitReached(maxClaims);
            }
            current = new LinkedHashMap<>();
            holders.put(key, current);
        } else {
            ClaimOwner first = current.values().iterator().next();
            if (!first.identity().equals(owner.identity())) {
                return new ClaimResult.HeldBy(first);
            }
        }
        current.putIfAbsent(owner.connection(), owner);
        held.computeIfAbsent(owner.connection(), connection -> new HashSet<>()).add(key);
        return new ClaimResult.Granted();
    }

    private void endHold(ClaimKey key, ConnectionKey connection) {
        Map<ConnectionKey, ClaimOwner> current = Objects.requireNonNull(holders.get(key), "holders of a held key");
        current.remove(connection);
        if (current.isEmpty()) {
            holders.remove(key);
        }
    }
}
