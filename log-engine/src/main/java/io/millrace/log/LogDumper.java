package io.millrace.log;

import io.millrace.log.internal.epoch.EpochCheckpoint;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.producer.ProducerSnapshot;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.log.internal.verify.FirstFormatDump;
import io.millrace.log.internal.verify.SegmentDump;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Shows what is in the files of a log: batches and records, index entries, producers, epochs. Reads only, and asks for no lock: of a log that
 * is being written it shows what is there at the moment.
 */
public final class LogDumper {
    private static final List<String> KNOWN = List.of(
            SegmentNames.LOG,
            SegmentNames.OFFSET_INDEX,
            SegmentNames.TIME_INDEX,
            SegmentNames.TRANSACTION_INDEX,
            SegmentNames.PRODUCER_SNAPSHOT);

    private LogDumper() {}

    /**
     * Something found in a file, in the order of the file. {@code toString} of each is a line for people.
     */
    public sealed interface Entry {}

    /** A file begins. */
    public record FileEntry(Path file, long sizeBytes) implements Entry {
        @Override
        public String toString() {
            return file + " (" + sizeBytes + " bytes)";
        }
    }

    /**
     * A batch of records.
     *
     * @param position where it begins in its file
     * @param baseOffset offset of its first record
     * @param lastOffset offset of its last record
     * @param recordCount number of records
     * @param sizeBytes size of the batch
     * @param leaderEpoch epoch it was written in
     * @param maxTimestampMs largest timestamp of a record, in milliseconds since 1970
     * @param producerId idempotent producer, or -1
     * @param producerEpoch its epoch, or -1
     * @param baseSequence sequence number of the first record, or -1
     * @param compression name of the codec
     * @param transactional whether it is part of a transaction
     * @param control whether it is for brokers
     * @param crcValid whether the checksum is right
     */
    public record BatchEntry(
            long position,
            long baseOffset,
            long lastOffset,
            int recordCount,
            int sizeBytes,
            int leaderEpoch,
            long maxTimestampMs,
            long producerId,
            int producerEpoch,
            int baseSequence,
            String compression,
            boolean transactional,
            boolean control,
            boolean crcValid)
            implements Entry {
        @Override
        public String toString() {
            return "batch at " + position + ": offsets " + baseOffset + ".." + lastOffset + ", " + recordCount
                    + " records, "
                    + sizeBytes + " bytes, epoch " + leaderEpoch + ", timestamp " + maxTimestampMs
                    + (producerId < 0
                            ? ""
                            : ", producer " + producerId + " epoch " + producerEpoch + " sequence " + baseSequence)
                    + ", compression " + compression + (transactional ? ", transactional" : "")
                    + (control ? ", control" : "") + (crcValid ? "" : ", WRONG CHECKSUM");
        }
    }

    /**
     * A record.
     *
     * @param offset its offset
     * @param timestampMs its time, in milliseconds since 1970
     * @param key its key as text, with bytes that are none as {@code \xHH}; empty if it has none
     * @param value its value likewise
     * @param headers {@code name=value}, in order
     */
    public record RecordEntry(long offset, long timestampMs, String key, String value, List<String> headers)
            implements Entry {
        public RecordEntry {
            headers = List.copyOf(headers);
        }

        @Override
        public String toString() {
            return "  record " + offset + ": timestamp " + timestampMs + (key.isEmpty() ? "" : ", key " + key)
                    + (headers.isEmpty() ? "" : ", headers " + headers) + ", value " + value;
        }
    }

    /** An entry of an index, an epoch, a producer, or an aborted transaction. */
    public record LineEntry(String text) implements Entry {
        @Override
        public String toString() {
            return text;
        }
    }

    /** Something that cannot be read; the rest of the file is not shown. */
    public record ProblemEntry(long position, String message) implements Entry {
        @Override
        public String toString() {
            return "PROBLEM at " + position + ": " + message;
        }
    }

    /**
     * Shows a file, or all files of a log's directory.
     *
     * @param path a {@code .log}, {@code .index}, {@code .timeindex}, {@code .txnindex} or {@code .snapshot} file, a
     *     {@code leader-epoch-checkpoint}, or the directory of a log
     * @param records whether to show the records in the batches
     * @param out takes the entries one by one
     * @throws DataDirectoryException if there is no such file, or it is of another kind
     */
    public static void dump(Path path, boolean records, Consumer<Entry> out) {
        FileCache cache = new FileCache(8);
        try {
            for (Path file : files(path)) {
                out.accept(new FileEntry(file, Files.size(file)));
                dumpFile(cache, file, records, out);
            }
            cache.closeAll();
        } catch (IOException e) {
            throw new DataDirectoryException(path + " cannot be read (" + e + ")", e);
        }
    }

