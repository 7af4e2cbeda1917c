package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Answer to {@link BrowseQueue}.
 *
 * @param corr of the request
 * @param nextOffset where to go on; at the end when it is not below endOffset
 * @param endOffset of the request; if that was -1, the end of what was there when the request came
 * @param ranges which records of the payload are meant, ascending; an offset in them that the payload does not hold is no record
 * @param payload whole record batches, of which some or all records are meant
 */
public record QueueBrowsed(int corr, long nextOffset, long endOffset, List<BrowsedRange> ranges, ByteBuffer payload)
        implements PayloadFrame, AnswerFrame {

    /** Checks the ranges. */
    public QueueBrowsed {
        FieldChecks.atLeast(0, nextOffset, "nextOffset");
        FieldChecks.atLeast(0, endOffset, "endOffset");
        ranges = List.copyOf(ranges);
        payload = payload.slice();
    }

    static QueueBrowsed read(FieldReader in) {
        return new QueueBrowsed(
                in.i32("corr"),
                in.i64("nextOffset"),
                in.i64("endOffset"),
                in.list("ranges", BrowsedRange.MIN_BYTES, BrowsedRange::read),
                in.rest());
    }

    static void write(FieldWriter out, QueueBrowsed frame) {
        out.i32(frame.corr);
        out.i64(frame.nextOffset);
        out.i64(frame.endOffset);
        out.list(frame.ranges, BrowsedRange::write);
    }

    /** Returns a view of its own position; the bytes are shared, not copied. */
    @Override
    public ByteBuffer payload() {
        return payload.duplicate();
    }

    @Override
    public FrameType type() {
        return FrameType.QUEUE_BROWSED;
    }
}
