package io.millrace.wire.frame;

import java.util.Objects;

/**
 * Where to find the leader of a partition.
 *
 * @param leaderBrokerId the broker, -1 while there is none
 * @param leaderEpoch its epoch
 * @param host host that clients connect to, empty while there is no leader
 * @param port its port
 */
public record PartitionLeader(int leaderBrokerId, int leaderEpoch, String host, int port) {

    /** Checks the ranges. */
    public PartitionLeader {
        FieldChecks.atLeast(-1, leaderBrokerId, "leaderBrokerId");
        FieldChecks.atLeast(0, leaderEpoch, "leaderEpoch");
        Objects.requireNonNull(host, "host");
        FieldChecks.atLeast(0, port, "port");
        FieldChecks.require(port <= 65_535, "port", "must be at most 65535, is " + port);
    }

    static PartitionLeader read(FieldReader in) {
        return new PartitionLeader(in.i32("leaderBrokerId"), in.i32("leaderEpoch"), in.string("host"), in.i32("port"));
    }

    static void write(FieldWriter out, PartitionLeader item) {
        out.i32(item.leaderBrokerId);
        out.i32(item.leaderEpoch);
        out.string(item.host);
        out.i32(item.port);
    }
}
