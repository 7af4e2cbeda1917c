package io.millrace.log;

/** Which of a partition's two logs. Both have one leader and one epoch; they differ in what stands in them and where. */
public enum LogRole {
    /** The records themselves, in {@code <name>-<partition>/}. */
    DATA,
    /**
     * The consumption state of the partition, in {@code <name>-<partition>/cursors/}. Goes on when only the reserve of its disk is left,
     * since acknowledgements are what lets space be freed.
     */
    CURSORS
}
