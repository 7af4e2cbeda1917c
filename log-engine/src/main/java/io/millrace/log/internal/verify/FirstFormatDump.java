package io.millrace.log.internal.verify;

import io.millrace.log.LogDumper.Entry;
import io.millrace.log.LogDumper.LineEntry;
import io.millrace.log.LogDumper.ProblemEntry;
import io.millrace.log.internal.file.LogFile;
import io.millrace.wire.record.DecompressionLimits;
import io.millrace.wire.record.FirstFormat;
import io.millrace.wire.record.LegacyMessages;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows each message of a log file as an entry of the first format: length, magic, checksum, payload. The file may be in that format itself, of
 * messages of magic 0 or 1, or of record batches, which it tells by its first bytes.
 */
public final class FirstFormatDump {
    private static final int OFFSET_AND_SIZE_BYTES = 12;
    private static final int LARGEST_ENTRY_BYTES = 256 << 20;

    private final LogFile file;
    private final Consumer<Entry> out;
    private long position;

    public FirstFormatDump(LogFile file, Consumer<Entry> out) {
        this.file = file;
        this.out = out;
    }

    public void run() throws IOException {
        long size = file.sizeBytes();
        ByteBuffer head = read(0, OFFSET_AND_SIZE_BYTES);
        // An offset of 8 bytes begins with zeros, as long as it is below 2^32; a length does not.
        boolean first = head.remaining() >= Integer.BYTES && head.getInt(0) != 0;
        try {
            while (position < size) {
                position += first ? showFirst(size) : showSet(size);
            }
        } catch (RecordFormatException e) {
            out.accept(new ProblemEntry(position, String.valueOf(e.getMessage())));
        }
        file.close();
    }

    private int showFirst(long size) throws IOException {
        ByteBuffer length = read(position, Integer.BYTES);
        long bytes = length.remaining() < Integer.BYTES ? 0 : Integer.toUnsignedLong(length.getInt(0)) + Integer.BYTES;
        FirstFormat.Entry entry = FirstFormat.at(read(position, bounded(bytes, size)), 0);
        show(position, entry);
        return entry.sizeBytes();
    }

    private int showSet(long size) throws IOException {
        ByteBuffer head = read(position, OFFSET_AND_SIZE_BYTES);
        long bytes = head.remaining() < OFFSET_AND_SIZE_BYTES
                ? 0
                : Integer.toUnsignedLong(head.getInt(Long.BYTES)) + OFFSET_AND_SIZE_BYTES;
        ByteBuffer whole = read(position, bounded(bytes, size));
        if (LegacyMessages.isLegacy(whole)) {
            LegacyMessages.read(
                    whole, DecompressionLimits.DEFAULT, (offset, timestampMs, key, value) -> show(offset, value));
        } else {
            RecordBatch batch = RecordBatch.at(whole, 0);
            try (RecordCursor cursor = batch.records()) {
                while (!batch.isControl() && cursor.next()) {
                    show(cursor.offset(), cursor.value());
                }
            }
        }
        return whole.limit();
    }

    private static int bounded(long bytes, long size) {
        return (int) Math.min(Math.max(1, bytes), Math.min(size, LARGEST_ENTRY_BYTES));
    }

    private void show(long offset, @Nullable ByteBuffer value) {
        show(offset, FirstFormat.at(FirstFormat.encode(value == null ? ByteBuffer.allocate(0) : value), 0));
    }

    private void show(long offset, FirstFormat.Entry entry) {
        out.accept(new LineEntry("entry " + offset + ": length " + entry.length() + ", magic 0, crc "
                + String.format("%08x", entry.crc()) + (entry.crcValid() ? "" : " (WRONG)") + ", payload "
                + entry.payload().remaining() + " bytes: " + SegmentDump.text(entry.payload())));
    }

    private ByteBuffer read(long from, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(bytes, Math.max(0, file.sizeBytes() - from)));
        file.read(buffer, from);
        return buffer.flip();
    }
}
