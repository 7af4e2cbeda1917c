package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.log.DiskLogStorage;
import io.millrace.log.LogConfig;
import io.millrace.log.LogRole;
import io.millrace.log.PartitionId;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.raft.ElectionState;
import org.apache.kafka.raft.ReplicaKey;
import org.apache.kafka.server.common.KRaftVersion;
import org.junit.jupiter.api.Test;

/** What a member refuses to forget. */
class QuorumDirectoryTest {

    private final FakeDisk disk = new FakeDisk(new Random(1));
    private final Path data = disk.root().resolve("data");
    private final Path second = disk.root().resolve("data2");
    private final Path metadata = data.resolve("__cluster_metadata-0");

    @Test
    void shouldBeInTheFirstDirectory() {
        try (DiskLogStorage storage = storage(data, second)) {
            QuorumDirectory directory = QuorumDirectory.open(storage);

            assertThat(metadata).isDirectory();
            assertThat(second.resolve("__cluster_metadata-0")).doesNotExist();
            directory.log().close();
        }
    }

    @Test
    void shouldStartAgainWhenTheFirstStartEndedBeforeAnyVote() {
        try (DiskLogStorage storage = storage(data)) {
            QuorumDirectory.open(storage).log().close();
        }

        try (DiskLogStorage storage = storage(data)) {
            QuorumDirectory directory = QuorumDirectory.open(storage);
            assertThat(directory.election().exists()).isFalse();
            directory.log().close();
        }
    }

    @Test
    void shouldRefuseToStartWithoutMetadataWhereThereArePartitions() throws IOException {
        try (DiskLogStorage storage = storage(data)) {
            QuorumDirectory.open(storage).log().close();
            storage.create(
                            new PartitionId("orders", 0),
                            LogRole.DATA,
                            new UUID(5, 5),
                            LogConfig.DEFAULT,
                            Runnable::run,
                            new LogCallbacks())
                    .close();
        }
        removeMetadata();

        try (DiskLogStorage storage = storage(data)) {
            assertThatExceptionOfType(QuorumStorageException.class)
                    .isThrownBy(() -> QuorumDirectory.open(storage))
                    .withMessageContaining("1 partitions")
                    .withMessageContaining("the metadata was lost");
        }
    }

    @Test
    void shouldRefuseALogWhoseVotesAreMissing() throws IOException {
        try (DiskLogStorage storage = storage(data)) {
            QuorumDirectory directory = QuorumDirectory.open(storage);
            directory
                    .election()
                    .writeElectionState(
                            ElectionState.withVotedCandidate(
                                    1, ReplicaKey.of(1, ReplicaKey.NO_DIRECTORY_ID), Set.of(1)),
                            KRaftVersion.KRAFT_VERSION_0);
            Files.createFile(metadata.resolve("00000000000000000007-0000000001.checkpoint"));
            directory.log().close();
        }
        Files.delete(metadata.resolve(ElectionFile.NAME));

        try (DiskLogStorage storage = storage(data)) {
            assertThatExceptionOfType(QuorumStorageException.class)
                    .isThrownBy(() -> QuorumDirectory.open(storage))
                    .withMessageContaining("quorum-state is missing")
                    .withMessageContaining("could vote twice")
                    .withMessageContaining("millrace log verify ");
        }
    }

    private void removeMetadata() throws IOException {
        try (Stream<Path> files = Files.list(metadata)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(metadata);
    }

    private static DiskLogStorage storage(Path... directories) {
        return DiskLogStorage.builder(List.of(directories), new FakeTimeSource(), new Random(2))
                .brokerId(1)
                .clusterId("test")
                .open();
    }
}
