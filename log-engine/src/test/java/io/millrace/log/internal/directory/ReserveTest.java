package io.millrace.log.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReserveTest {
    private static final int MIB = 1 << 20;

    private final FakeDisk disk = new FakeDisk(new Random(7));
    private final Path directory = disk.root();

    @Test
    void shouldGiveSpaceUntilNothingIsLeft() throws IOException {
        Reserve reserve = Reserve.open(directory, 3 * MIB);

        assertThat(reserve.release(1, reserve.releases())).isTrue();
        assertThat(reserve.heldBytes()).isEqualTo(2 * MIB);
        assertThat(reserve.release(MIB + 1, reserve.releases())).isTrue();
        assertThat(reserve.heldBytes()).isZero();
        assertThat(reserve.release(1, reserve.releases())).isFalse();
    }

    /** Two found the disk full at the same time; the second was refused beside the space that the first one had got for both. */
    @Test
    void shouldHaveWhoComesSecondTryWithWhatTheFirstOneGot() throws IOException {
        Reserve reserve = Reserve.open(directory, 3 * MIB);
        long seenByBoth = reserve.releases();

        assertThat(reserve.release(3 * MIB, seenByBoth)).isTrue();

        assertThat(reserve.release(1, seenByBoth)).isTrue();
        assertThat(reserve.release(1, reserve.releases())).isFalse();
    }

    @Test
    void shouldGiveUpNoMoreForWhoHasNotTriedTheLast() throws IOException {
        Reserve reserve = Reserve.open(directory, 3 * MIB);
        long seenByBoth = reserve.releases();

        reserve.release(1, seenByBoth);
        reserve.release(1, seenByBoth);

        assertThat(reserve.heldBytes()).isEqualTo(2 * MIB);
    }
}
