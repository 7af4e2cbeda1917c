package io.millrace.log;

/** Who wrote the batches of an append, and so what has to be checked. */
public enum AppendOrigin {
    /** A producer: everything is checked, down to the records; sequences must follow; no control batches. Offsets are assigned. */
    CLIENT,
    /**
     * The broker itself (markers, cursors, metadata): headers and checksums are checked, control batches are fine, sequences are taken as
     * they are. Offsets are assigned. May use the disk's reserve.
     */
    COORDINATOR,
    /** Fetched from the partition's leader: offsets and epochs stay as they are, and must continue this log. */
    REPLICATION
}
