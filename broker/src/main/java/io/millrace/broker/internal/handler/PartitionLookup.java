package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.ConsumerAddress;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.wire.ErrorCode;
import java.util.UUID;

/** Finds what requests name, or says why it is not there. May be used from any thread. */
final class PartitionLookup {

    private final Partitions partitions;

    PartitionLookup(Partitions partitions) {
        this.partitions = partitions;
    }

    /**
     * Finds a partition that this broker leads.
     *
     * @throws RequestFailedException if it does not lead it, or cannot serve it
     */
    Partition partition(UUID logId, int partition) {
        return switch (partitions.find(logId, partition)) {
            case Partitions.Lookup.Found(Partition found) -> found;
            case Partitions.Lookup.NotHere() ->
                throw new RequestFailedException(
                        ErrorCode.NOT_LEADER,
                        "this broker does not lead partition " + partition + " of log " + logId
                                + ", or the log was deleted");
            case Partitions.Lookup.Offline(String why) ->
                throw new RequestFailedException(ErrorCode.STORAGE_UNAVAILABLE, why);
        };
    }

    /** Returns the session of an exchange, which its connection has checked when the request came in. */
    static ClientSession session(Exchange exchange) {
        return exchange.connection()
                .session(exchange.session())
                .orElseThrow(() -> new RequestFailedException(
                        ErrorCode.UNKNOWN_SESSION, "session " + exchange.session() + " has ended"));
    }

    /**
     * Finds a consumer of the exchange's session.
     *
     * @throws RequestFailedException if there is none
     */
    static SessionConsumer consumer(Exchange exchange, int consumer, int partition) {
        return session(exchange)
                .consumer(new ConsumerAddress(consumer, partition))
                .orElseThrow(() -> new RequestFailedException(
                        ErrorCode.UNKNOWN_CONSUMER,
                        "consumer " + consumer + " is not open on partition " + partition + " in this session"));
    }

    /** Has a shard do a client's work, or refuses it when the shard has too much to do. */
    static void post(Partition partition, Exchange exchange, Runnable work) {
        boolean accepted = partition.shard().offer(() -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                Failures.answer(exchange, e);
            }
        });
        if (!accepted) {
            throw new RequestFailedException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    partition.shard() + " has " + partition.shard().queuedTasks()
                            + " requests waiting, which is queued.max.requests; try again");
        }
    }
}
