package io.millrace.benchmarks.jms;

import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;

/** What the disk can do: appends of 1 and of 4 KiB in turns, each followed by an fdatasync, with nobody in between. */
final class RawSync {
    private static final int[] SIZES = {1024, 4096};

    private final Path file;
    private final TimeSource time;

    RawSync(Path directory, TimeSource time) {
        file = directory.resolve("raw-sync");
        this.time = time;
    }

    /** Returns the latencies of an append and its fdatasync, in nanoseconds. */
    Histogram measure(long durationMs) {
        Histogram latencies = new Histogram(3);
        ByteBuffer bytes = ByteBuffer.allocateDirect(SIZES[1]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.position(channel.size());
            long start = time.nanoTime();
            for (int i = 0; time.nanoTime() - start < durationMs * 1_000_000; i++) {
                bytes.clear().limit(SIZES[i % SIZES.length]);
                long before = time.nanoTime();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(false);
                latencies.recordValue(time.nanoTime() - before);
            }
            return latencies;
        } catch (IOException e) {
            throw new BenchmarkException("cannot measure the disk with " + file + ": " + e, e);
        }
    }
}
