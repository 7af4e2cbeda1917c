package io.millrace.jms.internal.transaction;

import io.millrace.jms.internal.consumer.FeedSession;
import io.millrace.jms.internal.consumer.Receipts;
import io.millrace.jms.internal.consumer.SessionFeeds;
import io.millrace.jms.internal.producer.OutgoingMessage;
import io.millrace.jms.internal.producer.PartitionAddress;
import io.millrace.jms.internal.producer.SessionRequests;
import io.millrace.jms.internal.producer.TransactionSends;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BranchEnd;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.BranchStart;
import io.millrace.wire.frame.BranchStarted;
import io.millrace.wire.frame.EndBranch;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.StartBranch;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.record.Compression;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * The branches of distributed transactions that one session works on, one at a time. What is done between start and end belongs to the branch. Confined to
 * the loop, except where it says otherwise.
 */
public final class SessionBranches {

    private final FeedSession session;
    private final SessionRequests requests;
    private final SessionFeeds feeds;
    private final Compression compression;
    private volatile Optional<Work> current = Optional.empty();
    private volatile boolean failed;
    private volatile Optional<String> refusal = Optional.empty();

    /** Creates the branches of a session that works on none. */
    public SessionBranches(FeedSession session, SessionRequests requests, SessionFeeds feeds, Compression compression) {
        this.session = session;
        this.requests = requests;
        this.feeds = feeds;
        this.compression = compression;
    }

    /** What the session has done on a branch since it started or resumed. */
    private static final class Work {
        private final BranchId branch;
        private final TransactionIdentity identity;
        private final TransactionSends sends;
        private final Receipts receipts = new Receipts();
        private Optional<LinkException> lost = Optional.empty();

        private Work(BranchId branch, TransactionIdentity identity, TransactionSends sends) {
            this.branch = branch;
            this.identity = identity;
            this.sends = sends;
        }

        private Optional<LinkException> loss() {
            return lost.isPresent() ? lost : sends.failure();
        }
    }

    /** Returns where to note what is received, if the session works on a branch; for any thread. */
    public Optional<Receipts> receipts() {
        return current.map(work -> work.receipts);
    }

    /** Returns whether work on a branch has failed since this was asked last; for any thread. */
    public boolean takeFailed() {
        boolean was = failed;
        failed = false;
        return was;
    }

    /** Returns why nothing is to be done outside of a branch now; for any thread. */
    public Optional<String> refusal() {
        return refusal;
    }

    /** Has nothing be done outside of a branch until the next one is started; for any thread. */
    public void refuse(String why) {
        refusal = Optional.of(why);
    }

    /** Sends a message on the branch. */
    public void send(PartitionAddress address, int maxMessageBytes, int leaderEpoch, OutgoingMessage message) {
        current.ifPresentOrElse(
                work -> work.sends.send(address, maxMessageBytes, leaderEpoch, message),
                () -> message.listener()
                        .onFailed(new RequestRefusedException(
                                ErrorCode.TRANSACTION_STATE, "The session has left the branch of the message")));
    }

    /** Begins to work on a branch. */
    public CompletableFuture<Void> start(BranchId branch, BranchStart mode, int timeoutMs) {
        if (current.isPresent()) {
            return CompletableFuture.failedFuture(new RequestRefusedException(
                    ErrorCode.TRANSACTION_STATE, "The session works on branch " + current.get().branch + " already"));
        }
        return ask(corr -> new StartBranch(corr, session.number(), branch, mode, timeoutMs))
                .thenAccept(answer -> {
                    BranchStarted started = (BranchStarted) answer;
                    TransactionSends sends =
                            new TransactionSends(session.loop(), requests, session.number(), compression);
                    sends.begin(started.transaction());
                    current = Optional.of(new Work(branch, started.transaction(), sends));
                    refusal = Optional.empty();
                });
    }

    /** Leaves a branch: all that was done on it is at the server by then. A part that is missing makes it fail, and then it can only be rolled back. */
    public CompletableFuture<Void> end(BranchId branch, BranchEnd mode) {
        Optional<Work> open = current.filter(work -> work.branch.equals(branch));
        if (open.isEmpty()) {
            return ask(corr -> new EndBranch(corr, session.number(), branch, mode))
                    .thenAccept(done -> {});
        }
        Work work = open.get();
        current = Optional.empty();
        CompletableFuture<Void> transmitted = new CompletableFuture<>();
        work.sends.transmitAll(() -> transmitted.complete(null));
        return transmitted
                .thenCompose(done -> {
                    if (work.loss().isPresent()) {
                        return fail(work);
                    }
                    feeds.acknowledge(work.receipts, work.identity);
                    return ask(corr -> new EndBranch(corr, session.number(), branch, mode));
                })
                .handle((answer, failure) -> failure)
                .thenCompose(failure -> {
                    if (failure == null) {
                        // The branch has them now.
                        feeds.onCommitted(work.receipts);
                        return CompletableFuture.completedFuture(null);
                    }
                    failed = true;
                    return feeds.releaseAll(work.receipts)
                            .handle((released, unreleased) -> failure)
                            .thenCompose(CompletableFuture::failedFuture);
                });
    }

    /** Whatever the server says: it is not to be committed. */
    private CompletableFuture<AnswerFrame> fail(Work work) {
        return ask(corr -> new EndBranch(corr, session.number(), work.branch, BranchEnd.FAIL))
                .handle((answer, failure) -> failure instanceof RequestRefusedException timedOut
                                && timedOut.code() == ErrorCode.TRANSACTION_TIMED_OUT
                        ? timedOut
                        : new RequestRefusedException(
                                ErrorCode.TRANSACTION_ROLLED_BACK,
                                "The branch can only be rolled back: "
                                        + work.loss().orElseThrow().getMessage()))
                .thenCompose(CompletableFuture::failedFuture);
    }

    /** A branch was rolled back: what it gave back comes before what lies in buffers. */
    public CompletableFuture<Void> onRolledBack() {
        return feeds.releaseAll(new Receipts());
    }

    private CompletableFuture<AnswerFrame> ask(IntFunction<? extends RequestFrame> frame) {
        CompletableFuture<AnswerFrame> answered = new CompletableFuture<>();
        session.ask(frame, new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                answered.complete(answer);
            }

            @Override
            public void onFailure(LinkException failure) {
                answered.completeExceptionally(failure);
            }
        });
        return answered;
    }

    /** The socket is gone: the server rolls back what the session works on. */
    public void onDown(LinkException why) {
        current.ifPresent(work -> {
            LinkLostException lost =
                    new LinkLostException("the connection to the server was lost meanwhile: " + why.getMessage(), why);
            work.lost = Optional.of(lost);
            work.sends.fail(lost);
        });
    }
}
