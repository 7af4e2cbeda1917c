package io.millrace.jms.internal.session;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.internal.client.ClientSession;
import io.millrace.jms.internal.producer.PartitionAddress;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where a session's messages go: it sticks to one partition of each destination, so that they stay in order, except messages of a group, which
 * go to the partition of the group. A destination keeps the number of partitions that it had at first. Confined to the session's thread.
 */
final class Routes {

    /**
     * A way to a destination.
     *
     * @param described what the server said of it last
     * @param generation of the connection when it said so
     * @param partitions how many it had at first
     * @param ownPartition of this session
     */
    private record Route(DestinationDescribed described, int generation, int partitions, int ownPartition) {}

    private static final int UNKNOWN_GENERATION = -1;

    private final MillraceConnection connection;
    private final int sessionHash;
    private final Map<MillraceDestination, Route> routes = new HashMap<>();
    /** At which generation of the connection all of them were looked at last. */
    private int refreshed = UNKNOWN_GENERATION;

    Routes(MillraceConnection connection, ClientSession session) {
        this.connection = connection;
        this.sessionHash = session.uuid().hashCode();
    }

    /** Asks the server for a destination, which may create it; for one that is there, where a further cursor of it is meant. */
    DestinationDescribed describe(MillraceDestination destination) throws JMSException {
        boolean cursor = Destinations.cursor(destination).isPresent();
        Optional<DestinationKind> kind = cursor ? Optional.empty() : Optional.of(Destinations.kind(destination));
        return (DestinationDescribed) connection
                .calls()
                .call(
                        "Looking up " + destination,
                        connection.requestTimeoutMs(),
                        () -> connection
                                .client()
                                .request(corr -> new DescribeDestination(
                                        corr,
                                        kind,
                                        destination.destinationName().jmsName(),
                                        !cursor)));
    }

    /** Returns what the server said of the destination when it was first sent to. */
    DestinationDescribed described(MillraceDestination destination) throws JMSException {
        return route(destination).described;
    }

    /** Returns the partition for a message. */
    PartitionAddress address(MillraceDestination destination, Optional<ByteBuffer> group) throws JMSException {
        Route route = route(destination);
        int partition = group.map(key -> Murmur2.partition(bytes(key), route.partitions))
                .orElse(route.ownPartition);
        return new PartitionAddress(
                destination.name(), Destinations.kind(destination), route.described.logId(), partition);
    }

    /** The destination is not what it was: it is asked for again. */
    void forget(MillraceDestination destination) {
        routes.remove(destination);
    }

    /** What the server said of leaders before the connection was lost is asked for again: a message of a transaction is not sent twice. */
    void refresh() throws JMSException {
        int generation = connection.client().generation();
        if (generation == refreshed) {
            return;
        }
        for (Map.Entry<MillraceDestination, Route> known : Map.copyOf(routes).entrySet()) {
            Route route = known.getValue();
            if (route.generation != generation) {
                DestinationDescribed described = describe(known.getKey());
                routes.put(known.getKey(), new Route(described, generation, route.partitions, route.ownPartition));
            }
        }
        refreshed = generation;
    }

    /** The leaders may be others than before. */
    void suspect() {
        refreshed = UNKNOWN_GENERATION;
        routes.replaceAll((destination, route) ->
                new Route(route.described, UNKNOWN_GENERATION, route.partitions, route.ownPartition));
    }

    private Route route(MillraceDestination destination) throws JMSException {
        Route known = routes.get(destination);
        if (known == null) {
            int generation = connection.client().generation();
            DestinationDescribed described = describe(destination);
            int partitions = described.partitions().size();
            known = new Route(described, generation, partitions, Math.floorMod(sessionHash, partitions));
            routes.put(destination, known);
        }
        return known;
    }

    private static byte[] bytes(ByteBuffer key) {
        byte[] bytes = new byte[key.remaining()];
        key.duplicate().get(bytes);
        return bytes;
    }
}
