package io.millrace.log;

/**
 * Where a leader epoch ends in a log.
 *
 * @param epoch the largest epoch of the log that is not above the one asked for
 * @param endOffset offset at which the next epoch begins, or the log end offset
 */
public record EpochEnd(int epoch, long endOffset) {}
