package io.millrace.broker.internal.kafka;

import io.millrace.log.FileSlice;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.RecordsSend;

/**
 * Batches in an answer that are in a file. They go from there to the socket without passing through this process. Whoever puts them into
 * an answer closes the slice when the answer has left.
 */
public record FileRecordBytes(FileSlice slice) implements BaseRecords {

    @Override
    public int sizeInBytes() {
        return slice.lengthBytes();
    }

    @Override
    public RecordsSend<? extends BaseRecords> toSend() {
        throw new IllegalStateException("answers are written by KafkaEncoder");
    }
}
