package io.millrace.testkit.disk;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A file's bytes as the process sees them, and for every page changed since the last force what the disk still has.
 */
final class FileNode implements Node {
    private static final int PAGE = 4096;
    private static final int SECTOR = 512;

    private byte[] bytes = new byte[0];
    private int size;
    private int forcedSize;
    private final Map<Integer, byte[]> forcedPages = new HashMap<>();
    boolean linked;

    @Nullable
    FakeFileChannel lockedBy;

    long size() {
        return size;
    }

    int read(long position, byte[] target, int offset, int length) {
        if (position >= size) {
            return -1;
        }
        int count = (int) Math.min(length, size - position);
        System.arraycopy(bytes, (int) position, target, offset, count);
        return count;
    }

    void write(long position, byte[] source) throws IOException {
        int end = Math.toIntExact(position + source.length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
        }
        remember(Math.min((int) position, size), end);
        System.arraycopy(source, 0, bytes, (int) position, source.length);
        size = Math.max(size, end);
    }

    void truncate(long newSize) {
        if (newSize < size) {
            remember((int) newSize, size);
            Arrays.fill(bytes, (int) newSize, size, (byte) 0);
            size = (int) newSize;
        }
    }

    void flip(long position, int mask) {
        bytes[(int) position] ^= (byte) mask;
        byte[] page = forcedPages.get((int) position / PAGE);
        if (page != null) {
            page[(int) position % PAGE] ^= (byte) mask;
        }
    }

    void forced() {
        forcedPages.clear();
        forcedSize = size;
    }

    void loseUnforced(RandomGenerator random) {
        int survivingSize = survivingSize(random);
        for (Map.Entry<Integer, byte[]> forcedPage : new TreeMap<>(forcedPages).entrySet()) {
            int page = forcedPage.getKey();
            byte[] old = forcedPage.getValue();
            int choice = random.nextInt(3);
            for (int sector = 0; sector < PAGE / SECTOR; sector++) {
                boolean lost = choice == 0 || (choice == 1 && random.nextBoolean());
                if (lost) {
                    restore(old, page * PAGE + sector * SECTOR, sector * SECTOR);
                }
            }
        }
        if (survivingSize > bytes.length) {
            bytes = Arrays.copyOf(bytes, survivingSize);
        }
        if (survivingSize < size) {
            Arrays.fill(bytes, survivingSize, size, (byte) 0);
        }
        size = survivingSize;
        forced();
    }

    private int survivingSize(RandomGenerator random) {
        return switch (random.nextInt(3)) {
            case 0 -> forcedSize;
            case 1 -> size;
            default -> Math.min(size, forcedSize) + random.nextInt(Math.abs(size - forcedSize) + 1);
        };
    }

    private void restore(byte[] old, int position, int offsetInPage) {
        if (position + SECTOR > bytes.length) {
            bytes = Arrays.copyOf(bytes, position + SECTOR);
        }
        System.arraycopy(old, offsetInPage, bytes, position, SECTOR);
    }

    /** Keeps what the disk has of the pages in this range, before they are changed for the first time since a force. */
    private void remember(int from, int to) {
        for (int page = from / PAGE; page * PAGE < to; page++) {
            if (!forcedPages.containsKey(page)) {
                byte[] old = new byte[PAGE];
                int available = Math.min(PAGE, Math.max(0, Math.min(size, bytes.length) - page * PAGE));
                if (available > 0) {
                    System.arraycopy(bytes, page * PAGE, old, 0, available);
                }
                forcedPages.put(page, old);
            }
        }
    }
}
