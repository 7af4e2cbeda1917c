package io.millrace.broker.client;

import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BranchEnd;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.BranchStart;
import io.millrace.wire.frame.BranchStarted;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.EndBranch;
import io.millrace.wire.frame.EndTransaction;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenTransactions;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.StartBranch;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.frame.TransactionsOpened;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.time.SystemTimeSource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What session 1 of a client does in transactions, frame by frame, in partition 0 of its destinations. */
public final class RawTransactions {

    private static final int SESSION = 1;

    private final RawClient client;

    public RawTransactions(RawClient client) {
        this.client = client;
    }

    public RawClient client() {
        return client;
    }

    /** Has the session work in one transaction after the other; returns the identity of the first. */
    public TransactionIdentity open() {
        return client.request(TransactionsOpened.class, corr -> new OpenTransactions(corr, SESSION, 1))
                .identities()
                .getFirst();
    }

    /** Begins a branch; returns the identity under which it is written. */
    public TransactionIdentity begin(BranchId branch, int timeoutMs) {
        return identityOf(RawClient.join(client.start(corr -> start(corr, branch, timeoutMs))));
    }

    public static TransactionIdentity identityOf(AnswerFrame started) {
        return ((BranchStarted) started).transaction();
    }

    public StartBranch start(int corr, BranchId branch, int timeoutMs) {
        return new StartBranch(corr, SESSION, branch, BranchStart.NEW, timeoutMs);
    }

    public CompletableFuture<AnswerFrame> send(DestinationDescribed queue, TransactionIdentity identity, String text) {
        return client.start(corr -> new Send(
                corr,
                SESSION,
                queue.logId(),
                0,
                queue.partitions().getFirst().leaderEpoch(),
                SendAnswer.WRITTEN,
                batch(identity, text)));
    }

    /** A batch of one message in a transaction. */
    public static ByteBuffer batch(TransactionIdentity identity, String text) {
        RecordBatchBuilder builder = new RecordBatchBuilder(1 << 20, 1 << 20);
        if (!builder.tryAppend(
                SystemTimeSource.instance().wallClockMs(), null, text.getBytes(StandardCharsets.UTF_8))) {
            throw new AssertionError("does not fit");
        }
        ByteBuffer built = builder.producer(identity.producerId(), identity.epoch(), 0)
                .transactional(true)
                .build();
        return ByteBuffer.allocate(built.remaining()).put(built).flip();
    }

    public CompletableFuture<AnswerFrame> acknowledge(
            RawConsumer consumer, RawConsumer.Message message, TransactionIdentity identity) {
        return client.start(corr -> new Acknowledge(
                corr,
                SESSION,
                false,
                Optional.of(identity),
                List.of(new AcknowledgedRanges(
                        1,
                        0,
                        consumer.opened().leaderEpoch(),
                        message.acquisition(),
                        List.of(new OffsetRange(message.offset(), 1))))));
    }

    public CompletableFuture<AnswerFrame> end(TransactionIdentity identity, boolean commit) {
        return client.start(corr -> endFrame(corr, identity, commit));
    }

    public EndTransaction endFrame(int corr, TransactionIdentity identity, boolean commit) {
        return new EndTransaction(corr, SESSION, 0, identity, commit);
    }

    public CompletableFuture<AnswerFrame> leave(BranchId branch) {
        return client.start(corr -> leaveFrame(corr, branch));
    }

    public static EndBranch leaveFrame(int corr, BranchId branch) {
        return new EndBranch(corr, SESSION, branch, BranchEnd.SUCCESS);
    }
}
