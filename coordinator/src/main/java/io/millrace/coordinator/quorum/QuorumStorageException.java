package io.millrace.coordinator.quorum;

import io.millrace.wire.MillraceException;

/**
 * The metadata quorum cannot use what it has on disk: a file could not be written or read, is damaged, or does not belong here. The member
 * does not start, or stops; the other voters go on as long as they are a majority.
 */
public final class QuorumStorageException extends MillraceException {

    QuorumStorageException(String message) {
        super(Category.FATAL, message);
    }

    QuorumStorageException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
