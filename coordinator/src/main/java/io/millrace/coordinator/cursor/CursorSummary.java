package io.millrace.coordinator.cursor;

import java.util.Objects;

/**
 * A cursor as an operator sees it, at one moment. Immutable: the shard may publish it to other threads.
 *
 * @param id whose position it is
 * @param durable whether it survives a restart
 * @param startOffset everything below is acknowledged
 * @param nextFreshOffset everything at or above was never lent in this term
 * @param unacknowledged records at or above the start that are not acknowledged, up to the high watermark
 * @param acquired records that consumers hold at this moment
 * @param consumers consumers attached
 * @param lost records that left the log in this leader's term before they were acknowledged, since retention wins here
 */
public record CursorSummary(
        CursorId id,
        boolean durable,
        long startOffset,
        long nextFreshOffset,
        long unacknowledged,
        long acquired,
        int consumers,
        long lost) {

    public CursorSummary {
        Objects.requireNonNull(id, "id");
    }
}
