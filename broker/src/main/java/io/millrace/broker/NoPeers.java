package io.millrace.broker;

import io.millrace.coordinator.quorum.PeerTransport;
import io.millrace.coordinator.quorum.QuorumVoter;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The way to the other members of a quorum that has none: a broker alone. */
final class NoPeers implements PeerTransport {

    @Override
    public CompletionStage<ByteBuffer> send(QuorumVoter peer, ByteBuffer request) {
        return CompletableFuture.failedFuture(
                new BrokerStartException("this broker is alone: there is no way to voter " + peer.memberId()));
    }
}
