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
     * @param described what the server said of it
     * @param ownPartition of this session
     */
    private record Route(DestinationDescribed described, int ownPartition) {}

    private final MillraceConnection connection;
    private final int sessionHash;
    private final Map<MillraceDestination, Route> routes = new HashMap<>();

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
        int partition = group.map(key -> Murmur2.partition(
                        bytes(key), route.described.partitions().size()))
                .orElse(route.ownPartition);
        return new PartitionAddress(
                destination.name(), Destinations.kind(destination), route.described.logId(), partition);
    }

    /** The destination is not what it was: it is asked for again. */
    void forget(MillraceDestination destination) {
        routes.remove(destination);
    }

    private Route route(MillraceDestination destination) throws JMSException {
        Route known = routes.get(destination);
        if (known == null) {
            DestinationDescribed described = describe(destination);
            known = new Route(
                    described, Math.floorMod(sessionHash, described.partitions().size()));
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
