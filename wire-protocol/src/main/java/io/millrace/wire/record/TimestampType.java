package io.millrace.wire.record;

/** Who set the timestamps of the records of a batch (bit 3 of its attributes). */
public enum TimestampType {
    /** Each record has its own, set by its writer. */
    CREATE_TIME,
    /** All records have the batch's maximum timestamp, set by the broker when it appended the batch. */
    LOG_APPEND_TIME
}
