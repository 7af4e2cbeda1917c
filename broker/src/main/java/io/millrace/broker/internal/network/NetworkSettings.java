package io.millrace.broker.internal.network;

import io.millrace.wire.frame.FrameCodec;
import java.util.concurrent.TimeUnit;

/**
 * Limits and times of the listener.
 *
 * @param maxConnections connections of all clients together
 * @param maxConnectionsPerAddress connections of one address
 * @param maxKafkaRequestBytes largest length that is taken for the start of a Kafka request
 * @param maxTransferBytes largest request that may travel in chunks
 * @param transferPoolBytes memory for all such requests together, at least one of the largest
 * @param inFlightBytes bytes of one connection's requests that wait for their answers, before it is no longer read
 * @param outboundBytes bytes that wait for one client to read them, before it gets no more deliveries and is no longer read
 * @param brokerInFlightBytes the same for the requests of all connections, and for the frames that are being read
 * @param brokerOutboundBytes bytes that wait for all clients to read them, before only those get more who have read everything
 * @param maxOpenRequests open requests of a session, and of a connection outside its sessions
 * @param maxLoginRequestBytes largest request of a Kafka client that has not logged in
 * @param failedLoginDelayMs time from a wrong login to its answer
 * @param handshakeTimeoutMs time from the first byte to the login
 * @param heartbeatIntervalMs how often a client has to be heard of; three times as long is silence
 * @param sessionGraceMs told to the client
 * @param idleTimeoutMs after this time without a session and without a request the connection is closed
 */
public record NetworkSettings(
        int maxConnections,
        int maxConnectionsPerAddress,
        int maxKafkaRequestBytes,
        int maxTransferBytes,
        long transferPoolBytes,
        long inFlightBytes,
        long outboundBytes,
        long brokerInFlightBytes,
        long brokerOutboundBytes,
        int maxOpenRequests,
        int maxLoginRequestBytes,
        int failedLoginDelayMs,
        int handshakeTimeoutMs,
        int heartbeatIntervalMs,
        int sessionGraceMs,
        long idleTimeoutMs) {

    /** A client that was not heard of for so many heartbeats is dead. */
    static final int SILENT_HEARTBEATS = 3;

    /** Checks how the values go together; each by itself was checked with its key. */
    public NetworkSettings {
        if (transferPoolBytes < maxTransferBytes) {
            throw new IllegalArgumentException("the transfer pool of " + transferPoolBytes
                    + " bytes cannot hold a transfer of " + maxTransferBytes);
        }
        if (brokerInFlightBytes < FrameCodec.MAX_FRAME_BYTES) {
            throw new IllegalArgumentException("requests of " + brokerInFlightBytes
                    + " bytes in all do not hold one frame of " + FrameCodec.MAX_FRAME_BYTES);
        }
    }

    long handshakeTimeoutNs() {
        return TimeUnit.MILLISECONDS.toNanos(handshakeTimeoutMs);
    }

    long silenceNs() {
        return TimeUnit.MILLISECONDS.toNanos((long) SILENT_HEARTBEATS * heartbeatIntervalMs);
    }

    long idleTimeoutNs() {
        return TimeUnit.MILLISECONDS.toNanos(idleTimeoutMs);
    }
}
