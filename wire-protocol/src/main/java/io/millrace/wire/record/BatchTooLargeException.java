package io.millrace.wire.record;

/**
 * A batch, or what it decompresses to, is larger than the limit that the caller set. The message names the limit.
 *
 * <p>A retry fails in the same way; fewer or smaller records per batch, or a higher limit, do not.
 */
public final class BatchTooLargeException extends RecordFormatException {
    public BatchTooLargeException(String message) {
        super(message);
    }
}
