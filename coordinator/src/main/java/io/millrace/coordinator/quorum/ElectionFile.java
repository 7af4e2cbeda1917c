package io.millrace.coordinator.quorum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.raft.ElectionState;
import org.apache.kafka.raft.QuorumStateStore;
import org.apache.kafka.raft.generated.QuorumStateData;
import org.apache.kafka.server.common.KRaftVersion;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code quorum-state}: the epoch this member is in and whom it voted for, on disk before the vote leaves the process, so that it
 * never votes twice in an epoch. Bytes: {@code docs/metadata-format.md}.
 *
 * <p>Two slots are written in turn: a crash can tear only the one whose state nobody was told. Three states are written on the way to
 * leadership, each in one force of 4 KiB in place, a third of what a rename costs.
 *
 * <p>It also holds the identity of the data directory. A member that finds another identity, or a log without this file, does not take
 * part: its votes of before are not known. Confined to the quorum's thread.
 */
final class ElectionFile implements QuorumStateStore {

    static final String NAME = "quorum-state";

    private static final int MAGIC = 0x4d515330; // "MQS0"
    private static final int SLOTS = 2;
    /** Apart by a page, which is what a disk may tear at once. */
    private static final int SLOT_BYTES = 4096;

    private static final int HEADER_BYTES = Integer.BYTES + Long.BYTES + 2 * Long.BYTES + 2 * Short.BYTES;

    /** A state as written, and how often the file had been written then. */
    private record Slot(long number, short version, ByteBuffer state) {}

    private final Path path;
    private final UUID incarnation;
    private @Nullable Slot newest;

    /**
     * Names the file.
     *
     * @param directory where it is, or will be
     * @param incarnation identity of the data directory
     */
    ElectionFile(Path directory, UUID incarnation) {
        this.path = directory.resolve(NAME);
        this.incarnation = incarnation;
    }

    boolean exists() {
        return Files.exists(path);
    }

    /** What a look at the file alone tells. */
    enum Health {
        WHOLE,
        /** A crash tore it, or it is damaged; the other one counts. */
        ONE_SLOT_UNREADABLE,
        /** Or missing. */
        UNREADABLE
    }

