package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.Sequences;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a session sends in one transaction. Nothing is repeated: what is not stored at the first try makes the transaction fail, so that batches may
 * follow each other without waiting for answers. Confined to the loop.
 *
 * <p>Sequences begin at 0. On a branch that others work on too, the server gives batches the sequences that follow.
 *
 * <p>Until the server has given the transaction its identity, messages wait here.
 */
public final class TransactionSends {

    /** Above this, what is handed in waits and becomes one batch with what follows, until it is {@linkplain #transmitAll wanted}. */
    private static final int MAX_UNANSWERED = 5;

    private final Loop loop;
    private final SessionRequests requests;
    private final int session;
    private final Compression compression;
    private final Map<PartitionAddress, Partition> partitions = new LinkedHashMap<>();
    private final List<Runnable> afterTransfers = new ArrayList<>();
    private Optional<TransactionIdentity> identity = Optional.empty();
    private Optional<LinkException> failure = Optional.empty();
    private boolean begun;
    private boolean pumpScheduled;
    private int transferring;

    /** The sends to one partition. */
    private static final class Partition {
        private final PartitionAddress address;
        private final BatchPacker packer;
        private final int leaderEpoch;
        private final Deque<OutgoingMessage> waiting = new ArrayDeque<>();
        private final Deque<SentBatch> unanswered = new ArrayDeque<>();
        private int nextSequence;
        private boolean transferring;

        Partition(PartitionAddress address, BatchPacker packer, int leaderEpoch) {
            this.address = address;
            this.packer = packer;
            this.leaderEpoch = leaderEpoch;
        }
    }

    /**
     * Creates the sends of a transaction that has no identity yet.
     *
     * @param requests asks in the name of the session
     * @param session its number
     */
    public TransactionSends(Loop loop, SessionRequests requests, int session, Compression compression) {
        this.loop = loop;
        this.requests = requests;
        this.session = session;
        this.compression = compression;
    }

    /** Takes a message, after all that it has taken before for the same partition. */
    public void send(PartitionAddress address, int maxMessageBytes, int leaderEpoch, OutgoingMessage message) {
        if (failure.isPresent()) {
            message.listener().onFailed(failure.get());
            return;
        }
        partitions
                .computeIfAbsent(
                        address,
                        missing -> new Partition(address, new BatchPacker(compression, maxMessageBytes), leaderEpoch))
                .waiting
                .add(message);
        if (!pumpScheduled) {
            // At the end of the turn, so that a burst becomes one batch.
            pumpScheduled = true;
            loop.execute(() -> {
                pumpScheduled = false;
                partitions.values().forEach(partition -> pump(partition, MAX_UNANSWERED));
            });
        }
    }

    /** The server has given the transaction its identity: what waits may go. */
    public void begin(TransactionIdentity given) {
        identity = Optional.of(given);
        partitions.values().forEach(partition -> pump(partition, MAX_UNANSWERED));
    }

    /** Returns whether anything was handed in. */
    public boolean isUsed() {
        return !partitions.isEmpty();
    }

    /** Returns whether the server may have something of it. */
    public boolean isBegun() {
        return begun;
    }

    /** Returns why a message is missing, so that the transaction cannot be committed. */
    public Optional<LinkException> failure() {
        return failure;
    }

    /** Hands all that was taken to the socket, as soon as there is an identity; runs the task when the last byte of it is there. */
    public void transmitAll(Runnable transmitted) {
        partitions.values().forEach(partition -> pump(partition, Integer.MAX_VALUE));
        if (transferring == 0) {
            transmitted.run();
        } else {
            afterTransfers.add(() -> transmitAll(transmitted));
        }
    }

    /** The transaction is lost or given up: what has no answer yet gets none. */
    public void fail(LinkException why) {
        if (failure.isEmpty()) {
            failure = Optional.of(why);
        }
        List<OutgoingMessage> lost = new ArrayList<>();
        for (Partition partition : partitions.values()) {
            partition.unanswered.forEach(batch -> lost.addAll(batch.messages()));
            lost.addAll(partition.waiting);
            partition.unanswered.clear();
            partition.waiting.clear();
        }
        lost.forEach(message -> message.listener().onFailed(why));
        transferring = 0;
        runAfterTransfers();
    }

    private void pump(Partition partition, int maxUnanswered) {
        while (identity.isPresent()
                && failure.isEmpty()
                && !partition.transferring
                && partition.unanswered.size() < maxUnanswered
                && !partition.waiting.isEmpty()) {
            ProducerIdentity producer = new ProducerIdentity(
                    identity.get().producerId(), identity.get().epoch());
            int waiting = partition.waiting.size();
            Optional<SentBatch> batch =
                    partition.packer.packTransactional(partition.waiting, producer, partition.nextSequence);
            int packed = batch.map(full -> full.messages().size()).orElse(0);
            if (waiting - partition.waiting.size() > packed) {
                fail(BatchPacker.tooLarge("a message of the transaction is larger than its destination takes"));
            }
            if (failure.isEmpty() && batch.isPresent()) {
                partition.nextSequence = Sequences.plus(partition.nextSequence, packed);
                partition.unanswered.add(batch.get());
                transmit(partition, batch.get());
            } else {
                batch.ifPresent(full -> {
                    full.fail(failure.orElseThrow());
                    full.tellFailed();
                });
            }
        }
    }

    private void transmit(Partition partition, SentBatch batch) {
        begun = true;
        boolean transfer = batch.needsTransfer();
        if (transfer) {
            // The server takes batches in the order in which they are complete: nothing may overtake the chunks.
            partition.transferring = true;
            transferring++;
        }
        requests.ask(
                session,
                corr -> new Send(
                        corr,
                        session,
                        partition.address.logId(),
                        partition.address.partition(),
                        partition.leaderEpoch,
                        SendAnswer.WRITTEN,
                        batch.bytes()),
                () -> {
                    if (transfer) {
                        onTransferred(partition);
                    }
                },
                new ReplyHandler() {
                    @Override
                    public void onAnswer(AnswerFrame answer) {
                        if (partition.unanswered.remove(batch)) {
                            batch.tellStored();
                            pump(partition, MAX_UNANSWERED);
                        }
                    }

                    @Override
                    public void onFailure(LinkException why) {
                        if (partition.unanswered.contains(batch)) {
                            fail(why);
                        }
                    }
                });
    }

    private void onTransferred(Partition partition) {
        if (!partition.transferring || failure.isPresent()) {
            return;
        }
        partition.transferring = false;
        transferring--;
        pump(partition, MAX_UNANSWERED);
        if (transferring == 0) {
            runAfterTransfers();
        }
    }

    private void runAfterTransfers() {
        List<Runnable> now = List.copyOf(afterTransfers);
        afterTransfers.clear();
        now.forEach(Runnable::run);
    }
}
