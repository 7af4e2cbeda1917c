package io.millrace.broker.internal.partition;

import io.millrace.wire.ErrorCode;
import java.util.ArrayDeque;

/** The sends of a partition that are written and wait for the high watermark to pass them. On the shard. */
final class WaitingSends {

    private record Waiting(long baseOffset, long endOffset, long logAppendTimeMs, SendReply reply) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /**
     * Adds a send.
     *
     * @param endOffset offset after its last record
     * @param logAppendTimeMs the time that the log gave it, or -1
     */
    void add(long baseOffset, long endOffset, long logAppendTimeMs, SendReply reply) {
        waiting.add(new Waiting(baseOffset, endOffset, logAppendTimeMs, reply));
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Answers those below the high watermark, in the order in which they were sent. */
    void onHighWatermark(long highWatermark) {
        for (Waiting next = waiting.peek(); next != null && next.endOffset <= highWatermark; next = waiting.peek()) {
            waiting.poll();
            next.reply.onStored(next.baseOffset, next.logAppendTimeMs);
        }
    }

    /** They will never be below the high watermark as far as this leader can tell. */
    void failAll(ErrorCode code, String message) {
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            next.reply.onFailed(code, message);
        }
    }
}
