package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.ConsumerAddress;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.broker.internal.partition.AcknowledgedRecords;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.transaction.client.ClientTransactions;
import io.millrace.broker.internal.transaction.client.TransactionWork;
import io.millrace.coordinator.cursor.AcquisitionId;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.RefusedRanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes acknowledgements, which may concern several partitions. Each gets its part; the answer leaves when all have answered. What was
 * acknowledged for a consumer that its session does not know is refused: it comes again, if it was there at all. In a transaction it counts when that
 * is committed.
 */
final class AcknowledgeHandler implements RequestHandler<Acknowledge> {

    private static final String NO_LONGER_LENT =
            "messages were no longer lent to the session when they were acknowledged, and are delivered again";

    private final ClosedConsumers closedConsumers;
    private final ClientTransactions transactions;

    AcknowledgeHandler(ClosedConsumers closedConsumers, ClientTransactions transactions) {
        this.closedConsumers = closedConsumers;
        this.transactions = transactions;
    }

    @Override
    public void handle(Acknowledge request, Exchange exchange) {
        ClientSession session = PartitionLookup.session(exchange);
        Optional<TransactionWork> work = request.transaction()
                .map(TransactionIdentities::fromWire)
                .map(identity -> transactions.work(session, identity));
        Map<Partition, List<AcknowledgedRanges>> byPartition = new LinkedHashMap<>();
        List<RefusedRanges> unknown = new ArrayList<>();
        for (AcknowledgedRanges item : request.items()) {
            Optional<SessionConsumer> consumer = find(exchange, session, item);
            if (consumer.isPresent()) {
                byPartition
                        .computeIfAbsent(consumer.get().partition(), partition -> new ArrayList<>())
                        .add(item);
            } else {
                unknown.add(new RefusedRanges(item.consumer(), item.partition(), item.ranges()));
            }
        }
        if (!unknown.isEmpty()) {
            work.ifPresent(open -> open.fail(NO_LONGER_LENT));
        }
        if (byPartition.isEmpty()) {
            exchange.answer(new Acknowledged(exchange.corr(), exchange.session(), unknown));
            return;
        }
        Gathering gathering = new Gathering(exchange, byPartition.size(), unknown);
        byPartition.forEach((partition, items) -> {
            List<AcknowledgedRecords> records = items.stream()
                    .flatMap(item -> find(exchange, session, item).map(consumer -> toRecords(item, consumer)).stream())
                    .toList();
            Reply<List<List<OffsetRange>>> reply = gathering.part(items);
            Runnable forget = () -> items.forEach(item -> holder(exchange, session, item)
                    .ifPresent(holder -> closedConsumers.forgetIfDone(holder, addressOf(item))));
            work.ifPresentOrElse(
                    open -> acknowledge(partition, records, open, forget, reply),
                    () -> partition.shard().execute(() -> {
                        partition.consumers().acknowledge(records, request.durable(), reply);
                        forget.run();
                    }));
        });
    }

    private static void acknowledge(
            Partition partition,
            List<AcknowledgedRecords> records,
            TransactionWork work,
            Runnable forget,
            Reply<List<List<OffsetRange>>> reply) {
        work.submit(
                new Participant(partition.id().logName(), partition.id().partition(), Participant.Part.CURSOR),
                new TransactionWork.Step() {
                    @Override
                    public void run() {
                        partition.shard().execute(() -> {
                            partition.transactions().acknowledge(records, work.identity(), counted(work, reply));
                            forget.run();
                        });
                    }

                    @Override
                    public void refuse(String why) {
                        reply.onFailed(ErrorCode.TRANSACTION_ROLLED_BACK, why);
                    }
                });
    }

    /** Whoever ends the transaction hears of what was refused, as the client does. */
    private static Reply<List<List<OffsetRange>>> counted(TransactionWork work, Reply<List<List<OffsetRange>>> reply) {
        return new Reply<>() {
            @Override
            public void onDone(List<List<OffsetRange>> refused) {
                boolean all = refused.stream().allMatch(List::isEmpty);
                work.onOutcome(all ? Optional.empty() : Optional.of(NO_LONGER_LENT));
                reply.onDone(refused);
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                work.onOutcome(Optional.of("a message could not be acknowledged: " + message));
                reply.onFailed(code, message);
            }
        };
    }

    /** Acquisitions count from 1: nothing was ever lent under 0. */
    private static Optional<SessionConsumer> find(Exchange exchange, ClientSession session, AcknowledgedRanges item) {
        return item.acquisition() == 0
                ? Optional.empty()
                : holder(exchange, session, item).flatMap(holder -> holder.consumer(addressOf(item)));
    }

    /** Returns the session that the messages were lent to, if it is there. */
    private static Optional<ClientSession> holder(Exchange exchange, ClientSession session, AcknowledgedRanges item) {
        return item.holder() == AcknowledgedRanges.OWN
                ? Optional.of(session)
                : exchange.connection().session(item.holder());
    }

    private static ConsumerAddress addressOf(AcknowledgedRanges item) {
        return new ConsumerAddress(item.consumer(), item.partition());
    }

    private static AcknowledgedRecords toRecords(AcknowledgedRanges item, SessionConsumer consumer) {
        return new AcknowledgedRecords(
                consumer.cursor(),
                consumer.key(),
                new AcquisitionId(consumer.partition().term(item.leaderEpoch()), item.acquisition()),
                Ranges.fromWire(item.ranges()));
    }

    /** Waits for all partitions, whose answers come on their shards. */
    private static final class Gathering {

        private final Exchange exchange;
        private final ReentrantLock lock = new ReentrantLock();
        private final List<RefusedRanges> refused;
        private int missing;
        private Optional<Failed> failed = Optional.empty();

        private record Failed(ErrorCode code, String message) {}

        private Gathering(Exchange exchange, int partitions, List<RefusedRanges> refused) {
            this.exchange = exchange;
            this.missing = partitions;
            this.refused = new ArrayList<>(refused);
        }

        private Reply<List<List<OffsetRange>>> part(List<AcknowledgedRanges> items) {
            return new Reply<>() {
                @Override
                public void onDone(List<List<OffsetRange>> refusedOfItems) {
                    List<RefusedRanges> more = new ArrayList<>();
                    for (int i = 0; i < refusedOfItems.size(); i++) {
                        if (!refusedOfItems.get(i).isEmpty()) {
                            AcknowledgedRanges item = items.get(i);
                            more.add(new RefusedRanges(
                                    item.consumer(), item.partition(), Ranges.toWire(refusedOfItems.get(i))));
                        }
                    }
                    partDone(more, Optional.empty());
                }

                @Override
                public void onFailed(ErrorCode code, String message) {
                    partDone(List.of(), Optional.of(new Failed(code, message)));
                }
            };
        }

        private void partDone(List<RefusedRanges> more, Optional<Failed> failure) {
            boolean last;
            lock.lock();
            try {
                refused.addAll(more);
                if (failed.isEmpty()) {
                    failed = failure;
                }
                last = --missing == 0;
            } finally {
                lock.unlock();
            }
            if (last) {
                failed.ifPresentOrElse(
                        why -> exchange.fail(why.code, why.message),
                        () -> exchange.answer(new Acknowledged(exchange.corr(), exchange.session(), refused)));
            }
        }
    }
}
