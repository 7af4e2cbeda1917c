package io.millrace.log;

/**
 * No space for this append, or no file handle: nothing of it is in the log. Reads and acknowledgements go on, and so does this log once there is space
 * again; a retry then succeeds.
 */
public sealed class DiskFullException extends StorageException permits MemoryFullException {
    public DiskFullException(String message) {
        super(Category.RETRIABLE, message);
    }

    public DiskFullException(String message, Throwable cause) {
        super(Category.RETRIABLE, message, cause);
    }
}
