package io.millrace.log;

import java.util.OptionalLong;

/**
 * What a partition knows of a producer that wrote to it not too long ago.
 *
 * @param producerId its id
 * @param epoch its latest epoch
 * @param lastSequence sequence number of its last record, or -1 if it has none in this epoch
 * @param lastTimestampMs largest timestamp of its last batch or marker, in milliseconds since 1970, or -1
 * @param coordinatorEpoch epoch of the coordinator that wrote its last marker, or -1
 * @param transactionStartOffset first offset of its open transaction, if one is open
 */
public record ActiveProducer(
        long producerId,
        short epoch,
        int lastSequence,
        long lastTimestampMs,
        int coordinatorEpoch,
        OptionalLong transactionStartOffset) {}