    /** Looks at a file, whoever wrote it. */
    static Health health(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) != SLOTS * SLOT_BYTES) {
            return Health.UNREADABLE;
        }
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file));
        int readable = 0;
        int written = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            ByteBuffer bytes = content.slice(slot * SLOT_BYTES, SLOT_BYTES);
            readable += isReadable(bytes) ? 1 : 0;
            written += bytes.mismatch(ByteBuffer.allocate(SLOT_BYTES)) >= 0 ? 1 : 0;
        }
        if (readable == 0) {
            return Health.UNREADABLE;
        }
        return readable < written ? Health.ONE_SLOT_UNREADABLE : Health.WHOLE;
    }

    private static boolean isReadable(ByteBuffer slot) {
        int length = Short.toUnsignedInt(slot.getShort(HEADER_BYTES - Short.BYTES));
        return slot.getInt(0) == MAGIC
                && length <= SLOT_BYTES - HEADER_BYTES - Integer.BYTES
                && crc(slot.slice(0, HEADER_BYTES + length)) == slot.getInt(HEADER_BYTES + length);
    }

    // ---- read -------------------------------------------------------------------------------------------------------

    @Override
    public Optional<ElectionState> readElectionState() {
        if (!exists()) {
            return Optional.empty();
        }
        ByteBuffer content;
        try {
            content = ByteBuffer.wrap(Files.readAllBytes(path));
        } catch (IOException e) {
            throw new QuorumStorageException("cannot read " + path + ": " + e, e);
        }
        if (content.limit() != SLOTS * SLOT_BYTES) {
            throw damaged("it has " + content.limit() + " bytes");
        }
        Slot found = Stream.of(slot(content, 0), slot(content, 1))
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(Slot::number))
                .orElseThrow(() -> damaged("no checksum in it matches"));
        newest = found;
        try {
            return Optional.of(ElectionState.fromQuorumStateData(
                    new QuorumStateData(new ByteBufferAccessor(found.state().duplicate()), found.version())));
        } catch (RuntimeException e) {
            // The generated reader throws whatever it stumbles over.
            throw damaged("its state of version " + found.version() + " cannot be read: " + e);
        }
    }

    /** Reads a slot; empty if it was never written, or torn. */
    private Optional<Slot> slot(ByteBuffer content, int index) {
        ByteBuffer slot = content.slice(index * SLOT_BYTES, SLOT_BYTES);
        int magic = slot.getInt();
        long number = slot.getLong();
        UUID writtenBy = new UUID(slot.getLong(), slot.getLong());
        short version = slot.getShort();
        int length = Short.toUnsignedInt(slot.getShort());
        if (magic != MAGIC
                || length > SLOT_BYTES - HEADER_BYTES - Integer.BYTES
                || crc(slot.slice(0, HEADER_BYTES + length)) != slot.getInt(HEADER_BYTES + length)) {
            return Optional.empty();
        }
        if (!writtenBy.equals(incarnation)) {
            throw new QuorumStorageException(path + " was written by data directory " + writtenBy + ", and this one is "
                    + incarnation + ": metadata was copied between directories. Start with the directory as it was, or"
                    + " with an empty one under a broker id that never voted");
        }
        return Optional.of(new Slot(number, version, slot.slice(HEADER_BYTES, length)));
    }

    private QuorumStorageException damaged(String how) {
        return new QuorumStorageException(path + " is damaged: " + how + ". " + remedy());
    }

    /** What to do where the file is damaged or missing. */
    String remedy() {
        Path data = path.resolveSibling("..").normalize();
        return "Without it this member could vote twice. If it is the only voter, `millrace log verify " + data
                + " --repair` makes it anew, and nothing is lost; else restore it from a backup, or replace this member."
                + " `millrace log verify " + data + "` says which";
    }

    // ---- write ------------------------------------------------------------------------------------------------------

    @Override
    public void writeElectionState(ElectionState state, KRaftVersion kraftVersion) {
        short version = kraftVersion.quorumStateVersion();
        ByteBuffer bytes = toBytes(state.toQuorumStateData(version), version);
        Slot before = exists() ? newest : null;
        if (before != null && before.version() == version && before.state().equals(bytes)) {
            return;
        }
        Slot next = new Slot(before == null ? 0 : before.number() + 1, version, bytes);
        try {
            write(next);
        } catch (IOException e) {
            throw new QuorumStorageException("cannot write " + path + ": " + e, e);
        }
        newest = next;
    }

    private void write(Slot slot) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(SLOT_BYTES);
        content.putInt(MAGIC)
                .putLong(slot.number())
                .putLong(incarnation.getMostSignificantBits())
                .putLong(incarnation.getLeastSignificantBits())
                .putShort(slot.version())
                .putShort((short) slot.state().remaining())
                .put(slot.state().duplicate());
        content.putInt(crc(content.duplicate().flip())).clear();
        if (!exists()) {
            DurableFile.replace(
                    path, ByteBuffer.allocate(SLOTS * SLOT_BYTES).put(content).clear());
            return;
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            DurableFile.writeFully(channel, content, slot.number() % SLOTS * SLOT_BYTES);
            channel.force(false);
        }
    }

    private static ByteBuffer toBytes(QuorumStateData data, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer bytes = ByteBuffer.allocate(data.size(cache, version));
        data.write(new ByteBufferAccessor(bytes), cache, version);
        return bytes.flip();
    }

    private static int crc(ByteBuffer content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        return (int) crc.getValue();
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public void clear() {
        newest = null;
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new QuorumStorageException("cannot remove " + path + ": " + e, e);
        }
    }
}
