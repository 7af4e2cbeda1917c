package io.millrace.log.internal.journal;

import io.millrace.log.LogRole;
import io.millrace.log.internal.directory.LogKey;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Puts a block together in memory: one copy of each batch from the page cache, and from here it is one write. */
final class BlockWriter {
    private static final int KEPT_BYTES = 256 << 10;

    /** Kept from one block to the next, as long as it is of ordinary size. */
    private @Nullable ByteBuffer buffer;

    private int entries;

    /** Begins a block that will have at most so many bytes in its body. */
    void begin(long bodyBytes) {
        int needed = Math.toIntExact(JournalFormat.aligned(JournalFormat.BLOCK_HEADER_BYTES + bodyBytes));
        ByteBuffer kept = buffer;
        if (kept == null || kept.capacity() < needed || (kept.capacity() > KEPT_BYTES && needed <= KEPT_BYTES)) {
            kept = ByteBuffer.allocateDirect(Math.max(needed, KEPT_BYTES));
            buffer = kept;
        }
        kept.clear().position(JournalFormat.BLOCK_HEADER_BYTES);
        entries = 0;
    }

    private ByteBuffer buffer() {
        if (buffer == null) {
            throw new IllegalStateException("no block was begun");
        }
        return buffer;
    }

    /** Adds what a log has written; on a failure the block is as before. */
    void add(JournalEntry entry) throws IOException {
        int before = buffer().position();
        boolean done = false;
        try {
            for (JournalEntry.Range range : entry.ranges()) {
                add(entry, range);
            }
            entries += entry.ranges().size();
            done = true;
        } finally {
            if (!done) {
                buffer().position(before);
            }
        }
    }

    private void add(JournalEntry entry, JournalEntry.Range range) throws IOException {
        putKey(JournalFormat.RANGE, entry.key());
        ByteBuffer target = buffer().putLong(range.segment())
                .putLong(range.firstOffset())
                .putLong(range.endOffset())
                .putInt(entry.epoch())
                .putInt(range.position())
                .putInt(range.sizeBytes());
        int end = target.position() + range.sizeBytes();
        target.limit(end);
        range.file().read(target, range.position());
        if (target.position() < end) {
            throw new EOFException(range.file() + " ends before position " + (range.position() + range.sizeBytes()));
        }
        target.limit(target.capacity());
    }

    /** Adds that everything said of a log so far is void. */
    void addForget(LogKey key) {
        putKey(JournalFormat.FORGET, key);
        entries++;
    }

    private void putKey(byte kind, LogKey key) {
        buffer().put(kind)
                .put((byte) (key.role() == LogRole.DATA ? 0 : 1))
                .putInt(key.partition())
                .putLong(key.logId().getMostSignificantBits())
                .putLong(key.logId().getLeastSignificantBits());
    }

    boolean isEmpty() {
        return entries == 0;
    }

    /** The block as it is written. */
    ByteBuffer end(long salt, long number) {
        ByteBuffer block = buffer();
        int bodyBytes = block.position() - JournalFormat.BLOCK_HEADER_BYTES;
        while (block.position() % JournalFormat.ALIGNMENT != 0) {
            block.put((byte) 0);
        }
        block.flip();
        JournalFormat.putBlockHeader(block, salt, number, entries, bodyBytes);
        return block;
    }
}
