package io.millrace.coordinator.quorum;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A group of one that keeps nothing: its member leads from the start, and what it proposes is committed in the executor's next turn.
 *
 * <p>For simulations and tests of what stands on the quorum, where neither a disk nor an election is the subject. Single-threaded:
 * {@code start}, {@code propose}, {@code resign} and {@code close} are called by the executor's thread, or before it runs.
 */
public final class InMemoryMetadataQuorum implements MetadataQuorum {

    private static final int MAX_WAITING_BATCHES = 1_000;

    private final int memberId;
    private final Executor executor;
    private final Queue<CommittedBatch> waiting = new ArrayDeque<>();
    private @Nullable QuorumListener listener;
    private int epoch;
    private long nextOffset;
    private boolean closed;
    private volatile QuorumLeader leader = QuorumLeader.UNKNOWN;

    /**
     * Creates the group.
     *
     * @param memberId id of its only member, 0 or more
     * @param executor runs the callbacks in order, one at a time
     */
    public InMemoryMetadataQuorum(int memberId, Executor executor) {
        if (memberId < 0) {
            throw new IllegalArgumentException("member id " + memberId + " is negative");
        }
        this.memberId = memberId;
        this.executor = Objects.requireNonNull(executor, "executor");
    }

    @Override
    public void start(QuorumListener newListener) {
        if (listener != null) {
            throw new IllegalStateException("the quorum of member " + memberId + " was started already");
        }
        listener = Objects.requireNonNull(newListener, "listener");
        lead(newListener);
    }

    @Override
    public int memberId() {
        return memberId;
    }

    @Override
    public QuorumLeader leader() {
        return leader;
    }

    @Override
    public ProposeResult propose(int proposedEpoch, List<byte[]> records) {
        QuorumListener target = listener;
        if (closed || target == null || proposedEpoch != epoch) {
            return new ProposeResult.NotLeader(leader);
        }
        if (waiting.size() == MAX_WAITING_BATCHES) {
            return new ProposeResult.Busy();
        }
        CommittedBatch batch = new CommittedBatch(nextOffset, epoch, 0, records);
        waiting.add(batch);
        nextOffset = batch.lastOffset() + 1;
        executor.execute(() -> commitNext(target));
        return new ProposeResult.Accepted(batch.lastOffset());
    }

    @Override
    public void requestSnapshot(QuorumSnapshot snapshot) {
        // Nothing is kept, so nothing can be replaced; a state that cannot be turned into records is found out all the
        // same.
        executor.execute(() -> snapshot.records().forEach(record -> Objects.requireNonNull(record, "record")));
    }

    @Override
    public void resign(int resignedEpoch) {
        QuorumListener target = listener;
        if (!closed && target != null && resignedEpoch == epoch) {
            lead(target);
        }
    }

    @Override
    public void close() {
        closed = true;
        waiting.clear();
    }

    private void lead(QuorumListener target) {
        epoch++;
        nextOffset++; // for the record with which a leader opens its epoch
        QuorumLeader elected = new QuorumLeader(epoch, OptionalInt.of(memberId));
        executor.execute(() -> {
            if (!closed) {
                leader = elected;
                target.onLeaderChanged(elected);
            }
        });
    }

    private void commitNext(QuorumListener target) {
        CommittedBatch batch = waiting.poll();
        if (batch != null) {
            target.onCommitted(batch);
        }
    }
}
