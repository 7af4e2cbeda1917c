package io.millrace.coordinator.quorum;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.feature.SupportedVersionRange;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.raft.Endpoints;
import org.apache.kafka.raft.ExpirationService;
import org.apache.kafka.raft.KafkaRaftClient;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.raft.RaftLog;

/**
 * Makes Kafka's Raft client for a member.
 *
 * <p>A functional interface, so that the simulation can make one with a queue and randomness of its own.
 */
@FunctionalInterface
interface RaftClients {

    /** {@code kraft.version} 0: the voters are those of the settings, and never change while the cluster runs. */
    SupportedVersionRange STATIC_VOTERS = new SupportedVersionRange((short) 0, (short) 0);

    KafkaRaftClient<byte[]> create(
            QuorumSettings settings,
            UUID incarnation,
            RaftLog log,
            RaftPeers peers,
            Time time,
            ExpirationService expirations);

    /** Returns the way that it is done in production. */
    static RaftClients production() {
        return (settings, incarnation, log, peers, time, expirations) -> new KafkaRaftClient<>(
                OptionalInt.of(settings.memberId()),
                directoryId(incarnation),
                new BytesSerde(),
                peers,
                log,
                time,
                expirations,
                logContext(settings),
                settings.isVoter(),
                settings.clusterId(),
                List.of(),
                localEndpoints(settings),
                STATIC_VOTERS,
                config(settings));
    }

    static Uuid directoryId(UUID incarnation) {
        return new Uuid(incarnation.getMostSignificantBits(), incarnation.getLeastSignificantBits());
    }

    static LogContext logContext(QuorumSettings settings) {
        return new LogContext("[metadata quorum, member " + settings.memberId() + "] ");
    }

    /** Where the others reach this member; observers are not called. */
    static Endpoints localEndpoints(QuorumSettings settings) {
        return settings.voters().stream()
                .filter(voter -> voter.memberId() == settings.memberId())
                .findFirst()
                .map(voter -> Endpoints.fromInetSocketAddresses(Map.of(RaftPeers.LISTENER, address(voter))))
                .orElseGet(Endpoints::empty);
    }

    static Map<Integer, InetSocketAddress> voterAddresses(QuorumSettings settings) {
        Map<Integer, InetSocketAddress> addresses = new HashMap<>();
        settings.voters().forEach(voter -> addresses.put(voter.memberId(), address(voter)));
        return addresses;
    }

    private static InetSocketAddress address(QuorumVoter voter) {
        return InetSocketAddress.createUnresolved(voter.host(), voter.port());
    }

    /** Appends do not linger: whoever proposes packs what comes together. */
    static QuorumConfig config(QuorumSettings settings) {
        Map<String, Object> values = Map.of(
                QuorumConfig.QUORUM_FETCH_TIMEOUT_MS_CONFIG, settings.fetchTimeoutMs(),
                QuorumConfig.QUORUM_REQUEST_TIMEOUT_MS_CONFIG, settings.fetchTimeoutMs(),
                QuorumConfig.QUORUM_ELECTION_TIMEOUT_MS_CONFIG, settings.electionTimeoutMs(),
                QuorumConfig.QUORUM_ELECTION_BACKOFF_MAX_MS_CONFIG, settings.electionBackoffMaxMs(),
                QuorumConfig.QUORUM_LINGER_MS_CONFIG, 0);
        return new QuorumConfig(new AbstractConfig(QuorumConfig.CONFIG_DEF, values, false));
    }
}
