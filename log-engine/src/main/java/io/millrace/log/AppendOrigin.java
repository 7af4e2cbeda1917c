package io.millrace.log;

/** Who wrote the batches of an append, and so what has to be checked. */
public enum AppendOrigin {
    /** A producer: everything is checked, down to the records; sequences must follow; no control batches. Offsets are assigned. */
    CLIENT,
    /**
     * One of several clients that write under one producer id, and never repeat a batch: as {@link #CLIENT}, but the batch is given the sequence
     * that follows.
     */
    SHARED_PRODUCER,
    /**
     * The broker itself (markers, cursors, metadata): headers and checksums are checked, control batches are fine, sequences are taken as
     * they are. Offsets are assigned. May use the disk's reserve.
     */
    COORDINATOR,
    /** Fetched from the partition's leader: offsets and epochs stay as they are, and must continue this log. */
    REPLICATION;

    /** Returns whether a client made the batches, so that nothing about them is to be believed. */
    public boolean isClient() {
        return this == CLIENT || this == SHARED_PRODUCER;
    }
}
