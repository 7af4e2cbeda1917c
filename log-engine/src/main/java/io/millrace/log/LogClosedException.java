package io.millrace.log;

/** The log was closed or deleted: the operation did nothing. */
public final class LogClosedException extends StorageException {
    public LogClosedException(String message) {
        super(Category.RETRIABLE, message);
    }
}
