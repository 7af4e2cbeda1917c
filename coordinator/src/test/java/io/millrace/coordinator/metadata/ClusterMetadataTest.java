package io.millrace.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIds;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBroker;
import io.millrace.coordinator.quorum.LogPoint;
import io.millrace.coordinator.quorum.QuorumSnapshot;
import io.millrace.testkit.SteppedExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClusterMetadataTest {

    private final SteppedExecutor executor = new SteppedExecutor();
    private final ManualQuorum quorum = new ManualQuorum();
    private final List<String> events = new ArrayList<>();
    private final List<Throwable> faults = new ArrayList<>();
    private int operations;

    @Test
    void shouldCompleteWhenItLeadsForTheFirstTime() {
        ClusterMetadata metadata = start(10);

        quorum.elect(2, 1);
        executor.runAll();
        assertThat(metadata.whenLeading().toCompletableFuture()).isNotDone();

        quorum.elect(ManualQuorum.MEMBER, 2);
        executor.runAll();
        assertThat(metadata.whenLeading().toCompletableFuture().join().epoch()).isEqualTo(2);
    }

    @Test
    void shouldNotLetAnybodyWaitForALeaderWhenItWasClosed() {
        ClusterMetadata metadata = start(10);

        metadata.close();
        executor.runAll();

        assertThat(metadata.whenLeading().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void shouldTellListenersOfEveryBatchWithTheImagesAround() {
        ClusterMetadata metadata = lead(100);

        run(metadata, new RegisterBroker(id(), 1, new UUID(1, 1), List.of()));
        run(metadata, new AllocateProducerIds(id(), 1, 1));

        assertThat(events)
                .containsExactly(
                        "0 -> 2: [OperationRecorded, BrokerRegistered]",
                        "2 -> 4: [OperationRecorded, ProducerIdsAllocated]");
    }

    @Test
    void shouldAskForASnapshotOfTheWholeStateAfterSomeRecords() {
        ClusterMetadata metadata = lead(10);
        run(metadata, new RegisterBroker(id(), 1, new UUID(1, 1), List.of()));
        for (int i = 0; i < 9; i++) {
            run(metadata, new AllocateProducerIds(id(), 1, 1));
        }

        assertThat(quorum.snapshots).hasSize(2);
        QuorumSnapshot snapshot = quorum.snapshots.get(1);
        assertThat(snapshot.end()).isEqualTo(new LogPoint(20, 3));
        MetadataState rebuilt = new MetadataState(MetadataImage.EMPTY);
        snapshot.records().forEach(record -> rebuilt.replay(MetadataRecordCodec.decode(record)));
        assertThat(ReferenceMetadata.digest(rebuilt.image(snapshot.end())))
                .isEqualTo(ReferenceMetadata.digest(metadata.image()));
    }

    @Test
    void shouldBeginAnewFromASnapshot() {
        ClusterMetadata first = lead(1);
        run(first, new RegisterBroker(id(), 1, new UUID(1, 1), List.of()));
        QuorumSnapshot snapshot = quorum.snapshots.getFirst();
        events.clear();

        ClusterMetadata second = start(1);
        quorum.listener().onSnapshot(snapshot);
        executor.runAll();

        assertThat(second.image().end()).isEqualTo(snapshot.end());
        assertThat(second.image().broker(1)).isPresent();
        assertThat(events).containsExactly("0 -> 2: reset");
    }

    @Test
    void shouldReportAListenerThatFails() {
        ClusterMetadata metadata = create(10);
        metadata.addListener(new MetadataListener() {
            @Override
            public void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records) {
                throw new IllegalStateException("cannot open the partition");
            }

            @Override
            public void onReset(MetadataImage before, MetadataImage after) {
                events.add("unexpected");
            }
        });
        metadata.start();
        quorum.elect(ManualQuorum.MEMBER, 3);
        executor.runAll();

        var answer = metadata.controller()
                .submit(new RegisterBroker(id(), 1, new UUID(1, 1), List.of()))
                .toCompletableFuture();
        executor.runAll();
        quorum.commitAll();
        executor.runAll();

        assertThat(faults).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(answer).isCompletedExceptionally();
    }

    @Test
    void shouldStopOnASnapshotThatItCannotRead() {
        start(10);

        QuorumSnapshot damaged = new QuorumSnapshot(new LogPoint(5, 1), 0, List.of(new byte[] {77, 0}));

        assertThatExceptionOfType(MetadataFormatException.class)
                .as("on the quorum's thread, which stops")
                .isThrownBy(() -> quorum.listener().onSnapshot(damaged));
    }

    private ClusterMetadata create(int snapshotEvery) {
        ClusterMetadata metadata = new ClusterMetadata(
                quorum,
                executor,
                ControllerSettings.defaults((scope, key, value) -> Optional.empty())
                        .withSnapshotEveryRecords(snapshotEvery),
                new Random(1),
                (part, cause) -> faults.add(cause));
        metadata.addListener(new Recorder());
        return metadata;
    }

    private ClusterMetadata start(int snapshotEvery) {
        ClusterMetadata metadata = create(snapshotEvery);
        metadata.start();
        return metadata;
    }

    private ClusterMetadata lead(int snapshotEvery) {
        ClusterMetadata metadata = start(snapshotEvery);
        quorum.elect(ManualQuorum.MEMBER, 3);
        executor.runAll();
        return metadata;
    }

    private void run(ClusterMetadata metadata, MetadataCommand<?> command) {
        var answer = metadata.controller().submit(command).toCompletableFuture();
        executor.runAll();
        quorum.commitAll();
        executor.runAll();
        assertThat(answer).isCompleted();
    }

    private UUID id() {
        return new UUID(9, ++operations);
    }

    private final class Recorder implements MetadataListener {
        @Override
        public void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records) {
            List<String> names = records.stream()
                    .map(record -> record.getClass().getSimpleName())
                    .toList();
            events.add(before.end().endOffset() + " -> " + after.end().endOffset() + ": " + names);
        }

        @Override
        public void onReset(MetadataImage before, MetadataImage after) {
            events.add(before.end().endOffset() + " -> " + after.end().endOffset() + ": reset");
        }
    }
}
