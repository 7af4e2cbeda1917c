package io.millrace.log.internal.disk;

import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.producer.ProducerSnapshot;
import io.millrace.log.internal.producer.ProducerStates;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer snapshots of a log, named by the offset that they were taken at. They only save reading: one that is missing or damaged is
 * made up for by reading the log from the one before it. On the log's shard.
 */
final class SnapshotFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotFiles.class);

    private final Path directory;
    private final TreeSet<Long> offsets = new TreeSet<>();

    SnapshotFiles(Path directory) {
        this.directory = directory;
    }

    /** A file that was found in the directory. */
    void found(long offset) {
        offsets.add(offset);
    }

    /** Writes a snapshot, without forcing it: its checksum tells whether it survived. One that finds no space leaves nothing. */
    void write(ProducerStates states) throws IOException {
        long offset = states.endOffset();
        Path file = file(offset);
        ByteBuffer content = ProducerSnapshot.encode(states);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (content.hasRemaining()) {
                channel.write(content);
            }
        } catch (IOException e) {
            offsets.remove(offset);
            try {
                Files.deleteIfExists(file);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
        offsets.add(offset);
    }

    /**
     * Makes the states those of the newest usable snapshot at or below an offset, or empty ones at {@code startOffset}. Damaged ones are
     * removed.
     */
    void restore(ProducerStates states, long startOffset, long upToOffset, long nowMs) throws IOException {
        for (Long offset = offsets.floor(upToOffset); offset != null; offset = offsets.lower(offset)) {
            ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file(offset)));
            if (offset >= startOffset && ProducerSnapshot.isValid(content)) {
                ProducerSnapshot.restore(content, states, offset, nowMs);
                return;
            }
            delete(offset);
        }
        states.reset(startOffset);
    }

    /** Removes those above an offset: the log was cut there. */
    void deleteAbove(long offset) throws IOException {
        delete(offsets.tailSet(offset, false));
    }

    /** Removes those below an offset, whose segments are gone, or are no longer what they were. */
    void deleteBelow(long offset) throws IOException {
        delete(offsets.headSet(offset, false));
    }

    void deleteAll() throws IOException {
        delete(offsets);
    }

    /** Removes a snapshot that lies within a segment, once there is a newer one. */
    void delete(long offset) throws IOException {
        if (offsets.remove(offset)) {
            Files.deleteIfExists(file(offset));
        }
    }

    private void delete(NavigableSet<Long> which) throws IOException {
        for (Long offset : which) {
            Files.deleteIfExists(file(offset));
        }
        which.clear();
    }

    OptionalLong newest() {
        return offsets.isEmpty() ? OptionalLong.empty() : OptionalLong.of(offsets.last());
    }

    /** Makes a snapshot durable, if there is one at this offset: it may have been removed, or never written for lack of space. */
    static void force(FileCache cache, Path directory, long offset) throws IOException {
        LogFile file = new LogFile(cache, SegmentNames.file(directory, offset, SegmentNames.PRODUCER_SNAPSHOT));
        try {
            file.force();
        } catch (NoSuchFileException e) {
            LOG.trace("no snapshot {} to force", file);
        } finally {
            file.close();
        }
    }

    private Path file(long offset) {
        return SegmentNames.file(directory, offset, SegmentNames.PRODUCER_SNAPSHOT);
    }
}
