package io.millrace.wire.frame;

import java.util.Objects;
import java.util.UUID;

/**
 * Reads messages of a queue that are not consumed, without changing anything. Answered by {@link QueueBrowsed} with a page of them.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param logId identity of the queue's log
 * @param partition partition of the log
 * @param offset where to begin or go on
 * @param endOffset where to end; -1 for everything that was sent before the request
 * @param maxBytes about how many bytes at most, but at least one whole batch if there is one
 */
public record BrowseQueue(int corr, UUID logId, int partition, long offset, long endOffset, int maxBytes)
        implements RequestFrame {

    /** Stands for the end of what is there now. */
    public static final long END_OF_NOW = -1;

    /** Checks the ranges. */
    public BrowseQueue {
        Objects.requireNonNull(logId, "logId");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, offset, "offset");
        FieldChecks.atLeast(END_OF_NOW, endOffset, "endOffset");
        FieldChecks.atLeast(1, maxBytes, "maxBytes");
    }

    static BrowseQueue read(FieldReader in) {
        return new BrowseQueue(
                in.i32("corr"),
                in.uuid("logId"),
                in.i32("partition"),
                in.i64("offset"),
                in.i64("endOffset"),
                in.i32("maxBytes"));
    }

    static void write(FieldWriter out, BrowseQueue frame) {
        out.i32(frame.corr);
        out.uuid(frame.logId);
        out.i32(frame.partition);
        out.i64(frame.offset);
        out.i64(frame.endOffset);
        out.i32(frame.maxBytes);
    }

    @Override
    public FrameType type() {
        return FrameType.BROWSE_QUEUE;
    }
}
