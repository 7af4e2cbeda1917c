package io.millrace.log;

/**
 * A transaction that has records in a partition and has not ended.
 *
 * @param producerId whose
 * @param epoch of its records
 * @param firstOffset first record
 * @param lastOffset last record so far
 */
public record OpenTransaction(long producerId, short epoch, long firstOffset, long lastOffset) {}
