package io.millrace.coordinator.quorum;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.raft.BatchReader;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.SnapshotReader;
import org.jspecify.annotations.Nullable;

/**
 * Turns the Raft core's callbacks into those of a {@link QuorumListener}. Confined to the quorum's thread, {@link #leader} excepted.
 *
 * <p>The Raft core swallows what a callback throws in some of its paths, so the first failure is kept for {@link #rethrow}: a state machine
 * that missed a record must not get the next one.
 */
final class RaftEvents implements RaftClient.Listener<byte[]> {

    private final QuorumListener listener;
    private volatile QuorumLeader leader = QuorumLeader.UNKNOWN;
    private @Nullable Throwable failure;

    RaftEvents(QuorumListener listener) {
        this.listener = listener;
    }

    QuorumLeader leader() {
        return leader;
    }

    /** Throws what a callback threw, if one did. */
    void rethrow() {
        switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    @Override
    public void handleCommit(BatchReader<byte[]> reader) {
        try (reader) {
            while (reader.hasNext()) {
                Batch<byte[]> batch = reader.next();
                // Batches of the quorum's own records have none of ours.
                if (!batch.records().isEmpty()) {
                    CommittedBatch committed = new CommittedBatch(
                            batch.baseOffset(), batch.epoch(), batch.appendTimestamp(), batch.records());
                    guarded(() -> listener.onCommitted(committed));
                }
            }
        }
    }

    @Override
    public void handleLoadSnapshot(SnapshotReader<byte[]> reader) {
        try (reader) {
            OffsetAndEpoch id = reader.snapshotId();
            QuorumSnapshot snapshot = new QuorumSnapshot(
                    new LogPoint(id.offset(), id.epoch()),
                    reader.lastContainedLogTimestamp(),
                    () -> records(reader).iterator());
            guarded(() -> listener.onSnapshot(snapshot));
        }
    }

    private static List<byte[]> records(Iterator<Batch<byte[]>> batches) {
        List<byte[]> records = new ArrayList<>();
        batches.forEachRemaining(batch -> records.addAll(batch.records()));
        return records;
    }

    @Override
    public void handleLoadBootstrap(SnapshotReader<byte[]> reader) {
        reader.close();
    }

    @Override
    public void handleLeaderChange(LeaderAndEpoch newLeader) {
        QuorumLeader changed = new QuorumLeader(newLeader.epoch(), newLeader.leaderId());
        leader = changed;
        guarded(() -> listener.onLeaderChanged(changed));
    }

    /** The member stopped: whoever waits for its proposals is told that it leads no longer. */
    void stopped() {
        handleLeaderChange(new LeaderAndEpoch(OptionalInt.empty(), leader.epoch()));
    }

    private void guarded(Runnable callback) {
        if (failure != null) {
            return;
        }
        try {
            callback.run();
        } catch (Throwable e) {
            failure = e;
        }
    }
}