    /**
     * Shows each message of a log file as an entry of the first format that logs had: length, magic, checksum, payload. The file may be in that
     * format, of messages of magic 0 or 1, or of record batches.
     *
     * @param path a file of messages, or the directory of a log
     * @param out takes the entries one by one
     * @throws DataDirectoryException if there is no such file
     */
    public static void dumpAsFirstFormat(Path path, Consumer<Entry> out) {
        FileCache cache = new FileCache(8);
        try {
            List<Path> files = Files.isDirectory(path) ? files(path) : List.of(path);
            for (Path file : files) {
                if (!Files.isDirectory(path) || DurableFiles.name(file).endsWith(SegmentNames.LOG)) {
                    out.accept(new FileEntry(file, Files.size(file)));
                    new FirstFormatDump(new LogFile(cache, file), out).run();
                }
            }
            cache.closeAll();
        } catch (IOException e) {
            throw new DataDirectoryException(path + " cannot be read (" + e + ")", e);
        }
    }

    private static List<Path> files(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            if (!isKnown(path)) {
                throw new DataDirectoryException(
                        path + " is no file of a log; give a log's directory, or a file in it that ends with "
                                + String.join(", ", KNOWN));
            }
            return List.of(path);
        }
        List<Path> files = new ArrayList<>();
        for (Path file : DurableFiles.list(path)) {
            if (isKnown(file)) {
                files.add(file);
            }
        }
        if (files.isEmpty()) {
            throw new DataDirectoryException(path + " is no directory of a log: it has no segments");
        }
        return files;
    }

    private static boolean isKnown(Path file) {
        return Stream.concat(KNOWN.stream(), Stream.of(SegmentNames.EPOCH_CHECKPOINT))
                .anyMatch(DurableFiles.name(file)::endsWith);
    }

    private static void dumpFile(FileCache cache, Path file, boolean records, Consumer<Entry> out) throws IOException {
        String name = DurableFiles.name(file);
        long base = KNOWN.stream()
                .map(suffix -> SegmentNames.offsetOf(file, suffix))
                .flatMapToLong(offset -> offset.stream())
                .findFirst()
                .orElse(0);
        if (name.endsWith(SegmentNames.LOG)) {
            new SegmentDump(new LogFile(cache, file), records, out).run();
        } else if (name.endsWith(SegmentNames.TIME_INDEX)) {
            entries(
                    file,
                    12,
                    out,
                    entry -> "up to offset " + (base + entry.getInt(8)) + ": timestamp " + entry.getLong(0));
        } else if (name.endsWith(SegmentNames.TRANSACTION_INDEX)) {
            entries(
                    file,
                    34,
                    out,
                    entry -> "aborted: producer " + entry.getLong(2) + ", offsets " + entry.getLong(10) + ".."
                            + entry.getLong(18) + ", last stable offset " + entry.getLong(26));
        } else if (name.endsWith(SegmentNames.OFFSET_INDEX)) {
            entries(file, 8, out, entry -> "offset " + (base + entry.getInt(0)) + ": position " + entry.getInt(4));
        } else if (name.endsWith(SegmentNames.PRODUCER_SNAPSHOT)) {
            snapshot(file, out);
        } else {
            EpochCheckpoint.read(file)
                    .ifPresentOrElse(
                            history -> history.entries()
                                    .forEach(epoch -> out.accept(new LineEntry(
                                            "epoch " + epoch.epoch() + " begins at offset " + epoch.startOffset()))),
                            () -> out.accept(new ProblemEntry(0, "unreadable")));
        }
    }

    private interface Line {
        String of(ByteBuffer entry);
    }

    private static void entries(Path file, int entryBytes, Consumer<Entry> out, Line line) throws IOException {
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file));
        while (content.remaining() >= entryBytes) {
            out.accept(new LineEntry(line.of(content.slice(content.position(), entryBytes))));
            content.position(content.position() + entryBytes);
        }
        if (content.hasRemaining()) {
            out.accept(new ProblemEntry(content.position(), content.remaining() + " bytes are no whole entry"));
        }
    }

    private static void snapshot(Path file, Consumer<Entry> out) throws IOException {
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file));
        if (ProducerSnapshot.isValid(content)) {
            ProducerSnapshot.describe(content).forEach(text -> out.accept(new LineEntry(text)));
        } else {
            out.accept(new ProblemEntry(0, "the checksum is wrong, or the file is cut short"));
        }
    }
}
