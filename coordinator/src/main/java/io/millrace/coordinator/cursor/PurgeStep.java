package io.millrace.coordinator.cursor;

/**
 * A part of a purge.
 *
 * @param removed records that were taken out
 * @param nextOffset where to go on; the end of what was to be purged when all is done
 */
public record PurgeStep(long removed, long nextOffset) {

    public PurgeStep {
        if (removed < 0 || nextOffset < 0) {
            throw new IllegalArgumentException("no step: " + removed + " removed, next offset " + nextOffset);
        }
    }
}
