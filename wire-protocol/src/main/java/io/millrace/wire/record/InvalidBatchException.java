package io.millrace.wire.record;

/**
 * The batch is undamaged (its checksum is right), but breaks a rule that its writer must keep: record count and offsets that
 * do not agree, a control batch sent by a client, a producer id without a sequence.
 *
 * <p>The writer is at fault; a retry with the same bytes fails in the same way.
 */
public final class InvalidBatchException extends RecordFormatException {
    public InvalidBatchException(String message) {
        super(message);
    }
}
