package io.millrace.broker.internal.session;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.coordinator.claims.ClaimKey;
import io.millrace.coordinator.claims.ClaimOwner;
import io.millrace.coordinator.claims.ClaimOwner.ConnectionKey;
import io.millrace.coordinator.claims.ClaimResult;
import io.millrace.coordinator.claims.Claims;
import io.millrace.wire.ErrorCode;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** Claims in the name of connections. May be used from any thread. */
public final class ConnectionClaims {

    private final Claims claims;
    private final int brokerId;
    private final LongSupplier brokerEpoch;

    /**
     * Creates the service.
     *
     * @param brokerEpoch the epoch granted at this start
     */
    public ConnectionClaims(Claims claims, int brokerId, LongSupplier brokerEpoch) {
        this.claims = claims;
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
    }

    /** Claims a client id for a client; fails with {@link RequestFailedException} if another one has it. */
    public CompletionStage<Void> claimClientId(ClientConnection connection, String clientId) {
        return claim(connection, new ClaimKey.ClientId(clientId), connection.clientUuid(), ErrorCode.CLIENT_ID_IN_USE);
    }

    /** Claims the right to consume; fails with {@link RequestFailedException} if another consumer has it. */
    CompletionStage<Void> claimSubscription(ClientConnection connection, UUID subscription, UUID consumer) {
        return claim(
                connection, new ClaimKey.ExclusiveSubscription(subscription), consumer, ErrorCode.SUBSCRIPTION_IN_USE);
    }

    private CompletionStage<Void> claim(ClientConnection connection, ClaimKey key, UUID identity, ErrorCode refusal) {
        ClaimOwner owner = new ClaimOwner(identity, keyOf(connection), connection.toString());
        return claims.claim(key, owner).thenAccept(result -> {
            switch (result) {
                case ClaimResult.Granted() -> {}
                case ClaimResult.HeldBy(ClaimOwner holder) ->
                    throw new RequestFailedException(refusal, nameOf(key) + " is in use by " + holder.description());
                case ClaimResult.LimitReached(int maxClaims) ->
                    throw new RequestFailedException(
                            ErrorCode.LIMIT_EXCEEDED, "the broker keeps " + maxClaims + " claims, not more");
            }
        });
    }

    private static String nameOf(ClaimKey key) {
        return switch (key) {
            case ClaimKey.ClientId(String clientId) -> "client id \"" + clientId + "\"";
            case ClaimKey.ExclusiveSubscription(UUID subscription) -> "subscription " + subscription;
        };
    }

    void releaseSubscription(ClientConnection connection, UUID subscription) {
        claims.release(new ClaimKey.ExclusiveSubscription(subscription), keyOf(connection));
    }

    void connectionEnded(ClientConnection connection) {
        claims.connectionEnded(keyOf(connection));
    }

    private ConnectionKey keyOf(ClientConnection connection) {
        return new ConnectionKey(brokerId, brokerEpoch.getAsLong(), connection.id());
    }
}
