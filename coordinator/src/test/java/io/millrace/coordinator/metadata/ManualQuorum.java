package io.millrace.coordinator.metadata;

import io.millrace.coordinator.quorum.CommittedBatch;
import io.millrace.coordinator.quorum.MetadataQuorum;
import io.millrace.coordinator.quorum.ProposeResult;
import io.millrace.coordinator.quorum.QuorumLeader;
import io.millrace.coordinator.quorum.QuorumListener;
import io.millrace.coordinator.quorum.QuorumSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A quorum whose elections and commits the test makes by hand. */
final class ManualQuorum implements MetadataQuorum {
    static final int MEMBER = 1;

    final Deque<CommittedBatch> proposed = new ArrayDeque<>();
    final List<QuorumSnapshot> snapshots = new ArrayList<>();
    private @Nullable QuorumListener listener;
    private QuorumLeader leader = QuorumLeader.UNKNOWN;
    private long nextOffset;
    boolean busy;
    boolean deposed;

    @Override
    public void start(QuorumListener newListener) {
        listener = newListener;
    }

    @Override
    public int memberId() {
        return MEMBER;
    }

    @Override
    public QuorumLeader leader() {
        return leader;
    }

    @Override
    public ProposeResult propose(int epoch, List<byte[]> records) {
        if (deposed || !leader.isLeader(MEMBER) || epoch != leader.epoch()) {
            return new ProposeResult.NotLeader(leader);
        }
        if (busy) {
            return new ProposeResult.Busy();
        }
        CommittedBatch batch = new CommittedBatch(nextOffset, epoch, 0, records);
        nextOffset = batch.lastOffset() + 1;
        proposed.add(batch);
        return new ProposeResult.Accepted(batch.lastOffset());
    }

    @Override
    public void requestSnapshot(QuorumSnapshot snapshot) {
        snapshots.add(snapshot);
    }

    @Override
    public void resign(int epoch) {
        proposed.clear();
    }

    @Override
    public void close() {
        proposed.clear();
    }

    QuorumListener listener() {
        return Objects.requireNonNull(listener, "not started");
    }

    void elect(int memberId, int epoch) {
        leader = new QuorumLeader(epoch, OptionalInt.of(memberId));
        listener().onLeaderChanged(leader);
    }

    void commitOne() {
        listener().onCommitted(proposed.remove());
    }

    void commitAll() {
        while (!proposed.isEmpty()) {
            commitOne();
        }
    }
}
