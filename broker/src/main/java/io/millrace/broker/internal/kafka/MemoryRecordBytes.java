package io.millrace.broker.internal.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.RecordsSend;

/**
 * Batches in an answer that are in memory. They go to the socket from where they are.
 *
 * @param bytes the batches, between position and limit
 */
public record MemoryRecordBytes(ByteBuffer bytes) implements BaseRecords {

    @Override
    public int sizeInBytes() {
        return bytes.remaining();
    }

    @Override
    public RecordsSend<? extends BaseRecords> toSend() {
        throw new IllegalStateException("answers are written by KafkaEncoder");
    }
}
