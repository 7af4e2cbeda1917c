package io.millrace.log;

/**
 * What is on disk below the synced offset is not what was written. The message names file, offset and position, and what to do. The
 * partition cannot be served from this copy; nothing of the damaged part was returned, nor removed.
 */
public final class LogDamagedException extends StorageException {
    public LogDamagedException(String message) {
        super(Category.FATAL, message);
    }

    public LogDamagedException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
