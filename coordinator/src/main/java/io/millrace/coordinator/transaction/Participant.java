package io.millrace.coordinator.transaction;

import java.util.Objects;

/**
 * What takes part in a transaction and gets a marker of its own when it ends: a log of a partition.
 *
 * @param log name of the queue or topic
 * @param partition which partition of it, 0 or more
 * @param part which of the partition's two logs
 */
public record Participant(String log, int partition, Part part) {

    /** The logs of a partition. */
    public enum Part {
        /** The data log, which got records. */
        DATA,
        /** The cursor log, which got acknowledgements. */
        CURSOR
    }

    public Participant {
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(part, "part");
        if (partition < 0) {
            throw new IllegalArgumentException("partition " + partition + " of " + log);
        }
    }

    @Override
    public String toString() {
        return log + "-" + partition + (part == Part.CURSOR ? "/cursors" : "");
    }
}
