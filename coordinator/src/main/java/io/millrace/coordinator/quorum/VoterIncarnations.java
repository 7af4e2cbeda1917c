package io.millrace.coordinator.quorum;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;

/**
 * Which data directory each voter had when this member first heard of it, in the file {@code voter-incarnations}.
 *
 * <p>A voter that lost its directory has forgotten whom it voted for and what it acknowledged. If it took part again under its old id, two
 * leaders could be elected in one epoch, or an acknowledged record be overruled. So its messages are refused by everybody who knew it
 * before, until an operator replaces the voter.
 *
 * <p>May be called from any thread; waits for the disk when a voter is met for the first time.
 */
final class VoterIncarnations {

    static final String NAME = "voter-incarnations";

    private static final int MAGIC = 0x4d565330; // "MVS0"
    private static final int ENTRY_BYTES = Integer.BYTES + 2 * Long.BYTES;

    private final Path path;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, UUID> known;

    /** Reads what is known. */
    VoterIncarnations(Path directory) {
        path = directory.resolve(NAME);
        known = Files.exists(path) ? read() : new TreeMap<>();
    }

    /**
     * Reads the file of a directory, if there is one.
     *
     * @throws QuorumStorageException if it is damaged
     */
    static void check(Path directory) {
        var _ = new VoterIncarnations(directory);
    }

    /**
     * Says whether a voter is the one that this member knows. One that it does not know is remembered, durably.
     *
     * @return the incarnation known
     */
    UUID known(int voterId, UUID claimed) {
        lock.lock();
        try {
            UUID before = known.get(voterId);
            if (before != null) {
                return before;
            }
            known.put(voterId, claimed);
            write();
            return claimed;
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        ByteBuffer content = ByteBuffer.allocate(3 * Integer.BYTES + known.size() * ENTRY_BYTES);
        content.putInt(MAGIC).putInt(known.size());
        known.forEach((id, incarnation) -> content.putInt(id)
                .putLong(incarnation.getMostSignificantBits())
                .putLong(incarnation.getLeastSignificantBits()));
        content.putInt(crc(content.duplicate().flip())).flip();
        try {
            DurableFile.replace(path, content);
        } catch (IOException e) {
            throw new QuorumStorageException("cannot write " + path + ": " + e, e);
        }
    }

    private Map<Integer, UUID> read() {
        try {
            ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(path));
            int crc = content.getInt(content.limit() - Integer.BYTES);
            content.limit(content.limit() - Integer.BYTES);
            if (crc(content.duplicate()) != crc || content.getInt() != MAGIC) {
                throw new QuorumStorageException(
                        path + " is damaged; restore it, or remove the member from the voters");
            }
            Map<Integer, UUID> entries = new TreeMap<>();
            for (int left = content.getInt(); left > 0; left--) {
                entries.put(content.getInt(), new UUID(content.getLong(), content.getLong()));
            }
            return entries;
        } catch (IOException | BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new QuorumStorageException("cannot read " + path + ": " + e, e);
        }
    }

    private static int crc(ByteBuffer content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        return (int) crc.getValue();
    }
}
