package io.millrace.jms.internal.transaction;

import io.millrace.jms.internal.producer.OutgoingMessage;
import io.millrace.jms.internal.producer.PartitionAddress;

/** Takes what is sent in a transaction. On the loop. */
@FunctionalInterface
public interface TransactedSend {

    /**
     * Sends a message.
     *
     * @param maxMessageBytes largest batch that the destination takes
     * @param leaderEpoch of the partition, as it was described last
     */
    void send(PartitionAddress address, int maxMessageBytes, int leaderEpoch, OutgoingMessage message);
}
