package io.millrace.log;

/**
 * A transaction that an ABORT marker ended: readers of committed data skip its records.
 *
 * @param producerId whose
 * @param firstOffset first record
 * @param lastOffset the marker
 * @param lastStableOffset first offset of the oldest transaction still open then, or the one after the marker
 */
public record AbortedTransaction(long producerId, long firstOffset, long lastOffset, long lastStableOffset) {}
