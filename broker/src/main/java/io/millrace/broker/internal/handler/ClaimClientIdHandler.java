package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.session.ConnectionClaims;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ClaimClientId;

/** Gives a client id to one client at a time. */
final class ClaimClientIdHandler implements RequestHandler<ClaimClientId> {

    private static final int MAX_LENGTH = 1_024;

    private final ConnectionClaims claims;

    ClaimClientIdHandler(ConnectionClaims claims) {
        this.claims = claims;
    }

    @Override
    public void handle(ClaimClientId request, Exchange exchange) {
        if (request.clientId().isEmpty() || request.clientId().length() > MAX_LENGTH) {
            throw new RequestFailedException(
                    ErrorCode.INVALID_REQUEST, "a client id has 1 to " + MAX_LENGTH + " characters");
        }
        Failures.answerWhenDone(
                claims.claimClientId(exchange.connection(), request.clientId()), exchange, granted -> exchange.done());
    }
}
