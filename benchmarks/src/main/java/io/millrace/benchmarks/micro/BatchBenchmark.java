package io.millrace.benchmarks.micro;

import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A batch of 16 records of 1 KiB: building it, and checking and reading it, by us and by Kafka's own classes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BatchBenchmark {
    static final int RECORDS = 16;
    static final int BYTES = 1 << 16;

    private final byte[] value = new byte[1024];
    private final RecordBatchBuilder builder = new RecordBatchBuilder(BYTES, BYTES);
    private ByteBuffer batch = ByteBuffer.allocate(0);

    /** Builds the batch that is read. */
    @Setup
    public void setUp() {
        batch = build();
    }

    /** Ours, built. */
    @Benchmark
    public ByteBuffer encode() {
        return build();
    }

    /** Ours, checked and read. */
    @Benchmark
    public long decode() {
        RecordBatch read = RecordBatch.at(batch, 0);
        long sum = read.isCrcValid() ? 0 : -1;
        try (RecordCursor records = read.records()) {
            while (records.next()) {
                sum += records.offset() + records.valueSize();
            }
        }
        return sum;
    }

    /** Kafka's, built. */
    @Benchmark
    public MemoryRecords encodeKafka() {
        MemoryRecordsBuilder records =
                MemoryRecords.builder(ByteBuffer.allocate(BYTES), Compression.NONE, TimestampType.CREATE_TIME, 0);
        for (int i = 0; i < RECORDS; i++) {
            records.append(1_000_000L + i, null, value);
        }
        return records.build();
    }

    /** Kafka's, checked and read. */
    @Benchmark
    public long decodeKafka() {
        long sum = 0;
        for (var read : MemoryRecords.readableRecords(batch.duplicate()).batches()) {
            read.ensureValid();
            for (Record record : read) {
                sum += record.offset() + record.valueSize();
            }
        }
        return sum;
    }

    private ByteBuffer build() {
        builder.reset();
        for (int i = 0; i < RECORDS; i++) {
            if (!builder.tryAppend(1_000_000L + i, null, value)) {
                throw new IllegalStateException("the batch is too small for " + RECORDS + " records");
            }
        }
        return builder.build();
    }
}
