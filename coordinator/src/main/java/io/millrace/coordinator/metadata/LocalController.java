package io.millrace.coordinator.metadata;

import io.millrace.coordinator.quorum.CommittedBatch;
import io.millrace.coordinator.quorum.MetadataQuorum;
import io.millrace.coordinator.quorum.ProposeResult;
import io.millrace.coordinator.quorum.QuorumLeader;
import io.millrace.log.DiskFullException;
import io.millrace.wire.MillraceException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The controller of this broker: decides while the broker leads the quorum, refuses otherwise.
 *
 * <p>Commands are decided by the state that results once everything proposed so far is committed, so they need not wait for each other.
 * Few proposals are under way at a time; commands that come meanwhile share the next one, which is what makes many commands cost few
 * syncs of the disk. An answer, refusals included, waits until the state that it was given by is committed.
 *
 * <p>Confined to the metadata's executor, {@link #submit} excepted.
 */
final class LocalController implements Controller {

    private static final int MAX_WAITING = 10_000;
    private static final int MAX_PROPOSALS = 3;
    private static final int MAX_PROPOSAL_COMMANDS = 1_000;
    private static final int MAX_PROPOSAL_BYTES = 256 * 1024;
    /** With a proposal's other commands it fits in one batch, see {@link ProposeResult.TooLarge}. */
    private static final int MAX_COMMAND_BYTES = 4 << 20;

    private record Command<R>(MetadataCommand<R> command, CompletableFuture<R> future) {}

    /** A response that waits for its state to be committed. */
    private record Answer<R>(CompletableFuture<R> future, R response) {
        void give() {
            future.complete(response);
        }

        void fail(MillraceException cause) {
            future.completeExceptionally(cause);
        }
    }

    private record Proposal(int epoch, long lastOffset, List<Answer<?>> answers) {}

    private final MetadataQuorum quorum;
    private final Executor executor;
    private final Decisions decisions;
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final Queue<Command<?>> waiting = new ArrayDeque<>();
    private final ArrayDeque<Proposal> proposals = new ArrayDeque<>();
    private MetadataImage committed = MetadataImage.EMPTY;
    /** What {@code committed} becomes once all proposals are committed; means something only while leading. */
    private MetadataState expected = new MetadataState(MetadataImage.EMPTY);

    private QuorumLeader leader = QuorumLeader.UNKNOWN;
    private boolean leading;
    private boolean closed;

    LocalController(MetadataQuorum quorum, Executor executor, Decisions decisions) {
        this.quorum = quorum;
        this.executor = executor;
        this.decisions = decisions;
    }

    @Override
    public <R> CompletionStage<R> submit(MetadataCommand<R> command) {
        CompletableFuture<R> future = new CompletableFuture<>();
        if (waitingCount.incrementAndGet() > MAX_WAITING) {
            waitingCount.decrementAndGet();
            future.completeExceptionally(new ControllerBusyException(MAX_WAITING));
            return future;
        }
        executor.execute(() -> {
            waiting.add(new Command<>(command, future));
            proceed();
        });
        return future;
    }

    void onLeaderChanged(QuorumLeader newLeader) {
        leader = newLeader;
        leading = !closed && newLeader.isLeader(quorum.memberId());
        expected = new MetadataState(committed);
        failProposals("the controller changed to " + newLeader + " before it was committed");
        proceed();
    }

    /** The image that contains {@code batch} is {@code image}. */
    void onCommitted(CommittedBatch batch, MetadataImage image) {
        committed = image;
        while (!proposals.isEmpty() && proposals.peek().lastOffset() <= batch.lastOffset()) {
            Proposal proposal = proposals.remove();
            if (proposal.epoch() == batch.epoch()) {
                proposal.answers().forEach(Answer::give);
            } else {
                fail(proposal, "epoch " + batch.epoch() + " wrote at its place in the log");
            }
        }
        proceed();
    }

