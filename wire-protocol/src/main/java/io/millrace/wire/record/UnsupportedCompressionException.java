package io.millrace.wire.record;

/**
 * The codec of a batch is not one of {@link Compression}, or the library that implements it is not on the class path (or has
 * no native code for this machine). The message says which.
 */
public final class UnsupportedCompressionException extends RecordFormatException {
    public UnsupportedCompressionException(String message) {
        super(message);
    }

    public UnsupportedCompressionException(String message, Throwable cause) {
        super(message, cause);
    }
}
