package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.SendReply;
import io.millrace.broker.internal.transaction.client.ClientTransactions;
import io.millrace.broker.internal.transaction.client.TransactionWork;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.time.TimeSource;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Appends a batch to a partition; one of a transaction once the coordinator knows that the partition takes part. */
final class SendHandler implements RequestHandler<Send> {

    private final PartitionLookup lookup;
    private final ClientTransactions transactions;

    SendHandler(Partitions partitions, ClientTransactions transactions) {
        this.lookup = new PartitionLookup(partitions);
        this.transactions = transactions;
    }

    @Override
    public void handle(Send request, Exchange exchange) {
        Optional<ProducerIdentity> transaction = transactionOf(request.payload());
        if (transaction.isPresent()) {
            sendInTransaction(request, exchange, transaction.get());
            return;
        }
        Partition partition = lookup.partition(request.logId(), request.partition());
        boolean wait = request.answer() == SendAnswer.REPLICATED;
        TimeSource time = partition.shard().time();
        long arrivedNs = time.nanoTime();
        PartitionLookup.post(
                partition,
                exchange,
                () -> partition.append(
                        request.payload(),
                        request.leaderEpoch(),
                        wait,
                        new Reply(exchange, request.leaderEpoch(), partition, arrivedNs)));
    }

    /** What is no batch at all is refused where it is appended. */
    private static Optional<ProducerIdentity> transactionOf(ByteBuffer payload) {
        if (payload.remaining() < RecordBatch.HEADER_SIZE) {
            return Optional.empty();
        }
        RecordBatch batch;
        try {
            batch = RecordBatch.at(payload, payload.position());
        } catch (RuntimeException damaged) {
            return Optional.empty();
        }
        return batch.isTransactional() && batch.hasProducerId() && batch.producerEpoch() >= 0
                ? Optional.of(new ProducerIdentity(batch.producerId(), batch.producerEpoch()))
                : Optional.empty();
    }

    /** A message that may not be sent is missing in its transaction, which cannot be committed any more. */
    void onDenied(Send request, Exchange exchange, RequestFailedException why) {
        transactionOf(request.payload())
                .ifPresent(identity -> transactions
                        .work(PartitionLookup.session(exchange), identity)
                        .fail("a message could not be sent: " + why.getMessage()));
    }

    private void sendInTransaction(Send request, Exchange exchange, ProducerIdentity identity) {
        TransactionWork work = transactions.work(PartitionLookup.session(exchange), identity);
        Partition partition;
        try {
            partition = lookup.partition(request.logId(), request.partition());
        } catch (RuntimeException refused) {
            work.fail("a message could not be sent: " + refused.getMessage());
            throw refused;
        }
        long arrivedNs = partition.shard().time().nanoTime();
        work.submit(
                new Participant(partition.id().logName(), partition.id().partition(), Participant.Part.DATA),
                new TransactionWork.Step() {
                    @Override
                    public void run() {
                        InTransaction reply = new InTransaction(
                                new Reply(exchange, request.leaderEpoch(), partition, arrivedNs), work);
                        partition.shard().execute(() -> reply.append(partition, request));
                    }

                    @Override
                    public void refuse(String why) {
                        exchange.fail(ErrorCode.TRANSACTION_ROLLED_BACK, why);
                    }
                });
    }

    private record Reply(Exchange exchange, int leaderEpoch, Partition partition, long arrivedNs) implements SendReply {

        @Override
        public void onStored(long baseOffset) {
            partition.onSendAnswered(arrivedNs);
            exchange.answer(new SendOk(exchange.corr(), exchange.session(), baseOffset, leaderEpoch));
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            if (!exchange.isFinished()) {
                exchange.fail(code, message);
            }
        }
    }

    /** Answers as soon as the batch is written: the sync is waited for at the commit. */
    private static final class InTransaction implements SendReply {

        private final Reply reply;
        private final TransactionWork work;
        private boolean answered;

        private InTransaction(Reply reply, TransactionWork work) {
            this.reply = reply;
            this.work = work;
        }

        void append(Partition partition, Send request) {
            if (work.isShared()) {
                partition.appendOfBranch(request.payload(), request.leaderEpoch(), this);
            } else {
                partition.append(request.payload(), request.leaderEpoch(), false, this);
            }
            if (!answered) {
                onFailed(ErrorCode.STORAGE_UNAVAILABLE, "partition " + partition + " failed");
            }
        }

        @Override
        public void onStored(long baseOffset) {
            answered = true;
            work.onOutcome(Optional.empty());
            reply.onStored(baseOffset);
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            answered = true;
            work.onOutcome(Optional.of("a message could not be stored: " + message));
            reply.onFailed(code, message);
        }
    }
}
