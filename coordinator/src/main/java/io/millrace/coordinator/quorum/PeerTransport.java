package io.millrace.coordinator.quorum;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * Carries the quorum's requests to other members. Implemented by whoever owns the sockets; only connections of authenticated brokers may
 * be used, since whoever can speak here can change the cluster's metadata.
 *
 * <p>The other direction: a request that arrives is given to {@link RaftMetadataQuorum#onPeerRequest}, and what that returns is sent back.
 */
@FunctionalInterface
public interface PeerTransport {

    /**
     * Sends a request, one connection per peer, in order. Never blocks; called by the quorum's thread.
     *
     * @param peer whom to
     * @param request opaque bytes, the transport's from now on
     * @return the answer's bytes; fails if the peer cannot be reached, or stays open: the quorum has timeouts of its own
     */
    CompletionStage<ByteBuffer> send(QuorumVoter peer, ByteBuffer request);
}
