package io.millrace.coordinator.metadata;

import io.millrace.wire.MillraceException;

/**
 * Bytes are not a metadata record that this version understands, or a record cannot be written as bytes.
 *
 * <p>Met while replaying, it is fatal: skipping a record would make this broker's metadata differ from that of the others. Met while
 * writing a command's records, only that command is refused.
 */
public final class MetadataFormatException extends MillraceException {

    private MetadataFormatException(Category category, String message, Throwable cause) {
        super(category, message, cause);
    }

    private MetadataFormatException(Category category, String message) {
        super(category, message);
    }

    static MetadataFormatException unreadable(String message) {
        return new MetadataFormatException(Category.FATAL, message);
    }

    static MetadataFormatException unreadable(String message, Throwable cause) {
        return new MetadataFormatException(Category.FATAL, message, cause);
    }

    static MetadataFormatException unwritable(String message) {
        return new MetadataFormatException(Category.REJECTED, message);
    }

    static MetadataFormatException unwritable(String message, Throwable cause) {
        return new MetadataFormatException(Category.REJECTED, message, cause);
    }
}
