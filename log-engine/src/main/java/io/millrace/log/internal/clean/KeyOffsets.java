package io.millrace.log.internal.clean;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The last offset of each key, in memory of a fixed size. A key counts as its 16 byte hash (MD5, as in Kafka): that two keys share one is so
 * unlikely that nobody has to think of it. For one thread.
 */
final class KeyOffsets {
    private static final int HASH_BYTES = 16;
    private static final int SLOT_BYTES = HASH_BYTES + Long.BYTES;
    private static final double LOAD = 0.9;

    private final ByteBuffer slots;
    private final int slotCount;
    private final int maxKeys;
    private final MessageDigest digest;
    private final byte[] hash = new byte[HASH_BYTES];
    private int keys;

    /**
     * @param memoryBytes what it may take, at least room for two keys
     */
    KeyOffsets(int memoryBytes) {
        slotCount = Math.max(2, memoryBytes / SLOT_BYTES);
        slots = ByteBuffer.allocate(slotCount * SLOT_BYTES);
        maxKeys = Math.max(1, (int) (slotCount * LOAD));
        try {
            digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    void clear() {
        Arrays.fill(slots.array(), (byte) 0);
        keys = 0;
    }

    int size() {
        return keys;
    }

    /**
     * Sets the offset of a key.
     *
     * @return false if there is no room for another key, in which case nothing changed
     */
    boolean put(ByteBuffer key, long offset) {
        int slot = find(key);
        boolean known = offsetIn(slot) >= 0;
        if (!known && keys == maxKeys) {
            return false;
        }
        if (!known) {
            keys++;
            slots.put(slot, hash, 0, HASH_BYTES);
        }
        // Plus one, so that an empty slot is told by zero.
        slots.putLong(slot + HASH_BYTES, offset + 1);
        return true;
    }

    /** Offset of a key, or -1. */
    long get(ByteBuffer key) {
        return offsetIn(find(key));
    }

    private long offsetIn(int slot) {
        return slots.getLong(slot + HASH_BYTES) - 1;
    }

    /** The slot of a key, or the empty one where it belongs. There always is an empty one. */
    private int find(ByteBuffer key) {
        digest.update(key.duplicate());
        ByteBuffer found = ByteBuffer.wrap(digest.digest());
        found.get(0, hash);
        int index = Math.floorMod(found.getLong(0), slotCount);
        while (true) {
            int slot = index * SLOT_BYTES;
            if (offsetIn(slot) < 0 || slots.slice(slot, HASH_BYTES).equals(found)) {
                return slot;
            }
            index = index + 1 == slotCount ? 0 : index + 1;
        }
    }
}
