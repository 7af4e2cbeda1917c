package io.millrace.log;

/** The disk did not answer a read. What is stored is as it was; a retry may succeed. */
public final class StorageReadException extends StorageException {
    public StorageReadException(String message, Throwable cause) {
        super(Category.RETRIABLE, message, cause);
    }
}
