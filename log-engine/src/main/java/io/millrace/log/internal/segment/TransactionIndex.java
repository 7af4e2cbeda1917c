package io.millrace.log.internal.segment;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.internal.file.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The transactions that were aborted in a segment, in the order of their markers. Kafka's format: version {@code int16} 0, producer id,
 * first offset, offset of the marker, last stable offset, each {@code int64}. The file exists from the first entry on.
 */
public final class TransactionIndex {
    static final int ENTRY_BYTES = 34;

    private static final short VERSION = 0;

    private final LogFile file;
    private volatile int sizeBytes;

    TransactionIndex(LogFile file) {
        this.file = file;
    }

    /**
     * Takes over what is in the file, up to the first entry that cannot be one: after a power loss there may be zeros in the place of what was
     * not forced.
     */
    void load() throws IOException {
        sizeBytes = file.exists() ? Math.toIntExact(file.sizeBytes()) / ENTRY_BYTES * ENTRY_BYTES : 0;
        int valid = 0;
        long previous = -1;
        for (AbortedTransaction aborted : all()) {
            boolean possible = aborted.firstOffset() >= 0
                    && aborted.firstOffset() < aborted.lastOffset()
                    && aborted.lastOffset() > previous;
            if (!possible) {
                break;
            }
            valid++;
            previous = aborted.lastOffset();
        }
        sizeBytes = valid * ENTRY_BYTES;
    }

    LogFile file() {
        return file;
    }

    boolean isEmpty() {
        return sizeBytes == 0;
    }

    void append(AbortedTransaction aborted) throws IOException {
        if (sizeBytes == 0) {
            file.create();
        }
        file.write(encode(List.of(aborted)), sizeBytes);
        int newSize = sizeBytes + ENTRY_BYTES;
        sizeBytes = newSize;
    }

    /** The bytes of entries. */
    public static ByteBuffer encode(List<AbortedTransaction> transactions) {
        ByteBuffer entries = ByteBuffer.allocate(ENTRY_BYTES * transactions.size());
        for (AbortedTransaction aborted : transactions) {
            entries.putShort(VERSION)
                    .putLong(aborted.producerId())
                    .putLong(aborted.firstOffset())
                    .putLong(aborted.lastOffset())
                    .putLong(aborted.lastStableOffset());
        }
        return entries.flip();
    }

    /** The entries that some bytes are. What follows the last whole one is left out. */
    public static List<AbortedTransaction> decode(ByteBuffer entries) {
        List<AbortedTransaction> result = new ArrayList<>();
        ByteBuffer in = entries.duplicate();
        while (in.remaining() >= ENTRY_BYTES) {
            in.getShort();
            result.add(new AbortedTransaction(in.getLong(), in.getLong(), in.getLong(), in.getLong()));
        }
        return result;
    }

    List<AbortedTransaction> all() throws IOException {
        List<AbortedTransaction> result = new ArrayList<>();
        if (sizeBytes > 0) {
            ByteBuffer content = ByteBuffer.allocate(sizeBytes);
            file.read(content, 0);
            content.flip();
            result.addAll(decode(content));
        }
        return result;
    }

    /** Drops the transactions whose marker is at or above an offset. */
    void truncateTo(long offset) throws IOException {
        int keep = 0;
        for (AbortedTransaction aborted : all()) {
            keep += aborted.lastOffset() < offset ? 1 : 0;
        }
        sizeBytes = keep * ENTRY_BYTES;
        if (file.exists() && file.sizeBytes() > sizeBytes) {
            file.truncate(sizeBytes);
        }
    }
}
