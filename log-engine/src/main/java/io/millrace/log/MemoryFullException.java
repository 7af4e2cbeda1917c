package io.millrace.log;

/** The memory of a log, or of all logs in memory, is full: nothing of the append is in the log. A retry succeeds once something was consumed. */
public final class MemoryFullException extends DiskFullException {
    public MemoryFullException(String message) {
        super(message);
    }
}
