package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class InMemoryMetadataQuorumTest {

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();
    private final InMemoryMetadataQuorum quorum = new InMemoryMetadataQuorum(4, tasks::add);

    @Test
    void shouldLeadAndCommitInOrder() {
        start();

        assertThat(quorum.propose(1, records(2))).isEqualTo(new ProposeResult.Accepted(2));
        assertThat(quorum.propose(1, records(1))).isEqualTo(new ProposeResult.Accepted(3));
        runAll();

        assertThat(events).containsExactly("leader 4 in 1", "commit 1..2 in 1", "commit 3..3 in 1");
        assertThat(quorum.leader().isLeader(4)).isTrue();
    }

    @Test
    void shouldTakeProposalsOfThePresentEpochOnly() {
        assertThat(quorum.propose(0, records(1))).isInstanceOf(ProposeResult.NotLeader.class);
        start();
        quorum.resign(1);
        runAll();

        assertThat(quorum.propose(1, records(1))).isEqualTo(new ProposeResult.NotLeader(quorum.leader()));
        assertThat(quorum.propose(2, records(1))).isInstanceOf(ProposeResult.Accepted.class);
    }

    @Test
    void shouldBeBusyWhenTooMuchWaits() {
        start();
        for (int i = 0; i < 1_000; i++) {
            assertThat(quorum.propose(1, records(1))).isInstanceOf(ProposeResult.Accepted.class);
        }

        assertThat(quorum.propose(1, records(1))).isEqualTo(new ProposeResult.Busy());
        runAll();
        assertThat(quorum.propose(1, records(1))).isInstanceOf(ProposeResult.Accepted.class);
    }

    @Test
    void shouldCallNobodyAfterItWasClosed() {
        start();
        assertThat(quorum.propose(1, records(1))).isInstanceOf(ProposeResult.Accepted.class);

        quorum.close();
        runAll();

        assertThat(events).containsExactly("leader 4 in 1");
        assertThat(quorum.propose(1, records(1))).isInstanceOf(ProposeResult.NotLeader.class);
        assertThatIllegalStateException().isThrownBy(this::start);
    }

    private void start() {
        quorum.start(new QuorumListener() {
            @Override
            public void onCommitted(CommittedBatch batch) {
                events.add("commit " + batch.baseOffset() + ".." + batch.lastOffset() + " in " + batch.epoch());
            }

            @Override
            public void onSnapshot(QuorumSnapshot snapshot) {
                events.add("snapshot " + snapshot.end());
            }

            @Override
            public void onLeaderChanged(QuorumLeader leader) {
                events.add("leader " + leader.leaderId().orElse(-1) + " in " + leader.epoch());
            }
        });
        runAll();
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private static List<byte[]> records(int count) {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(new byte[] {(byte) i});
        }
        return records;
    }
}
