package io.millrace.wire.frame;

import java.util.Objects;

/**
 * Claims a JMS client id for this connection until it ends, its sessions' grace included. Answered by {@link Done}, or refused
 * with {@link io.millrace.wire.ErrorCode#CLIENT_ID_IN_USE}.
 *
 * <p>The connection with the same {@code clientUuid} may claim it again, also while the server still takes the old connection
 * for alive.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param clientId the JMS client id
 */
public record ClaimClientId(int corr, String clientId) implements RequestFrame {

    /** Checks the ranges. */
    public ClaimClientId {
        Objects.requireNonNull(clientId, "clientId");
    }

    static ClaimClientId read(FieldReader in) {
        return new ClaimClientId(in.i32("corr"), in.string("clientId"));
    }

    static void write(FieldWriter out, ClaimClientId frame) {
        out.i32(frame.corr);
        out.string(frame.clientId);
    }

    @Override
    public FrameType type() {
        return FrameType.CLAIM_CLIENT_ID;
    }
}
