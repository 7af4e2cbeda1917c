package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.HeldRecords;
import java.util.List;
import java.util.Optional;

/**
 * What a consumer needs to be opened, or to be attached again.
 *
 * @param key who it is
 * @param cursor whose records it wants
 * @param start where a private cursor begins, which is created with the consumer and ends with it
 * @param filter what it wants of them, if not all
 * @param creditMessages messages that it takes at first
 * @param creditBytes bytes that it takes at first
 * @param held what the client still holds, when it comes back
 */
public record ConsumerRequest(
        ConsumerKey key,
        CursorId cursor,
        CursorStart start,
        Optional<ConsumerFilter> filter,
        int creditMessages,
        int creditBytes,
        List<HeldRecords> held) {

    /** Copies the list. */
    public ConsumerRequest {
        held = List.copyOf(held);
    }

    /** Of a consumer that wants everything. */
    public ConsumerRequest(
            ConsumerKey key,
            CursorId cursor,
            CursorStart start,
            int creditMessages,
            int creditBytes,
            List<HeldRecords> held) {
        this(key, cursor, start, Optional.empty(), creditMessages, creditBytes, held);
    }
}
