package io.millrace.wire.frame;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Answer to {@link Hello}: who the server is, and the limits that hold on this connection.
 *
 * @param clusterId identity of the cluster
 * @param brokerId identity of the broker in its cluster
 * @param incarnation identity of the broker's data: a broker whose disk was replaced has another one
 * @param brokerEpoch granted at each start of the broker: acquisitions of an earlier epoch are void
 * @param serverTimeMs the broker's clock, in milliseconds since 1970: timestamps are computed in it
 * @param heartbeatIntervalMs the client sends a {@link Heartbeat} at least this often
 * @param sessionGraceMs how long sessions outlive a lost connection
 * @param maxFrameBytes largest frame (type and body) that the server accepts
 * @param maxTransferBytes largest frame that it accepts or sends in a transfer
 * @param maxOpenRequests requests of one session that may wait for their answers at the same time
 * @param mechanisms names of the login mechanisms that the server accepts here, preferred first
 */
public record HelloOk(
        String clusterId,
        int brokerId,
        UUID incarnation,
        long brokerEpoch,
        long serverTimeMs,
        int heartbeatIntervalMs,
        int sessionGraceMs,
        int maxFrameBytes,
        int maxTransferBytes,
        int maxOpenRequests,
        List<String> mechanisms)
        implements Frame {

    /** Checks the ranges. */
    public HelloOk {
        Objects.requireNonNull(clusterId, "clusterId");
        FieldChecks.atLeast(0, brokerId, "brokerId");
        Objects.requireNonNull(incarnation, "incarnation");
        FieldChecks.atLeast(0, brokerEpoch, "brokerEpoch");
        FieldChecks.atLeast(1, heartbeatIntervalMs, "heartbeatIntervalMs");
        FieldChecks.atLeast(0, sessionGraceMs, "sessionGraceMs");
        FieldChecks.atLeast(1, maxFrameBytes, "maxFrameBytes");
        FieldChecks.atLeast(1, maxTransferBytes, "maxTransferBytes");
        FieldChecks.atLeast(1, maxOpenRequests, "maxOpenRequests");
        mechanisms = List.copyOf(mechanisms);
    }

    static HelloOk read(FieldReader in) {
        return new HelloOk(
                in.string("clusterId"),
                in.i32("brokerId"),
                in.uuid("incarnation"),
                in.i64("brokerEpoch"),
                in.i64("serverTimeMs"),
                in.i32("heartbeatIntervalMs"),
                in.i32("sessionGraceMs"),
                in.i32("maxFrameBytes"),
                in.i32("maxTransferBytes"),
                in.i32("maxOpenRequests"),
                in.list("mechanisms", 1, item -> item.string("mechanisms")));
    }

    static void write(FieldWriter out, HelloOk frame) {
        out.string(frame.clusterId);
        out.i32(frame.brokerId);
        out.uuid(frame.incarnation);
        out.i64(frame.brokerEpoch);
        out.i64(frame.serverTimeMs);
        out.i32(frame.heartbeatIntervalMs);
        out.i32(frame.sessionGraceMs);
        out.i32(frame.maxFrameBytes);
        out.i32(frame.maxTransferBytes);
        out.i32(frame.maxOpenRequests);
        out.list(frame.mechanisms, FieldWriter::string);
    }

    @Override
    public FrameType type() {
        return FrameType.HELLO_OK;
    }
}
