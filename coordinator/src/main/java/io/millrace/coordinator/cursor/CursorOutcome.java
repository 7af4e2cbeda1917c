package io.millrace.coordinator.cursor;

import java.util.List;

/**
 * What one turn of the shard changed in the cursors of a partition.
 *
 * <p>The runtime appends all records in this order, as one batch, before it sends anything that the turn decided: a delivery that left
 * before its attempt was written would be forgotten by a killed process. When the append fails, the cursors are ahead of their log and
 * must be thrown away with the partition's leadership.
 *
 * @param records changes to append to the cursor log; empty when nothing that survives was changed
 * @param syncSoon whether somebody waits for the records to be below the cursor log's high watermark (a new cursor, a horizon, a
 *     move...), beyond those who asked for durable acknowledgements
 */
public record CursorOutcome(List<CursorRecord> records, boolean syncSoon) {

    /** Nothing to append. */
    public static final CursorOutcome NOTHING = new CursorOutcome(List.of(), false);

    public CursorOutcome {
        records = List.copyOf(records);
    }
}
