package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.raft.ElectionState;
import org.apache.kafka.raft.ReplicaKey;
import org.apache.kafka.server.common.KRaftVersion;
import org.junit.jupiter.api.Test;

class ElectionFileTest {

    private static final UUID INCARNATION = new UUID(1, 2);

    private final FakeDisk disk = new FakeDisk(new Random(1));
    private final ElectionFile file = new ElectionFile(disk.root(), INCARNATION);

    @Test
    void shouldKnowNothingAtFirst() {
        assertThat(file.exists()).isFalse();
        assertThat(file.readElectionState()).isEmpty();
    }

    @Test
    void shouldReadTheNewestStateItWrote() {
        write(file, voted(1, 3));
        write(file, led(1, 3));
        write(file, voted(2, 1));

        assertThat(reopened().readElectionState()).contains(voted(2, 1));
    }

    @Test
    void shouldGoOnAfterARestart() {
        write(file, voted(1, 3));
        for (int epoch = 2; epoch < 8; epoch++) {
            ElectionFile next = reopened();
            assertThat(next.readElectionState()).isPresent();
            write(next, voted(epoch, 1));
            assertThat(reopened().readElectionState()).contains(voted(epoch, 1));
        }
    }

    @Test
    void shouldNotTouchTheDiskForTheStateThatItHas() {
        write(file, voted(1, 3));
        long operations = disk.operations();

        write(file, voted(1, 3));

        assertThat(disk.operations()).isEqualTo(operations);
    }

    @Test
    void shouldHaveTheOldOrTheNewStateAfterAPowerCutAtAnyMoment() {
        for (int moment = 1; moment < 12; moment++) {
            for (int seed = 0; seed < 20; seed++) {
                FakeDisk cut = new FakeDisk(new Random(seed));
                ElectionFile torn = new ElectionFile(cut.root(), INCARNATION);
                write(torn, voted(1, 3));
                cut.crashAfterOperations(moment);
                int written = 1;
                try {
                    for (int epoch = 2; epoch < 5; epoch++) {
                        write(torn, voted(epoch, 3));
                        written = epoch;
                    }
                } catch (QuorumStorageException e) {
                    assertThat(e).hasMessageContaining("cannot write");
                }
                if (!cut.isDown()) {
                    cut.crash();
                }
                cut.restart();

                Optional<ElectionState> found = new ElectionFile(cut.root(), INCARNATION).readElectionState();
                assertThat(found).isPresent();
                assertThat(found.get().epoch())
                        .as("moment %d, seed %d", moment, seed)
                        .isBetween(written, written + 1);
            }
        }
    }

    @Test
    void shouldRefuseTheFileOfAnotherDirectory() {
        write(file, voted(1, 3));

        assertThatExceptionOfType(QuorumStorageException.class)
                .isThrownBy(() -> new ElectionFile(disk.root(), new UUID(8, 8)).readElectionState())
                .withMessageContaining("copied between directories");
    }

    @Test
    void shouldRefuseADamagedFile() throws IOException {
        write(file, voted(1, 3));
        disk.corrupt(path(), 40, 1);

        assertThatExceptionOfType(QuorumStorageException.class)
                .isThrownBy(() -> reopened().readElectionState())
                .withMessageContaining("no checksum in it matches")
                .withMessageContaining("could vote twice");
        Files.write(path(), new byte[100]);
        assertThatExceptionOfType(QuorumStorageException.class)
                .isThrownBy(() -> reopened().readElectionState())
                .withMessageContaining("it has 100 bytes");
    }

    @Test
    void shouldForgetWhenCleared() {
        write(file, voted(4, 3));

        file.clear();

        assertThat(file.readElectionState()).isEmpty();
        write(file, voted(1, 2));
        assertThat(reopened().readElectionState()).contains(voted(1, 2));
    }

    private ElectionFile reopened() {
        return new ElectionFile(disk.root(), INCARNATION);
    }

    private Path path() {
        return disk.root().resolve(ElectionFile.NAME);
    }

    private static void write(ElectionFile file, ElectionState state) {
        file.writeElectionState(state, KRaftVersion.KRAFT_VERSION_0);
    }

    private static ElectionState voted(int epoch, int candidate) {
        return ElectionState.withVotedCandidate(
                epoch, ReplicaKey.of(candidate, ReplicaKey.NO_DIRECTORY_ID), Set.of(1, 2, 3));
    }

    private static ElectionState led(int epoch, int leader) {
        return ElectionState.withElectedLeader(epoch, leader, Optional.empty(), Set.of(1, 2, 3));
    }
}
