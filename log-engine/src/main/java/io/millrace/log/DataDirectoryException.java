package io.millrace.log;

/**
 * A data directory cannot be used at all: locked by another process, not writable, of a newer format, or of another broker or cluster. The
 * message says which and what to do. Nothing in the directory was changed.
 */
public final class DataDirectoryException extends StorageException {
    public DataDirectoryException(String message) {
        super(Category.FATAL, message);
    }

    public DataDirectoryException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
