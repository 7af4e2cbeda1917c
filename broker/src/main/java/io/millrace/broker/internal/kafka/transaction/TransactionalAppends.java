package io.millrace.broker.internal.kafka.transaction;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.SendReply;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.ProducerTransactions.Added;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;
import io.millrace.wire.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Appends batches of transactions. The first of a transaction in a partition is appended when its coordinator has said that the partition takes
 * part, and answered when that is as durable as the batch; those that come meanwhile wait behind it, in their order. From then on nobody is asked
 * while the transaction is open in the partition: it was added, and will be told of its end. What was open before a restart is asked about once
 * more, also for a batch that is repeated: a crash may have left the batch and taken what the coordinator wrote.
 */
public final class TransactionalAppends {

    /** Batches of one transaction that wait for its coordinator: more than any client has on the way at a time. */
    private static final int MAX_WAITING = 64;

    private final TransactionCoordination coordination;
    /** Each is used on the shard of its partition only. */
    private final Map<Key, Opening> openings = new ConcurrentHashMap<>();

    public TransactionalAppends(TransactionCoordination coordination) {
        this.coordination = coordination;
    }

    /** Takes what came of a batch. */
    public interface Answer extends SendReply {

        /** The transaction does not take it. */
        void onRefused(Errors error, String why);
    }

    /**
     * A batch of a transaction.
     *
     * @param log name of the partition's log
     * @param batch one whole batch, transactional and with a producer's id and epoch; nobody changes it any more
     * @param version of the request
     * @param durably whether the answer waits for the high watermark
     */
    public record Send(
            Partition partition,
            String log,
            String transactionalId,
            ByteBuffer batch,
            short version,
            boolean durably,
            Answer answer) {

        private RecordBatch view() {
            return RecordBatch.at(batch, batch.position());
        }

        private ProducerIdentity producer() {
            RecordBatch view = view();
            return new ProducerIdentity(view.producerId(), view.producerEpoch());
        }

        private int protocol() {
            return Protocol.ofProduce(version);
        }
    }

    private record Key(Partition partition, ProducerIdentity producer) {}

    /** Appends a batch, when the time has come for it. On the shard of its partition. */
    public void append(Send send) {
        Key key = new Key(send.partition, send.producer());
        Opening opening = openings.get(key);
        if (opening != null) {
            opening.take(send);
        } else if (send.partition.transactions().isRegistered(key.producer)) {
            send.partition.produce(send.batch, send.durably, send.answer);
        } else {
            opening = new Opening(key);
            openings.put(key, opening);
            opening.take(send);
            opening.ask(send);
        }
    }

    private CompletableFuture<Added> askCoordinator(Send send, ProducerIdentity producer) {
        String id = send.transactionalId;
        Participant participant = new Participant(send.log, send.partition.id().partition(), Participant.Part.DATA);
        return send.protocol() == Protocol.ADDS_BY_WRITING
                ? coordination.call(
                        id, at -> at.producers().add(id, producer, List.of(participant), Protocol.ADDS_BY_WRITING))
                : coordination.call(
                        id,
                        at -> at.producers()
                                .verify(id, producer, participant)
                                .thenApply(verified -> new Added(CompletableFuture.completedStage(null))));
    }

    /** A transaction that begins in a partition. On the shard of the partition. */
    private final class Opening {

        private final Key key;
        private final List<Send> waiting = new ArrayList<>();
        /** Answers to what is stored, which may leave when it is durable that the partition takes part. */
        private final List<Runnable> held = new ArrayList<>();

        private boolean open;
        private boolean durable;
        private @Nullable Throwable failure;

        private Opening(Key key) {
            this.key = key;
        }

        void take(Send send) {
            if (open) {
                produce(send);
            } else if (waiting.size() < MAX_WAITING) {
                waiting.add(send);
            } else {
                send.answer.onRefused(
                        Errors.NOT_ENOUGH_REPLICAS,
                        MAX_WAITING + " batches of " + key.producer + " wait for the coordinator of their transaction");
            }
        }

        void ask(Send first) {
            var _ = askCoordinator(first, key.producer)
                    .whenComplete((added, refused) -> key.partition.shard().execute(() -> onAnswer(added, refused)));
        }

        private void onAnswer(@Nullable Added added, @Nullable Throwable refused) {
            if (added == null) {
                openings.remove(key);
                Throwable why = refused == null ? new IllegalStateException("no answer") : refused;
                waiting.forEach(send -> refuse(send, why));
                return;
            }
            open = true;
            waiting.forEach(this::produce);
            waiting.clear();
            CompletableFuture<Void> known = added.durable().toCompletableFuture();
            if (known.isDone() && !known.isCompletedExceptionally()) {
                onDurable(null);
            } else {
                var _ = known.whenComplete(
                        (done, failed) -> key.partition.shard().execute(() -> onDurable(failed)));
            }
        }

        private void refuse(Send send, Throwable why) {
            send.answer.onRefused(
                    TransactionErrors.PRODUCE.ofRefused(why, send.version, send.protocol()),
                    String.valueOf(why.getMessage()));
        }

        private void onDurable(@Nullable Throwable failed) {
            openings.remove(key);
            durable = true;
            failure = failed;
            if (failed == null) {
                key.partition.transactions().onRegistered(key.producer);
            }
            held.forEach(Runnable::run);
            held.clear();
        }

        private void produce(Send send) {
            if (isPastTheFirst(send)) {
                send.answer.onFailed(
                        ErrorCode.OUT_OF_ORDER_SEQUENCE,
                        key.producer + " is not known here, and begins with sequence "
                                + send.view().baseSequence());
            } else {
                key.partition.produce(send.batch, send.durably, new HeldAnswer(this, send));
            }
        }

        /** A log takes any first sequence number of a producer that it does not know. Here the batch before may be the one that was refused. */
        private boolean isPastTheFirst(Send send) {
            return send.protocol() == Protocol.ADDS_BY_WRITING
                    && send.view().baseSequence() != 0
                    && !key.partition.transactions().isOpen(key.producer)
                    && key.partition.activeProducers().stream()
                            .noneMatch(known -> known.producerId() == key.producer.id());
        }

        private void onStored(Send send, Runnable tell) {
            if (!durable) {
                held.add(() -> onStored(send, tell));
            } else if (failure == null) {
                tell.run();
            } else {
                refuse(send, failure);
            }
        }
    }

    /** Passes on what the partition says, and that a batch is stored only when the transaction is known to have the partition. */
    private record HeldAnswer(Opening opening, Send send) implements SendReply {

        @Override
        public void onStored(long baseOffset) {
            opening.onStored(send, () -> send.answer.onStored(baseOffset));
        }

        @Override
        public void onStored(long baseOffset, long logAppendTimeMs) {
            opening.onStored(send, () -> send.answer.onStored(baseOffset, logAppendTimeMs));
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            send.answer.onFailed(code, message);
        }

        @Override
        public void onRefused(ErrorCode code, MillraceException why) {
            send.answer.onRefused(code, why);
        }
    }
}
