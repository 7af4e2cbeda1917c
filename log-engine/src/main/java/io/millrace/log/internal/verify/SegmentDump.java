package io.millrace.log.internal.verify;

import io.millrace.log.LogDumper.BatchEntry;
import io.millrace.log.LogDumper.Entry;
import io.millrace.log.LogDumper.ProblemEntry;
import io.millrace.log.LogDumper.RecordEntry;
import io.millrace.log.internal.file.LogFile;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shows the batches and records of a log file, damaged ones too as far as they can be told apart. */
public final class SegmentDump {
    private final LogFile file;
    private final boolean records;
    private final Consumer<Entry> out;

    /**
     * @param records whether to show records, or batches only
     */
    public SegmentDump(LogFile file, boolean records, Consumer<Entry> out) {
        this.file = file;
        this.records = records;
        this.out = out;
    }

    public void run() throws IOException {
        long size = file.sizeBytes();
        long position = 0;
        while (position < size) {
            ByteBuffer header = read(position, Math.min(RecordBatch.HEADER_SIZE, size - position));
            int length = header.limit() < RecordBatch.HEADER_SIZE ? 0 : header.getInt(RecordBatch.LENGTH);
            long batchBytes = (long) length + RecordBatch.LOG_OVERHEAD;
            if (length < RecordBatch.HEADER_SIZE - RecordBatch.LOG_OVERHEAD || batchBytes > size - position) {
                out.accept(new ProblemEntry(position, "no whole batch; " + (size - position) + " bytes are left"));
                return;
            }
            if (!show(position, read(position, batchBytes))) {
                return;
            }
            position += batchBytes;
        }
    }

    private ByteBuffer read(long position, long bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(bytes));
        file.read(buffer, position);
        return buffer.flip();
    }

    private boolean show(long position, ByteBuffer bytes) {
        try {
            RecordBatch batch = RecordBatch.at(bytes, 0);
            out.accept(new BatchEntry(
                    position,
                    batch.baseOffset(),
                    batch.lastOffset(),
                    batch.recordCount(),
                    batch.sizeInBytes(),
                    batch.partitionLeaderEpoch(),
                    batch.maxTimestampMs(),
                    batch.producerId(),
                    batch.producerEpoch(),
                    batch.baseSequence(),
                    batch.compression().name().toLowerCase(Locale.ROOT),
                    batch.isTransactional(),
                    batch.isControl(),
                    batch.isCrcValid()));
            if (records && batch.isCrcValid()) {
                showRecords(batch);
            }
            return true;
        } catch (RecordFormatException e) {
            out.accept(new ProblemEntry(position, String.valueOf(e.getMessage())));
            return false;
        }
    }

    private void showRecords(RecordBatch batch) {
        try (RecordCursor cursor = batch.records()) {
            while (cursor.next()) {
                List<String> headers = new ArrayList<>();
                for (int i = 0; i < cursor.headerCount(); i++) {
                    headers.add(cursor.headerName(i) + "=" + text(cursor.headerValue(i)));
                }
                out.accept(new RecordEntry(
                        cursor.offset(), cursor.timestampMs(), text(cursor.key()), text(cursor.value()), headers));
            }
        }
    }

    /** Bytes as UTF-8 text if they are some, else each byte that is no printable ASCII character as {@code \xHH}. */
    static String text(@Nullable ByteBuffer bytes) {
        if (bytes == null) {
            return "";
        }
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate());
            if (text.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t')) {
                return text.toString();
            }
        } catch (CharacterCodingException e) {
            // Not text, then.
        }
        StringBuilder escaped = new StringBuilder();
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            int value = Byte.toUnsignedInt(bytes.get(i));
            if (value >= ' ' && value < 0x7f && value != '\\') {
                escaped.append((char) value);
            } else {
                escaped.append(String.format("\\x%02x", value));
            }
        }
        return escaped.toString();
    }
}
