package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.millrace.coordinator.metadata.IndeterminateException;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIds;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIdsResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import io.millrace.coordinator.metadata.NotControllerException;
import io.millrace.coordinator.metadata.ReferenceMetadata;
import io.millrace.log.DiskFullException;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One broker alone, with real threads; on a real disk, or on one that can lose power. */
class GroupOfOneTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path temporary;

    @Test
    void shouldLeadAndCommit() {
        try (OneBroker broker = new OneBroker(temporary).start()) {
            QuorumLeader leader = broker.awaitLeading();

            assertThat(leader.isLeader(OneBroker.ID)).isTrue();
            assertThat(leader.epoch()).isEqualTo(1);
            assertThat(broker.register()).isEqualTo(1);
            assertThat(broker.run(OneBroker.createLog("orders"))).isInstanceOf(CreateLogResult.Created.class);
            assertThat(broker.metadata.image().logNamed("orders")).isPresent();
            assertThat(broker.faults).isEmpty();
        }
    }

    @Test
    void shouldHaveEverythingAfterARestartAndGrowItsEpochs() {
        List<Long> brokerEpochs = new ArrayList<>();
        List<Integer> leaderEpochs = new ArrayList<>();
        List<Long> producerIds = new ArrayList<>();
        for (int start = 0; start < 4; start++) {
            try (OneBroker broker = new OneBroker(temporary).start()) {
                leaderEpochs.add(broker.awaitLeading().epoch());
                assertThat(broker.metadata.image().logCount()).isEqualTo(start);
                long epoch = broker.register();
                brokerEpochs.add(epoch);
                producerIds.add(allocate(broker, epoch));
                producerIds.add(allocate(broker, epoch));
                broker.run(OneBroker.createLog("log" + start));
            }
        }

        assertThat(brokerEpochs).containsExactly(1L, 2L, 3L, 4L);
        assertThat(leaderEpochs).isSorted().doesNotHaveDuplicates();
        assertThat(producerIds).containsExactly(0L, 1_000L, 2_000L, 3_000L, 4_000L, 5_000L, 6_000L, 7_000L);
    }

    @Test
    void shouldHaveEverythingCommittedAfterAPowerCutInTheMiddle() {
        FakeDisk disk = new FakeDisk(new Random(3));
        List<LogInfo> acknowledged = new ArrayList<>();
        long brokerEpoch = 0;
        int leaderEpoch = 0;
        for (int round = 0; round < 5; round++) {
            OneBroker broker = new OneBroker(disk.root().resolve("data"), 40).start();
            QuorumLeader leader = broker.awaitLeading();
            assertThat(leader.epoch()).isGreaterThan(leaderEpoch);
            leaderEpoch = leader.epoch();
            for (LogInfo log : acknowledged) {
                assertThat(broker.metadata.image().log(log.logId()))
                        .as("round %d, %s", round, log.name())
                        .isPresent();
            }
            long granted = broker.register();
            assertThat(granted).isGreaterThan(brokerEpoch);
            brokerEpoch = granted;

            disk.crashAfterOperations(100 + 37L * round);
            acknowledged.addAll(createUntilTheDiskIsGone(broker, round));
            broker.abandon();
            await().atMost(PATIENCE).until(() -> !broker.faults.isEmpty());
            disk.restart();
        }
        assertThat(acknowledged).hasSizeGreaterThan(5);
    }

    private static List<LogInfo> createUntilTheDiskIsGone(OneBroker broker, int round) {
        List<LogInfo> created = new ArrayList<>();
        for (int i = 0; ; i++) {
            CompletableFuture<CreateLogResult> answer = broker.metadata
                    .controller()
                    .submit(OneBroker.createLog("log-" + round + "-" + i))
                    .toCompletableFuture();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(answer::isDone);
            if (answer.isCompletedExceptionally()) {
                return created;
            }
            created.add(((CreateLogResult.Created) answer.join()).log());
        }
    }

    @Test
    void shouldStopAndSaySoWhenTheDiskCannotForce() {
        FakeDisk disk = new FakeDisk(new Random(4));
        OneBroker broker = new OneBroker(disk.root().resolve("data")).start();
        broker.awaitLeading();
        broker.register();

        disk.failForces(true);

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> broker.run(OneBroker.createLog("never")))
                .withCauseInstanceOf(IndeterminateException.class);
        await().atMost(PATIENCE).until(() -> !broker.faults.isEmpty());
        assertThat(broker.faults).hasSize(1);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> broker.run(OneBroker.createLog("later")))
                .withCauseInstanceOf(NotControllerException.class);
        assertThat(broker.metadata.image().logCount()).isZero();
        broker.abandon();
    }

    @Test
    void shouldRefuseChangesOnAFullDiskAndTakeThemWhenThereIsSpace() throws IOException {
        FakeDisk disk = new FakeDisk(new Random(6));
        disk.capacityBytes(8 << 20);
        Path filler = disk.root().resolve("of-somebody-else");
        int created;
        try (OneBroker broker = new OneBroker(disk.root().resolve("data"), 300, 2 << 20).start()) {
            broker.awaitLeading();
            broker.register();
            fill(disk, filler);

            created = createUntilRefused(broker, "first");

            // On what the reserve has for the metadata, that is, without its last part.
            assertThat(created).isGreaterThan(300);
            assertThat(broker.faults).isEmpty();
            assertThat(broker.metadata.image().logCount()).isEqualTo(created);
            // A smaller change may still find room.
            int more = createUntilRefused(broker, "second");
            assertThat(more).isLessThan(100);
            created += more;

            Files.delete(filler);
            broker.storage.maintain();
            assertThat(broker.run(OneBroker.createLog("after"))).isInstanceOf(CreateLogResult.Created.class);
            assertThat(broker.faults).isEmpty();
        }
        try (OneBroker broker = new OneBroker(disk.root().resolve("data"), 300, 2 << 20).start()) {
            broker.awaitLeading();
            assertThat(broker.metadata.image().logCount()).isEqualTo(created + 1);
        }
    }

    /** Nor is there a reserve: then the disk itself is looked at. */
    @Test
    void shouldRefuseChangesOnAFullDiskWithoutAReserve() throws IOException {
        FakeDisk disk = new FakeDisk(new Random(8));
        disk.capacityBytes(8 << 20);
        try (OneBroker broker = new OneBroker(disk.root().resolve("data"), 300).start()) {
            broker.awaitLeading();
            broker.register();
            fill(disk, disk.root().resolve("of-somebody-else"));

            assertThat(createUntilRefused(broker, "never")).isZero();

            Files.delete(disk.root().resolve("of-somebody-else"));
            assertThat(broker.run(OneBroker.createLog("after"))).isInstanceOf(CreateLogResult.Created.class);
            assertThat(broker.faults).isEmpty();
        }
    }

    private static void fill(FakeDisk disk, Path filler) throws IOException {
        long usable = Files.getFileStore(disk.root()).getUsableSpace();
        try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) usable);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        assertThat(Files.getFileStore(disk.root()).getUsableSpace()).isZero();
    }

    private static int createUntilRefused(OneBroker broker, String name) {
        for (int i = 0; ; i += 100) {
            List<CompletableFuture<CreateLogResult>> answers = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                answers.add(broker.metadata
                        .controller()
                        .submit(OneBroker.createLog("log-" + name + "-" + (i + j) + "-" + "x".repeat(200)))
                        .toCompletableFuture());
            }
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> answers.stream().allMatch(CompletableFuture::isDone));
            List<CompletableFuture<CreateLogResult>> refused = answers.stream()
                    .filter(CompletableFuture::isCompletedExceptionally)
                    .toList();
            for (CompletableFuture<CreateLogResult> answer : refused) {
                assertThat(answer.exceptionNow())
                        .isInstanceOf(DiskFullException.class)
                        .hasMessageContaining("no space for metadata")
                        .hasMessageContaining("Free space");
            }
            if (!refused.isEmpty()) {
                return i + answers.size() - refused.size();
            }
        }
    }

    @Test
    void shouldLetTheFaultHandlerCloseIt() {
        FakeDisk disk = new FakeDisk(new Random(5));
        OneBroker broker = new OneBroker(disk.root().resolve("data")).start();
        broker.awaitLeading();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        broker.onFault = () -> {
            broker.quorum.close();
            closed.complete(true);
        };

        disk.failForces(true);

        assertThatExceptionOfType(CompletionException.class).isThrownBy(broker::register);
        await().atMost(PATIENCE).until(closed::isDone);
        broker.abandon();
    }

    @Test
    void shouldReplaceItsLogBySnapshotsAndStartFromThem() throws IOException {
        long digest;
        try (OneBroker broker = new OneBroker(temporary, 50).start()) {
            broker.awaitLeading();
            long epoch = broker.register();
            broker.run(OneBroker.createLog("orders"));
            for (long i = 0; i < 100; i++) {
                assertThat(allocate(broker, epoch)).isEqualTo(i * 1_000);
            }
            await().atMost(PATIENCE).until(() -> !Files.exists(firstSegment()));
            assertThat(checkpoints()).hasSize(2);
            digest = ReferenceMetadata.digest(broker.metadata.image());
        }

        try (OneBroker broker = new OneBroker(temporary, 50).start()) {
            broker.awaitLeading();
            assertThat(ReferenceMetadata.digest(broker.metadata.image())).isEqualTo(digest);
            broker.register();
            assertThat(broker.run(OneBroker.createLog("one-more"))).isInstanceOf(CreateLogResult.Created.class);
        }
    }

    private Path firstSegment() {
        return temporary.resolve("__cluster_metadata-0").resolve("00000000000000000000.log");
    }

    private List<String> checkpoints() throws IOException {
        try (Stream<Path> files = Files.list(temporary.resolve("__cluster_metadata-0"))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".checkpoint"))
                    .toList();
        }
    }

    @Test
    void shouldLeadAgainInANewEpochAfterItResigned() {
        try (OneBroker broker = new OneBroker(temporary).start()) {
            int epoch = broker.awaitLeading().epoch();
            broker.register();
            broker.quorum.resign(epoch + 5);
            assertThat(broker.quorum.leader().epoch()).isEqualTo(epoch);

            broker.quorum.resign(epoch);

            await().atMost(PATIENCE)
                    .until(() -> broker.quorum.leader().epoch() > epoch
                            && broker.quorum.leader().isLeader(OneBroker.ID));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(broker.run(OneBroker.createLog("orders")))
                            .isInstanceOf(CreateLogResult.Created.class));
        }
    }

    @Test
    void shouldRefuseProposalsThatAreNotItsOwnToMake() {
        try (OneBroker broker = new OneBroker(temporary).start()) {
            QuorumLeader leader = broker.awaitLeading();
            List<byte[]> record = List.of(new byte[] {1});

            assertThat(broker.quorum.propose(leader.epoch() - 1, record)).isInstanceOf(ProposeResult.NotLeader.class);
            assertThat(broker.quorum.propose(leader.epoch() + 1, record)).isInstanceOf(ProposeResult.NotLeader.class);
            assertThat(broker.quorum.propose(leader.epoch(), List.of(new byte[9_000_000])))
                    .isEqualTo(new ProposeResult.TooLarge(8 << 20));
        }
    }

    @Test
    void shouldCloseWithoutHavingBeenStarted() {
        new OneBroker(temporary).close();

        try (OneBroker broker = new OneBroker(temporary).start()) {
            assertThatIllegalStateException().isThrownBy(broker::start).withMessageContaining("started already");
            broker.awaitLeading();
        }
    }

    @Test
    void shouldTellWhoeverAsksAfterTheEndThatNobodyLeads() {
        OneBroker broker = new OneBroker(temporary).start();
        QuorumLeader leader = broker.awaitLeading();

        broker.close();

        assertThat(broker.quorum.leader().leaderId()).isEmpty();
        assertThat(broker.quorum.propose(leader.epoch(), List.of(new byte[] {1})))
                .isInstanceOf(ProposeResult.NotLeader.class);
        assertThat(broker.quorum.onPeerRequest(java.nio.ByteBuffer.allocate(1)).toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(broker.faults).isEmpty();
    }

    private static long allocate(OneBroker broker, long brokerEpoch) {
        AllocateProducerIdsResult result =
                broker.run(new AllocateProducerIds(UUID.randomUUID(), OneBroker.ID, brokerEpoch));
        return ((AllocateProducerIdsResult.Allocated) result).firstId();
    }
}
