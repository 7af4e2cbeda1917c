package io.millrace.log;

/**
 * A write or a force failed in this data directory, and what it holds of the last writes is unknown: nothing more is written to it until
 * the process is restarted on a disk that works. Reads go on. Whether records above the synced offset survive is open; a retry elsewhere
 * may store them twice unless it carries the same producer id and sequence.
 */
public final class DirectoryReadOnlyException extends StorageException {
    public DirectoryReadOnlyException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