    void onSnapshot(MetadataImage image) {
        committed = image;
    }

    void close() {
        closed = true;
        leading = false;
        failProposals("the broker was stopped before it was committed");
        proceed();
    }

    private void proceed() {
        if (!leading) {
            failWaiting();
        }
        while (leading && !waiting.isEmpty() && proposals.size() < MAX_PROPOSALS) {
            proposeNext();
        }
    }

    private void proposeNext() {
        MetadataImage before = expected.image(committed.end());
        List<byte[]> records = new ArrayList<>();
        List<Answer<?>> answers = new ArrayList<>();
        int bytes = 0;
        while (!waiting.isEmpty() && bytes < MAX_PROPOSAL_BYTES && answers.size() < MAX_PROPOSAL_COMMANDS) {
            int from = records.size();
            decide(take(), records, answers);
            bytes += records.subList(from, records.size()).stream()
                    .mapToInt(record -> record.length)
                    .sum();
        }
        if (!records.isEmpty()) {
            propose(records, answers, before);
        } else if (proposals.isEmpty()) {
            answers.forEach(Answer::give);
        } else {
            proposals.getLast().answers().addAll(answers);
        }
    }

    private <R> void decide(Command<R> waiting, List<byte[]> records, List<Answer<?>> answers) {
        MetadataImage state = expected.image(committed.end());
        Decision<R> decision = decisions.decide(waiting.command(), state);
        List<byte[]> encoded;
        try {
            encoded =
                    decision.records().stream().map(MetadataRecordCodec::encode).toList();
            long bytes = encoded.stream().mapToLong(record -> record.length).sum();
            if (bytes > MAX_COMMAND_BYTES) {
                throw MetadataFormatException.unwritable("the records of one change are " + bytes + " bytes, at most "
                        + MAX_COMMAND_BYTES + " are allowed: make it in parts");
            }
        } catch (MetadataFormatException e) {
            waiting.future().completeExceptionally(e);
            return;
        }
        records.addAll(encoded);
        decision.records().forEach(expected::replay);
        R response = decision.answer().apply(expected.image(committed.end()));
        answers.add(new Answer<>(waiting.future(), response));
    }

    private void propose(List<byte[]> records, List<Answer<?>> answers, MetadataImage before) {
        switch (quorum.propose(leader.epoch(), records)) {
            case ProposeResult.Accepted(long lastOffset) ->
                proposals.add(new Proposal(leader.epoch(), lastOffset, answers));
            case ProposeResult.NotLeader(QuorumLeader now) -> {
                // The listener hears of it soon. Until then, what was proposed before may still be committed.
                leading = false;
                refuse(answers, before, new NotControllerException(quorum.memberId(), now));
            }
            case ProposeResult.Busy() -> refuse(answers, before, new ControllerBusyException(answers.size()));
            case ProposeResult.NoSpace(String what) -> refuse(answers, before, new DiskFullException(what));
            case ProposeResult.TooLarge(int maxBytes) ->
                throw new InconsistentMetadataException("a proposal of " + records.size() + " records for "
                        + answers.size() + " commands is larger than a batch, " + maxBytes + " bytes");
        }
    }

    private void refuse(List<Answer<?>> answers, MetadataImage before, MillraceException cause) {
        expected = new MetadataState(before);
        answers.forEach(answer -> answer.fail(cause));
    }

    private Command<?> take() {
        waitingCount.decrementAndGet();
        return waiting.remove();
    }

    private void failWaiting() {
        while (!waiting.isEmpty()) {
            take().future().completeExceptionally(new NotControllerException(quorum.memberId(), leader));
        }
    }

    private void failProposals(String why) {
        while (!proposals.isEmpty()) {
            fail(proposals.remove(), why);
        }
    }

    private static void fail(Proposal proposal, String why) {
        proposal.answers().forEach(answer -> answer.fail(new IndeterminateException(why)));
    }
}
