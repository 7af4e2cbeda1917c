package io.millrace.log;

import io.millrace.wire.MillraceException;

/** Trouble with a disk. The subclasses say of which kind, and what is still possible. */
public abstract sealed class StorageException extends MillraceException
        permits DiskFullException,
                DirectoryReadOnlyException,
                LogDamagedException,
                LogClosedException,
                StorageReadException,
                DataDirectoryException {
    StorageException(Category category, String message) {
        super(category, message);
    }

    StorageException(Category category, String message, Throwable cause) {
        super(category, message, cause);
    }
}
