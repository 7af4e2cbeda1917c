package io.millrace.wire.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordHeader;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The headers of one record, wherever they are kept. */
interface RecordHeaders {
    int count();

    String name(int index);

    @Nullable
    ByteBuffer value(int index);

    /** Index of the last header of this name, or -1. */
    int last(String name);

    /** Of a record that was copied out of its batch. */
    static RecordHeaders of(List<RecordHeader> headers) {
        return new RecordHeaders() {
            @Override
            public int count() {
                return headers.size();
            }

            @Override
            public String name(int index) {
                return headers.get(index).name();
            }

            @Override
            public @Nullable ByteBuffer value(int index) {
                byte[] value = headers.get(index).value();
                return value == null ? null : ByteBuffer.wrap(value);
            }

            @Override
            public int last(String name) {
                int index = headers.size() - 1;
                while (index >= 0 && !headers.get(index).name().equals(name)) {
                    index--;
                }
                return index;
            }
        };
    }

    /**
     * Of the raw bytes of a record.
     *
     * @param rawRecord as {@link RecordCursor#rawRecord} gives them
     */
    static RecordHeaders of(ByteBuffer rawRecord) {
        RecordCursor cursor = RecordCursor.overRecords(rawRecord, 0, 0, 1);
        cursor.next();
        return new RecordHeaders() {
            @Override
            public int count() {
                return cursor.headerCount();
            }

            @Override
            public String name(int index) {
                return cursor.headerName(index);
            }

            @Override
            public @Nullable ByteBuffer value(int index) {
                return cursor.headerValue(index);
            }

            @Override
            public int last(String name) {
                return cursor.findHeader(name.getBytes(UTF_8));
            }
        };
    }
}
