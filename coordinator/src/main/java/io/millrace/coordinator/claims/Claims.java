package io.millrace.coordinator.claims;

import io.millrace.coordinator.claims.ClaimOwner.ConnectionKey;
import java.util.concurrent.CompletionStage;

/**
 * Grants each key to one claimant at a time.
 *
 * <p>A claim belongs to the connection that made it and lasts until that connection is over, the grace of its sessions included. A
 * claimant that reconnects within the grace claims again under the same identity: then both connections hold the claim, and the end of
 * the old one does not take it away. May be called from any thread; calls of one thread take effect in their order.
 */
public interface Claims {

    /**
     * Claims a key.
     *
     * @param key what
     * @param owner who; granted if nobody has the key, or only connections of the same identity
     * @return the answer; never fails because somebody else has it
     */
    CompletionStage<ClaimResult> claim(ClaimKey key, ClaimOwner owner);

    /**
     * Gives a key back before the connection ends. Does nothing if this connection does not have it.
     *
     * @param key what
     * @param connection which connection's hold ends
     */
    void release(ClaimKey key, ConnectionKey connection);

    /**
     * The connection is over: all of its claims end.
     *
     * @param connection which
     */
    void connectionEnded(ConnectionKey connection);
}
