package io.millrace.server.internal.perf;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/** What a disk does for a broker: bytes one after the other, pages anywhere, and how long it takes until something is really there. */
public final class DiskSpeed {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int PAGE_BYTES = 4096;
    private static final int PAGES_BETWEEN_LOOKS = 16;
    private static final long RANDOM_NS = 2_000_000_000L;
    private static final int SYNCS = 200;

    private final Path directory;
    private final TimeSource time;
    private final RandomGenerator random;

    /**
     * @param directory on the disk that is measured; a file is made there and removed again
     */
    public DiskSpeed(Path directory, TimeSource time, RandomGenerator random) {
        this.directory = directory;
        this.time = time;
        this.random = random;
    }

    /**
     * What was measured.
     *
     * @param sequentialBytesPerSecond written one after the other, and synced at the end
     * @param randomBytesPerSecond written as pages of 4 KiB anywhere in the same file, and each synced
     * @param syncMs how long a sync takes of 4 KiB that were appended
     */
    @JsonPropertyOrder({"sequentialBytesPerSecond", "randomBytesPerSecond", "factor", "syncMs"})
    public record Result(double sequentialBytesPerSecond, double randomBytesPerSecond, Latencies syncMs) {
        /** Returns how many times faster one after the other is. */
        public double factor() {
            return sequentialBytesPerSecond / randomBytesPerSecond;
        }
    }

    /**
     * Measures.
     *
     * @param bytes of the file that is written
     * @throws IOException if the directory cannot be written, or there is no room
     */
    public Result run(long bytes) throws IOException {
        Path file = Files.createTempFile(directory, "millrace-disk-", ".tmp");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return new Result(sequential(channel, bytes), anywhere(channel, bytes), syncs(channel));
        } finally {
            Files.delete(file);
        }
    }

    private double sequential(FileChannel channel, long bytes) throws IOException {
        ByteBuffer chunk = someBytes(CHUNK_BYTES);
        long startNs = time.nanoTime();
        for (long at = 0; at < bytes; at += CHUNK_BYTES) {
            write(channel, chunk, at);
        }
        channel.force(true);
        return bytes * 1e9 / Math.max(1, time.nanoTime() - startNs);
    }

    private double anywhere(FileChannel channel, long bytes) throws IOException {
        ByteBuffer page = someBytes(PAGE_BYTES);
        long startNs = time.nanoTime();
        long written = 0;
        while (time.nanoTime() - startNs < RANDOM_NS) {
            for (int i = 0; i < PAGES_BETWEEN_LOOKS; i++) {
                write(channel, page, random.nextLong(Math.max(1, bytes / PAGE_BYTES)) * PAGE_BYTES);
                channel.force(false);
                written += PAGE_BYTES;
            }
        }
        return written * 1e9 / Math.max(1, time.nanoTime() - startNs);
    }

    private Latencies syncs(FileChannel channel) throws IOException {
        ByteBuffer page = someBytes(PAGE_BYTES);
        Histogram micros = new Histogram(3);
        for (int i = 0; i < SYNCS; i++) {
            write(channel, page, channel.size());
            long startNs = time.nanoTime();
            channel.force(false);
            micros.recordValue((time.nanoTime() - startNs) / 1_000);
        }
        return Latencies.of(micros);
    }

    private static void write(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        bytes.rewind();
        long to = at;
        while (bytes.hasRemaining()) {
            to += channel.write(bytes, to);
        }
    }

    /** Bytes that no disk can leave out or shrink. */
    private ByteBuffer someBytes(int size) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(size);
        while (bytes.remaining() >= Long.BYTES) {
            bytes.putLong(random.nextLong());
        }
        return bytes.rewind();
    }
}
