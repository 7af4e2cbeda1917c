package io.millrace.broker.internal.session;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.broker.internal.partition.Partition;
import java.util.List;
import java.util.function.Consumer;

/** Tells partitions what becomes of the sessions that consume from them. On the control shard. */
public final class ConsumerReleaser implements SessionListener {

    @Override
    public void onResumed(ClientSession session, ClientConnection connection) {
        // The client opens its consumers anew, and says what it still holds.
    }

    @Override
    public void onDetached(ClientSession session) {
        onEachPartition(session, partition -> partition.consumers().onSessionDetached(session.uuid()));
    }

    @Override
    public void onEnded(ClientSession session, ClientConnection connection) {
        onEachPartition(session, partition -> partition.consumers().onSessionGone(session.uuid()));
    }

    @Override
    public void onConnectionEnded(ClientConnection connection) {
        // Nothing in a partition belongs to a connection.
    }

    private static void onEachPartition(ClientSession session, Consumer<Partition> event) {
        List<Partition> partitions = List.copyOf(session.consumers()).stream()
                .map(SessionConsumer::partition)
                .distinct()
                .toList();
        partitions.forEach(partition -> partition.shard().execute(() -> event.accept(partition)));
    }
}
