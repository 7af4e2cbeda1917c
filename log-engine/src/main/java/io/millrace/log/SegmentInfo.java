package io.millrace.log;

/**
 * One file of a log, for people and tools.
 *
 * @param baseOffset lowest offset it may hold, and its name
 * @param nextOffset offset after its last record
 * @param sizeBytes size of its {@code .log} file
 * @param maxTimestampMs largest timestamp of a record in it, in milliseconds since 1970, or -1
 * @param active whether it is the one that is appended to
 */
public record SegmentInfo(long baseOffset, long nextOffset, long sizeBytes, long maxTimestampMs, boolean active) {}
