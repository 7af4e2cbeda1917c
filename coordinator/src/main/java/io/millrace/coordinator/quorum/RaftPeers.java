package io.millrace.coordinator.quorum;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.NetworkChannel;
import org.apache.kafka.raft.RaftRequest;
import org.apache.kafka.raft.RaftResponse;
import org.apache.kafka.raft.RaftUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Raft core's view of the other members: its messages become bytes for the {@link PeerTransport} and back, and messages of strangers
 * are kept out (another cluster, another receiver, a voter with another data directory).
 *
 * <p>{@link #send} is called by the quorum's thread, the rest by the transport's.
 */
final class RaftPeers implements NetworkChannel {

    static final ListenerName LISTENER = new ListenerName("QUORUM");

    private static final Logger LOG = LoggerFactory.getLogger(RaftPeers.class);

    private final QuorumSettings settings;
    private final UUID incarnation;
    private final PeerTransport transport;
    private final VoterIncarnations voters;
    private final Time time;
    private int lastCorrelationId;

    RaftPeers(QuorumSettings settings, UUID incarnation, PeerTransport transport, VoterIncarnations voters, Time time) {
        this.settings = settings;
        this.incarnation = incarnation;
        this.transport = transport;
        this.voters = voters;
        this.time = time;
    }

    @Override
    public int newCorrelationId() {
        return ++lastCorrelationId;
    }

    @Override
    public ListenerName listenerName() {
        return LISTENER;
    }

    /** Never completes exceptionally, which the Raft core cannot take: a failure is an error response, a stranger's answer none. */
    @Override
    public CompletionStage<RaftResponse.Inbound> send(RaftRequest.Outbound request) {
        Node peer = request.destination();
        ApiKeys key = ApiKeys.forId(request.data().apiKey());
        short version = ApiMessageType.fromApiKey(key.id).highestSupportedVersion(true);
        PeerMessage message = new PeerMessage(
                settings.clusterId(),
                settings.memberId(),
                incarnation,
                peer.id(),
                request.correlationId(),
                key.id,
                version,
                request.data());
        CompletableFuture<RaftResponse.Inbound> answer = new CompletableFuture<>();
        transport.send(voter(peer), message.toRequestBytes()).whenComplete((bytes, failure) -> {
            if (failure != null) {
                LOG.debug("no answer from member {} to {}: {}", peer.id(), key, failure.toString());
                answer.complete(new RaftResponse.Inbound(
                        request.correlationId(), RaftUtil.errorResponse(key, Errors.BROKER_NOT_AVAILABLE), peer));
            } else {
                accept(bytes, message, peer, answer);
            }
        });
        return answer;
    }

    private void accept(
            ByteBuffer bytes, PeerMessage request, Node peer, CompletableFuture<RaftResponse.Inbound> answer) {
        try {
            PeerMessage response = PeerMessage.ofResponse(bytes);
            checkSender(response);
            if (response.apiKey() != request.apiKey() || response.correlationId() != request.correlationId()) {
                throw new PeerRefusedException("an answer to another request, " + response.apiKey() + " number "
                        + response.correlationId() + " instead of " + request.apiKey() + " number "
                        + request.correlationId());
            }
            answer.complete(new RaftResponse.Inbound(request.correlationId(), response.body(), peer));
        } catch (PeerRefusedException | QuorumStorageException e) {
            LOG.warn("ignored the answer of member {}: {}", peer.id(), e.getMessage());
        }
    }

    /**
     * Takes a request from another member.
     *
     * @param bytes as sent by its {@link #send}
     * @param raft answers it
     * @return the answer's bytes; fails with {@link PeerRefusedException}
     */
    CompletionStage<ByteBuffer> onRequest(
            ByteBuffer bytes, Function<RaftRequest.Inbound, CompletionStage<RaftResponse.Outbound>> raft) {
        try {
            PeerMessage request = PeerMessage.ofRequest(bytes);
            checkSender(request);
            RaftRequest.Inbound inbound = new RaftRequest.Inbound(
                    LISTENER, request.correlationId(), request.apiVersion(), request.body(), time.milliseconds());
            return raft.apply(inbound)
                    .thenApply(response -> answer(request, response).toResponseBytes());
        } catch (PeerRefusedException | QuorumStorageException e) {
            LOG.warn("refused a request of another member: {}", e.getMessage());
            return CompletableFuture.failedFuture(e);
        }
    }

    private PeerMessage answer(PeerMessage request, RaftResponse.Outbound response) {
        return new PeerMessage(
                settings.clusterId(),
                settings.memberId(),
                incarnation,
                request.senderId(),
                request.correlationId(),
                request.apiKey(),
                request.apiVersion(),
                response.data());
    }

    private void checkSender(PeerMessage message) {
        if (!message.clusterId().equals(settings.clusterId())) {
            throw new PeerRefusedException("member " + message.senderId() + " is of cluster " + message.clusterId()
                    + ", this is " + settings.clusterId());
        }
        if (message.receiverId() != settings.memberId()) {
            throw new PeerRefusedException("member " + message.senderId() + " takes this for member "
                    + message.receiverId() + ", it is " + settings.memberId() + ": check metadata.voters");
        }
        if (settings.isVoter(message.senderId())) {
            UUID known = voters.known(message.senderId(), message.senderIncarnation());
            if (!known.equals(message.senderIncarnation())) {
                throw new PeerRefusedException("voter " + message.senderId() + " comes with data directory "
                        + message.senderIncarnation() + ", its votes and records were in " + known
                        + ": a voter that lost its directory cannot come back under its id");
            }
        }
    }

    private QuorumVoter voter(Node peer) {
        return settings.voters().stream()
                .filter(voter -> voter.memberId() == peer.id())
                .findFirst()
                .orElseGet(() -> new QuorumVoter(peer.id(), peer.host(), peer.port()));
    }

    @Override
    public void close() {
        // The transport belongs to whoever made it.
    }
}
