package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.CursorRecord;
import io.millrace.coordinator.cursor.CursorRecordCodec;
import io.millrace.log.AppendOrigin;
import io.millrace.log.AppendResult;
import io.millrace.log.FlushPolicy;
import io.millrace.log.LogConfig;
import io.millrace.log.PartitionLog;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The cursor log of a partition as its leader writes it: one batch per turn, a full image whenever it has grown enough, and those who
 * wait for its high watermark. On the shard.
 */
final class CursorLog {

    /** Size of records above which a turn's or image's records are spread over several batches. */
    private static final int BATCH_BYTES = 512 * 1024;

    private static final int MAX_BATCH_BYTES = 4 * 1024 * 1024;

    private record Waiting(long endOffset, PendingAnswer<?> answer) {}

    private final PartitionLog log;
    private final int leaderEpoch;
    private final int imageEveryBytes;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long bytesSinceImage;
    private long imageStart;
    private long imageEnd = -1;

    /**
     * Takes over a log that was opened.
     *
     * @param imageEveryBytes how much is written before a new image replaces what is there
     */
    CursorLog(PartitionLog log, int leaderEpoch, int imageEveryBytes) {
        this.log = log;
        this.leaderEpoch = leaderEpoch;
        this.imageEveryBytes = imageEveryBytes;
        this.bytesSinceImage = log.sizeBytes();
    }

    /** Appends the records of a turn. Returns the end of the log. */
    long append(List<CursorRecord> records, long nowMs) {
        RecordBatchBuilder builder = new RecordBatchBuilder(BATCH_BYTES, MAX_BATCH_BYTES);
        for (CursorRecord record : records) {
            byte[] key = CursorRecordCodec.encodeKey(record);
            byte[] value = CursorRecordCodec.encodeValue(record);
            if (!builder.tryAppend(nowMs, key, value)) {
                appendBatch(builder.build());
                builder.reset().tryAppend(nowMs, key, value);
            }
        }
        if (!builder.isEmpty()) {
            appendBatch(builder.build());
        }
        return log.logEndOffset();
    }

    private void appendBatch(ByteBuffer batch) {
        AppendResult result = log.append(batch, leaderEpoch, AppendOrigin.COORDINATOR);
        if (!(result instanceof AppendResult.Appended appended)) {
            throw new IllegalStateException("cursor log of " + log.partition() + " refused a batch: " + result);
        }
        bytesSinceImage += appended.bytes();
    }

    /** Returns whether so much was written since the last image that a new one is due. */
    boolean wantsImage() {
        return imageEnd < 0 && bytesSinceImage >= imageEveryBytes;
    }

    /** What is there is not all: has an image made soon, which makes up for it. */
    void wantImage() {
        bytesSinceImage = imageEveryBytes;
    }

    /** Opens a new segment with an image. When the image is below the high watermark, the segments before it go. */
    long appendImage(List<CursorRecord> image, long nowMs) {
        log.roll();
        imageStart = log.logEndOffset();
        long end = append(image, nowMs);
        imageEnd = end;
        bytesSinceImage = 0;
        return end;
    }

    long highWatermark() {
        return log.config().flush() == FlushPolicy.OS ? log.logEndOffset() : log.syncedOffset();
    }

    long endOffset() {
        return log.logEndOffset();
    }

    /**
     * Gives answers as soon as everything that is in the log now is below its high watermark: at once if it is.
     *
     * @param hurried whether a sync is asked for now
     */
    void whenReplicated(List<PendingAnswer<?>> answers, boolean hurried) {
        long end = log.logEndOffset();
        if (answers.isEmpty()) {
            return;
        }
        if (highWatermark() >= end) {
            answers.forEach(PendingAnswer::give);
            return;
        }
        answers.forEach(answer -> waiting.add(new Waiting(end, answer)));
        if (hurried) {
            log.requestSync();
        } else {
            log.syncAlong();
        }
    }

    /** The log will not get there any more. */
    void failWaiting(ErrorCode code, String why) {
        waiting.forEach(next -> next.answer.fail(code, why));
        waiting.clear();
    }

    /** Goes by other settings; what counted as soon as it was written may have to be synced now. */
    void reconfigure(LogConfig config) {
        log.reconfigure(config);
        log.requestSync();
    }

    void requestSync() {
        log.requestSync();
    }

    void onHighWatermark() {
        long highWatermark = highWatermark();
        if (imageEnd >= 0 && highWatermark >= imageEnd) {
            imageEnd = -1;
            log.advanceLogStart(imageStart);
        }
        for (Waiting next = waiting.peek(); next != null && next.endOffset <= highWatermark; next = waiting.peek()) {
            waiting.poll();
            next.answer.give();
        }
    }

    void close() {
        log.close();
    }
}
