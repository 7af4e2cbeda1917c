package io.millrace.broker.internal.partition;

import io.millrace.wire.frame.DeliveryEntries;
import io.millrace.wire.frame.DeliveryForm;
import java.nio.ByteBuffer;

/**
 * Records of one batch on their way to one consumer.
 *
 * @param leaderEpoch epoch of the partition's leader
 * @param acquisition names what was lent
 * @param form what the payload is
 * @param baseOffset base offset of the batch, which the entries count from
 * @param baseTimestampMs base timestamp of the batch
 * @param entries which records, and how often each was delivered
 * @param payload the records' bytes, or the batch
 */
public record Delivery(
        int leaderEpoch,
        long acquisition,
        DeliveryForm form,
        long baseOffset,
        long baseTimestampMs,
        DeliveryEntries entries,
        ByteBuffer payload) {}
