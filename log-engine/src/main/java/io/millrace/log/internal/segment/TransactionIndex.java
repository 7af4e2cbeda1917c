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

    /** Takes over what is in the file. Bytes after the last whole entry are left out. */
    void load() throws IOException {
        sizeBytes = file.exists() ? Math.toIntExact(file.sizeBytes()) / ENTRY_BYTES * ENTRY_BYTES : 0;
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

    List<AbortedTransaction> all() throws IOException {
        List<AbortedTransaction> result = new ArrayList<>();
        if (sizeBytes > 0) {
            ByteBuffer content = ByteBuffer.allocate(sizeBytes);
            file.read(content, 0);
            content.flip();
            while (content.remaining() >= ENTRY_BYTES) {
                content.getShort();
                result.add(new AbortedTransaction(
                        content.getLong(), content.getLong(), content.getLong(), content.getLong()));
            }
        }
        return result;
    }

    /** Drops the transactions whose marker is at or above an offset. */
    void truncateTo(long offset) throws IOException {
        int keep = 0;
        for (AbortedTransaction aborted : all()) {
            keep += aborted.lastOffset() < offset ? 1 : 0;
        }
        if (keep * ENTRY_BYTES < sizeBytes) {
            sizeBytes = keep * ENTRY_BYTES;
            file.truncate(sizeBytes);
        }
    }
}
