package io.millrace.coordinator.quorum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.record.internal.UnalignedMemoryRecords;
import org.apache.kafka.common.record.internal.UnalignedRecords;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.RawSnapshotReader;
import org.apache.kafka.snapshot.RawSnapshotWriter;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of the metadata log: files {@code <offset, 20 digits>-<epoch, 10 digits>.checkpoint} beside its segments, named and built
 * as Kafka's, so that its tools read them. A file is there as a whole or not at all. Confined to the quorum's thread.
 */
final class SnapshotFiles {

    private static final Pattern NAME = Pattern.compile("(\\d{20})-(\\d{10})\\.checkpoint");
    static final String SUFFIX = ".checkpoint";
    private static final String PARTIAL = ".part";

    private final Path directory;
    private final NavigableSet<OffsetAndEpoch> ids = new TreeSet<>();

    /** Finds the snapshots in {@code directory}, and removes what a crash left half written. */
    SnapshotFiles(Path directory) {
        this.directory = directory;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                Matcher matcher = NAME.matcher(name);
                if (matcher.matches()) {
                    ids.add(new OffsetAndEpoch(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2))));
                } else if (name.endsWith(".checkpoint" + PARTIAL)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new QuorumStorageException("cannot list the metadata snapshots in " + directory + ": " + e, e);
        }
    }

    /** Returns the ids, oldest first. */
    NavigableSet<OffsetAndEpoch> ids() {
        return ids;
    }

    Optional<OffsetAndEpoch> earliest() {
        return ids.isEmpty() ? Optional.empty() : Optional.of(ids.first());
    }

    Optional<OffsetAndEpoch> latest() {
        return ids.isEmpty() ? Optional.empty() : Optional.of(ids.last());
    }

    /**
     * Begins a snapshot.
     *
     * @param onFrozen called when the file is durable and listed
     */
    RawSnapshotWriter write(OffsetAndEpoch id, Runnable onFrozen) {
        return new Writer(id, onFrozen);
    }

    Optional<RawSnapshotReader> read(OffsetAndEpoch id) {
        if (!ids.contains(id)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Reader(id, ByteBuffer.wrap(Files.readAllBytes(path(id)))));
        } catch (IOException e) {
            throw new QuorumStorageException("cannot read the metadata snapshot " + path(id) + ": " + e, e);
        }
    }

    /** Removes all snapshots before {@code id}; a crash may leave some of them, which does no harm. */
    boolean removeBefore(OffsetAndEpoch id) {
        NavigableSet<OffsetAndEpoch> old = ids.headSet(id, false);
        boolean any = !old.isEmpty();
        for (OffsetAndEpoch each : old) {
            try {
                Files.deleteIfExists(path(each));
            } catch (IOException e) {
                throw new QuorumStorageException("cannot remove the metadata snapshot " + path(each) + ": " + e, e);
            }
        }
        old.clear();
        return any;
    }

    private Path path(OffsetAndEpoch id) {
        return directory.resolve("%020d-%010d.checkpoint".formatted(id.offset(), id.epoch()));
    }

    private record Reader(OffsetAndEpoch snapshotId, ByteBuffer content) implements RawSnapshotReader {
        @Override
        public long sizeInBytes() {
            return content.limit();
        }

        @Override
        public UnalignedRecords slice(long position, int size) {
            int from = Math.toIntExact(position);
            return new UnalignedMemoryRecords(content.slice(from, Math.min(size, content.limit() - from)));
        }

        @Override
        public Records records() {
            return MemoryRecords.readableRecords(content.duplicate());
        }
    }

    private final class Writer implements RawSnapshotWriter {
        private final OffsetAndEpoch id;
        private final Runnable onFrozen;
        private final Path partial;
        private @Nullable FileChannel channel;
        private long sizeBytes;
        private boolean frozen;

        Writer(OffsetAndEpoch id, Runnable onFrozen) {
            this.id = id;
            this.onFrozen = onFrozen;
            this.partial = path(id).resolveSibling(path(id).getFileName() + PARTIAL);
            try {
                channel = DurableFile.create(partial);
            } catch (IOException e) {
                throw failed(e);
            }
        }

        @Override
        public OffsetAndEpoch snapshotId() {
            return id;
        }

        @Override
        public long sizeInBytes() {
            return sizeBytes;
        }

        @Override
        public void append(MemoryRecords records) {
            append(records.buffer());
        }

        @Override
        public void append(UnalignedMemoryRecords records) {
            append(records.buffer());
        }

        private void append(ByteBuffer content) {
            sizeBytes += content.remaining();
            try {
                DurableFile.writeFully(open(), content.duplicate());
            } catch (IOException e) {
                throw failed(e);
            }
        }

        @Override
        public boolean isFrozen() {
            return frozen;
        }

        @Override
        public void freeze() {
            try {
                FileChannel whole = open();
                whole.force(true);
                whole.close();
                channel = null;
                DurableFile.publish(partial, path(id));
            } catch (IOException e) {
                throw failed(e);
            }
            frozen = true;
            ids.add(id);
            onFrozen.run();
        }

        @Override
        public void close() {
            FileChannel unfinished = channel;
            if (unfinished == null) {
                return;
            }
            channel = null;
            try {
                unfinished.close();
                Files.deleteIfExists(partial);
            } catch (IOException e) {
                throw failed(e);
            }
        }

        private FileChannel open() {
            FileChannel open = channel;
            if (open == null) {
                throw new IllegalStateException("the snapshot " + id + " is frozen or closed");
            }
            return open;
        }

        private QuorumStorageException failed(IOException cause) {
            return new QuorumStorageException("cannot write the metadata snapshot " + path(id) + ": " + cause, cause);
        }
    }
}
