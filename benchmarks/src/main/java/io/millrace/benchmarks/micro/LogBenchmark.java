package io.millrace.benchmarks.micro;

import io.millrace.benchmarks.Installation;
import io.millrace.log.AppendOrigin;
import io.millrace.log.AppendResult;
import io.millrace.log.DiskLogStorage;
import io.millrace.log.FlushPolicy;
import io.millrace.log.LogConfig;
import io.millrace.log.LogRole;
import io.millrace.log.LogSlice;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.StorageException;
import io.millrace.log.SyncListener;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A partition's log on disk, without syncs: an append of a batch with one record or with sixteen, and a read at an offset anywhere in a
 * log of 500 MB, which is a search in the segments and in an index, a search in the file, and the read itself.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LogBenchmark {
    private static final int BYTES = 1 << 16;
    private static final int READ_BATCHES = 30_000;
    private static final int READ_RECORDS = 16;
    private static final long STEP = 7_777_777; // no divisor of the number of records: goes everywhere

    private Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init") // by setUp
    private DiskLogStorage storage;

    @SuppressWarnings("NullAway.Init") // by setUp
    private PartitionLog appended;

    @SuppressWarnings("NullAway.Init") // by setUp
    private PartitionLog read;

    private final ByteBuffer one = batch(1);
    private final ByteBuffer sixteen = batch(16);
    private long offset;

    /** Makes the logs. */
    @Setup
    public void setUp() throws IOException {
        directory = Files.createTempDirectory("millrace-bench-log-");
        storage = DiskLogStorage.builder(List.of(directory), SystemTimeSource.instance(), new SplittableRandom(1))
                .open();
        appended = create("appended");
        read = create("read");
        for (int i = 0; i < READ_BATCHES; i++) {
            append(read, batch(READ_RECORDS));
        }
    }

    /** Empties the log that is appended to, so that the disk does not fill. */
    @Setup(Level.Iteration)
    public void empty() {
        appended.restartAt(0);
    }

    /** Removes the logs. */
    @TearDown
    public void tearDown() {
        storage.close();
        Installation.remove(directory);
    }

    /** Appends a batch of one record. */
    @Benchmark
    public AppendResult appendOne() {
        return append(appended, one);
    }

    /** Appends a batch of sixteen records. */
    @Benchmark
    public AppendResult appendSixteen() {
        return append(appended, sixteen);
    }

    /** Finds and reads the batch of an offset. */
    @Benchmark
    public LogSlice lookUp() {
        offset = (offset + STEP) % ((long) READ_BATCHES * READ_RECORDS);
        return read.read(offset, 1, Long.MAX_VALUE);
    }

    private PartitionLog create(String name) {
        LogConfig config = LogConfig.builder().flush(FlushPolicy.OS).build();
        return storage.create(
                new PartitionId(name, 0),
                LogRole.DATA,
                new UUID(1, name.hashCode()),
                config,
                Runnable::run,
                new NoSyncs());
    }

    /** A log with flush=os tells nobody anything, unless it fails. */
    private static final class NoSyncs implements SyncListener {
        @Override
        public void onSynced(long syncedOffset) {
            // written is enough here
        }

        @Override
        public void onSyncFailed(StorageException failure) {
            throw failure;
        }
    }

    private static AppendResult append(PartitionLog log, ByteBuffer batch) {
        return log.append(batch, 0, AppendOrigin.CLIENT);
    }

    private static ByteBuffer batch(int records) {
        RecordBatchBuilder builder = new RecordBatchBuilder(BYTES, BYTES);
        for (int i = 0; i < records; i++) {
            if (!builder.tryAppend(1_000_000L + i, null, new byte[1024])) {
                throw new IllegalStateException("the batch is too small for " + records + " records");
            }
        }
        return builder.build();
    }
}
