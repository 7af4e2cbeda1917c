package io.millrace.wire.frame;

import java.util.List;

/**
 * State of one partition.
 *
 * @param partition its number
 * @param leaderBrokerId the broker that leads it, -1 while there is none
 * @param leaderEpoch epoch of the leader
 * @param logStart first offset that the log still has
 * @param highWatermark end of what consumers may see
 * @param logEnd next offset to be written
 * @param synced end of what is forced to the disk
 * @param sizeBytes size of all segments
 * @param segments how many files hold them
 * @param cursors its cursors
 */
public record PartitionDescription(
        int partition,
        int leaderBrokerId,
        int leaderEpoch,
        long logStart,
        long highWatermark,
        long logEnd,
        long synced,
        long sizeBytes,
        int segments,
        List<CursorDescription> cursors) {

    /** Checks the ranges. */
    public PartitionDescription {
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(-1, leaderBrokerId, "leaderBrokerId");
        FieldChecks.atLeast(0, leaderEpoch, "leaderEpoch");
        FieldChecks.atLeast(0, logStart, "logStart");
        FieldChecks.atLeast(0, highWatermark, "highWatermark");
        FieldChecks.atLeast(0, logEnd, "logEnd");
        FieldChecks.atLeast(0, synced, "synced");
        FieldChecks.atLeast(0, sizeBytes, "sizeBytes");
        FieldChecks.atLeast(1, segments, "segments");
        cursors = List.copyOf(cursors);
    }

    static PartitionDescription read(FieldReader in) {
        return new PartitionDescription(
                in.i32("partition"),
                in.i32("leaderBrokerId"),
                in.i32("leaderEpoch"),
                in.i64("logStart"),
                in.i64("highWatermark"),
                in.i64("logEnd"),
                in.i64("synced"),
                in.i64("sizeBytes"),
                in.i32("segments"),
                in.list("cursors", 53, CursorDescription::read));
    }

    static void write(FieldWriter out, PartitionDescription item) {
        out.i32(item.partition);
        out.i32(item.leaderBrokerId);
        out.i32(item.leaderEpoch);
        out.i64(item.logStart);
        out.i64(item.highWatermark);
        out.i64(item.logEnd);
        out.i64(item.synced);
        out.i64(item.sizeBytes);
        out.i32(item.segments);
        out.list(item.cursors, CursorDescription::write);
    }
}
