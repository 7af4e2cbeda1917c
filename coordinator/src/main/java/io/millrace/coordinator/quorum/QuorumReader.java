package io.millrace.coordinator.quorum;

import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Reads what a member of the quorum keeps in its data directory, without being one: the newest snapshot, then what the log has behind it.
 * Changes nothing. Of a log that is being written it reads what is there at the moment; what the last leader had appended and not yet
 * committed is read too.
 */
public final class QuorumReader {

    private final Path quorum;
    private long nextOffset;

    private QuorumReader(Path quorum) {
        this.quorum = quorum;
    }

    /**
     * Reads it all.
     *
     * @param dataDirectory the first of {@code log.dirs}
     * @param listener is told of the snapshot, if there is one, then of batches
     * @return what kept from reading to the end, with file and position; empty if nothing did
     * @throws QuorumStorageException if there is no metadata log, or it cannot be read
     */
    public static Optional<String> read(Path dataDirectory, QuorumListener listener) {
        Path quorum = dataDirectory.resolve(QuorumDirectory.PARTITION.directoryName());
        if (!Files.isDirectory(quorum)) {
            throw new QuorumStorageException("there is no metadata log in " + dataDirectory
                    + ": it is in the first data directory (log.dirs) of a broker, as " + quorum.getFileName());
        }
        try {
            return new QuorumReader(quorum).read(listener);
        } catch (IOException e) {
            throw new QuorumStorageException("cannot read " + quorum + ": " + e, e);
        }
    }

    private Optional<String> read(QuorumListener listener) throws IOException {
        Path newest = files("*" + SnapshotFiles.SUFFIX).pollLast();
        if (newest != null) {
            Optional<String> problem = readSnapshot(newest, listener);
            if (problem.isPresent()) {
                return problem;
            }
        }
        for (Path segment : files("*.log")) {
            Optional<String> problem = readSegment(segment, listener);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private NavigableSet<Path> files(String pattern) throws IOException {
        NavigableSet<Path> found = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(quorum, pattern)) {
            files.forEach(found::add);
        }
        return found;
    }

    private Optional<String> readSnapshot(Path file, QuorumListener listener) throws IOException {
        // <offset, 20 digits>-<epoch, 10 digits>
        String name = String.valueOf(file.getFileName());
        LogPoint end = new LogPoint(Long.parseLong(name.substring(0, 20)), Integer.parseInt(name.substring(21, 31)));
        List<byte[]> records = new ArrayList<>();
        long[] appendTimeMs = {0};
        Optional<String> problem = eachBatch(file, (batch, content) -> {
            appendTimeMs[0] = batch.maxTimestampMs();
            records.addAll(content);
        });
        if (problem.isEmpty()) {
            listener.onSnapshot(new QuorumSnapshot(end, appendTimeMs[0], records));
            nextOffset = end.endOffset();
        }
        return problem;
    }

    private Optional<String> readSegment(Path file, QuorumListener listener) throws IOException {
        try {
            return eachBatch(file, (batch, content) -> {
                if (batch.baseOffset() >= nextOffset && !content.isEmpty()) {
                    listener.onCommitted(new CommittedBatch(
                            batch.baseOffset(), batch.partitionLeaderEpoch(), batch.maxTimestampMs(), content));
                }
            });
        } catch (NoSuchFileException removed) {
            // A running broker has a snapshot of what was in it.
            return Optional.of(file + " was removed meanwhile: try again");
        }
    }

    private interface BatchReader {
        /** Takes the records of one batch, none of one of the quorum's own. */
        void take(RecordBatch batch, List<byte[]> records);
    }

    private static Optional<String> eachBatch(Path file, BatchReader reader) throws IOException {
        RecordBatches batches = RecordBatches.over(ByteBuffer.wrap(Files.readAllBytes(file)));
        try {
            while (batches.next()) {
                RecordBatch batch = batches.current();
                if (!batch.isCrcValid()) {
                    return Optional.of(
                            "the checksum of the batch at position " + batch.position() + " of " + file + " is wrong");
                }
                reader.take(batch, batch.isControl() ? List.of() : records(batch));
            }
            return Optional.empty();
        } catch (RecordFormatException e) {
            return Optional.of("after position " + batches.nextPosition() + " of " + file + ": " + e.getMessage());
        }
    }

    private static List<byte[]> records(RecordBatch batch) {
        List<byte[]> records = new ArrayList<>();
        try (RecordCursor cursor = batch.records()) {
            while (cursor.next()) {
                ByteBuffer value = cursor.value();
                byte[] bytes = new byte[value == null ? 0 : value.remaining()];
                if (value != null) {
                    value.get(bytes);
                }
                records.add(bytes);
            }
        }
        return records;
    }
}
