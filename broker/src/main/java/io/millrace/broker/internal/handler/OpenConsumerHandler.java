package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.ConsumerAddress;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.ConsumerFilter;
import io.millrace.broker.internal.partition.ConsumerRequest;
import io.millrace.broker.internal.partition.CursorStart;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.session.SubscriptionMembers;
import io.millrace.broker.internal.session.SubscriptionSelectors;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.temporary.TemporaryDestinations;
import io.millrace.coordinator.cursor.AcquisitionId;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.HeldRecords;
import io.millrace.coordinator.cursor.LeaderTerm;
import io.millrace.coordinator.selector.Selector;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ConsumerOpened;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.name.DestinationKind;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Opens a consumer on one partition, or attaches it again in a session that was resumed. The session is told on the control shard, so
 * that its end cannot pass by unnoticed; the partition then on its own.
 */
final class OpenConsumerHandler implements RequestHandler<OpenConsumer> {

    private final PartitionLookup lookup;
    private final SubscriptionMembers members;
    private final SubscriptionSelectors selectors;
    private final TemporaryDestinations temporary;
    private final Shard control;
    private final Supplier<UUID> ids;
    private final int maxConsumers;

    OpenConsumerHandler(
            Partitions partitions,
            SubscriptionMembers members,
            SubscriptionSelectors selectors,
            TemporaryDestinations temporary,
            Shard control,
            Supplier<UUID> ids,
            int maxConsumers) {
        this.lookup = new PartitionLookup(partitions);
        this.members = members;
        this.selectors = selectors;
        this.temporary = temporary;
        this.control = control;
        this.ids = ids;
        this.maxConsumers = maxConsumers;
    }

    @Override
    public void handle(OpenConsumer request, Exchange exchange) {
        Partition partition = lookup.partition(request.logId(), request.partition());
        requireKind(request, partition);
        temporary.checkConsumer(partition, exchange.connection());
        ClientSession session = PartitionLookup.session(exchange);
        ControlWork.post(control, exchange, () -> open(request, exchange, partition, session));
    }

    private static void requireKind(OpenConsumer request, Partition partition) {
        // Subscriptions of a queue are its further cursors: whether there is one is looked up.
        boolean fits = request.source() == ConsumerSource.SUBSCRIPTION
                || (request.source() == ConsumerSource.QUEUE) == (partition.kind() == DestinationKind.QUEUE);
        if (!fits) {
            throw new RequestFailedException(
                    ErrorCode.WRONG_DESTINATION_KIND,
                    partition.id().logName() + " is a " + partition.kind().word()
                            + ", which has no consumers of source " + request.source());
        }
    }

    private void open(OpenConsumer request, Exchange exchange, Partition partition, ClientSession session) {
        // Here and not on a socket loop, which others wait for: the first one loads the parser.
        Optional<Selector> selector = RequestedSelector.of(request.selector());
        ConsumerAddress address = new ConsumerAddress(request.consumer(), request.partition());
        Optional<SessionConsumer> known = session.consumer(address).filter(consumer -> fits(consumer, request));
        if (session.isEnded()) {
            throw new RequestFailedException(ErrorCode.UNKNOWN_SESSION, session + " has ended");
        }
        if (known.isEmpty() && session.openConsumers() >= maxConsumers) {
            throw new RequestFailedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "the session has " + maxConsumers + " consumers, which is session.max.consumers");
        }
        SessionConsumer consumer = known.orElseGet(() -> create(request, partition, session));
        session.putConsumer(address, consumer);
        ConsumerRequest wanted = new ConsumerRequest(
                consumer.key(),
                consumer.cursor(),
                consumer.start(),
                filter(request, selector),
                request.creditMessages(),
                request.creditBytes(),
                held(request, partition));
        ConnectionSink sink = new ConnectionSink(exchange.connection(), exchange.session(), address);
        Reply<Long> reply = new ExchangeReply<>(
                exchange,
                nextOffset -> new ConsumerOpened(
                        exchange.corr(),
                        exchange.session(),
                        request.consumer(),
                        request.partition(),
                        partition.snapshot().leaderEpoch(),
                        nextOffset));
        partition
                .shard()
                .execute(() -> partition
                        .consumers()
                        .open(wanted, sink, known.isPresent() ? reply : forgetting(reply, session, address)));
    }

    /** What the selector of a whole subscription refuses, or that of a cursor with one consumer, nobody else will want. */
    private Optional<ConsumerFilter> filter(OpenConsumer request, Optional<Selector> selector) {
        Optional<Selector> ofSubscription = selectors.of(request.subscriptionUuid());
        boolean exclusive = ofSubscription.isPresent() || request.source() == ConsumerSource.PRIVATE;
        return ofSubscription.or(() -> selector).map(known -> new ConsumerFilter(known, exclusive));
    }

    /** A new consumer that could not be opened is forgotten by its session. */
    private Reply<Long> forgetting(Reply<Long> reply, ClientSession session, ConsumerAddress address) {
        return new Reply<>() {
            @Override
            public void onDone(Long nextOffset) {
                reply.onDone(nextOffset);
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                control.execute(() -> session.removeConsumer(address));
                reply.onFailed(code, message);
            }
        };
    }

    /** A consumer that ended with its log or subscription may be opened again under its number. */
    private static boolean fits(SessionConsumer known, OpenConsumer request) {
        boolean sameCursor = request.source() != ConsumerSource.SUBSCRIPTION
                || known.cursor().value().equals(request.subscriptionUuid());
        return known.partition().logId().equals(request.logId()) && sameCursor;
    }

    private SessionConsumer create(OpenConsumer request, Partition partition, ClientSession session) {
        ConsumerKey key = new ConsumerKey(session.uuid(), request.consumer());
        return switch (request.source()) {
            case QUEUE ->
                new SessionConsumer(
                        key,
                        partition,
                        CursorId.QUEUE,
                        partition.isInMemory() ? new CursorStart.Existing() : new CursorStart.OfQueue());
            case SUBSCRIPTION -> {
                if (!members.isMember(request.subscriptionUuid(), session, request.consumer())) {
                    throw new RequestFailedException(
                            ErrorCode.SUBSCRIPTION_NOT_FOUND,
                            "consumer " + request.consumer() + " has not subscribed to " + request.subscriptionUuid());
                }
                yield new SessionConsumer(
                        key, partition, new CursorId(request.subscriptionUuid()), new CursorStart.Existing());
            }
            case PRIVATE -> new SessionConsumer(key, partition, new CursorId(ids.get()), start(request));
        };
    }

    private static CursorStart start(OpenConsumer request) {
        StartPosition start = request.start();
        return switch (start) {
            case LATEST -> new CursorStart.Latest();
            case EARLIEST -> new CursorStart.Earliest();
            case OFFSET -> new CursorStart.At(request.startOffset());
        };
    }

    private static List<HeldRecords> held(OpenConsumer request, Partition partition) {
        LeaderTerm term = partition.term(partition.snapshot().leaderEpoch());
        return request.held().stream()
                .filter(held -> held.acquisition() > 0)
                .map(held ->
                        new HeldRecords(new AcquisitionId(term, held.acquisition()), Ranges.fromWire(held.ranges())))
                .toList();
    }
}
