package io.millrace.log;

/** How the process that had a data directory before this one ended, and so what can be trusted of it; most trust first. */
public enum StartKind {
    /** The directory is new. */
    FRESH,
    /** Everything was synced and closed in order. */
    CLEAN,
    /** The process was killed, the machine went on: the page cache, and so every written byte, is intact. */
    KILLED,
    /** The machine went down, or may have: only what was synced is sure to be there. */
    POWER_LOSS
}
