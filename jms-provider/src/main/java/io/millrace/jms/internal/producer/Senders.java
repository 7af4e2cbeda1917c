package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.transport.BrokerLink;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.Send;
import io.millrace.wire.record.Compression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** All that one connection sends: a {@link PartitionSender} for each partition, under one producer id. Confined to the loop. */
public final class Senders {

    private final Loop loop;
    private final BrokerLink link;
    private final SessionRequests sessions;
    private final Compression compression;
    private final ProducerIds ids;
    private final SendRoute route = new Route();
    private final Map<PartitionAddress, PartitionSender> senders = new HashMap<>();
    private boolean up;

    /**
     * Creates a connection's senders.
     *
     * @param loop the thread
     * @param link the connection
     * @param sessions asks in the name of sessions
     * @param compression of the batches
     */
    public Senders(Loop loop, BrokerLink link, SessionRequests sessions, Compression compression) {
        this.loop = loop;
        this.link = link;
        this.sessions = sessions;
        this.compression = compression;
        this.ids = new ProducerIds(link);
    }

    /**
     * Sends a message.
     *
     * @param address where to
     * @param maxMessageBytes largest batch that the destination takes
     * @param leaderEpoch of the partition, as it was described last
     * @param message what to send
     */
    public void send(PartitionAddress address, int maxMessageBytes, int leaderEpoch, OutgoingMessage message) {
        senders.computeIfAbsent(
                        address,
                        missing -> new PartitionSender(
                                route, address, new BatchPacker(compression, maxMessageBytes), leaderEpoch))
                .send(message);
    }

    /** The connection is there, and all its sessions are known to the server again. */
    public void onUp() {
        up = true;
        List.copyOf(senders.values()).forEach(PartitionSender::onUp);
    }

    /** The socket is gone. Open requests have failed already. */
    public void onDown() {
        up = false;
    }

    /** The connection is over. */
    public void onClosed(LinkException why) {
        up = false;
        List<PartitionSender> all = List.copyOf(senders.values());
        senders.clear();
        all.forEach(sender -> sender.onClosed(why));
    }

    private final class Route implements SendRoute {

        @Override
        public boolean up() {
            return up && link.up();
        }

        @Override
        public void send(int session, IntFunction<Send> frame, Runnable sent, ReplyHandler handler) {
            sessions.ask(session, frame, sent, handler);
        }

        @Override
        public int usableSession(int preferred) {
            return sessions.usable(preferred);
        }

        @Override
        public void describe(PartitionAddress address, ReplyHandler handler) {
            link.askWhenReady(
                    corr -> new DescribeDestination(corr, Optional.of(address.kind()), address.name(), false), handler);
        }

        @Override
        public void identity(ProducerIdentity spent, IdentityTaker taker) {
            ids.identity(spent, taker);
        }

        @Override
        public Loop loop() {
            return loop;
        }
    }
}
