package io.millrace.wire.record;

/**
 * The entry is a message set of the formats before Kafka 0.11 (magic 0 or 1), of which {@link LegacyMessages} has to make a batch first.
 */
public final class UnsupportedMagicException extends RecordFormatException {
    private final int magic;

    public UnsupportedMagicException(int magic) {
        super("message format version (magic) " + magic + " is out of scope: only record batches of magic "
                + RecordBatch.MAGIC_V2 + " are read and written; use a client that speaks Kafka 0.11 or newer");
        this.magic = magic;
    }

    /** The magic byte found, 0 or 1. */
    public int magic() {
        return magic;
    }
}
