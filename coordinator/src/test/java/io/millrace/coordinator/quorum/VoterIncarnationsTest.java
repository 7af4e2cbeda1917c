package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class VoterIncarnationsTest {

    private static final UUID FIRST = new UUID(1, 1);
    private static final UUID SECOND = new UUID(2, 2);

    private final FakeDisk disk = new FakeDisk(new Random(1));

    @Test
    void shouldRememberTheFirstIncarnationOfEachVoter() {
        VoterIncarnations voters = new VoterIncarnations(disk.root());

        assertThat(voters.known(1, FIRST)).isEqualTo(FIRST);
        assertThat(voters.known(2, SECOND)).isEqualTo(SECOND);
        assertThat(voters.known(1, SECOND)).isEqualTo(FIRST);
    }

    @Test
    void shouldKnowThemAfterAPowerCut() {
        VoterIncarnations voters = new VoterIncarnations(disk.root());
        voters.known(1, FIRST);
        voters.known(2, SECOND);

        disk.crash();
        disk.restart();

        VoterIncarnations again = new VoterIncarnations(disk.root());
        assertThat(again.known(1, SECOND)).isEqualTo(FIRST);
        assertThat(again.known(2, FIRST)).isEqualTo(SECOND);
        assertThat(again.known(3, FIRST)).isEqualTo(FIRST);
    }

    @Test
    void shouldRefuseADamagedFile() throws IOException {
        new VoterIncarnations(disk.root()).known(1, FIRST);
        disk.corrupt(disk.root().resolve(VoterIncarnations.NAME), 12, 4);

        assertThatExceptionOfType(QuorumStorageException.class)
                .isThrownBy(() -> new VoterIncarnations(disk.root()))
                .withMessageContaining("damaged");
    }

    @Test
    void shouldSayWhenItCannotRemember() {
        VoterIncarnations voters = new VoterIncarnations(disk.root());
        disk.failForces(true);

        assertThatExceptionOfType(QuorumStorageException.class).isThrownBy(() -> voters.known(1, FIRST));
    }
}
