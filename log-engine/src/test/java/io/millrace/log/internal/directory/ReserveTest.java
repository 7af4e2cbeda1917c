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

        assertThat(reserve.release(1, reserve.releases(), Reserve.User.LOG)).isTrue();
        assertThat(reserve.heldBytes()).isEqualTo(2 * MIB);
        assertThat(reserve.release(MIB + 1, reserve.releases(), Reserve.User.LOG))
                .isTrue();
        assertThat(reserve.heldBytes()).isEqualTo(3 * MIB / 4);
        assertThat(reserve.release(1, reserve.releases(), Reserve.User.LOG)).isFalse();
    }

    @Test
    void shouldKeepTheLastPartForTheMetadata() throws IOException {
        Reserve reserve = Reserve.open(directory, 4 * MIB);
        while (reserve.release(1, reserve.releases(), Reserve.User.LOG)) {
            assertThat(reserve.heldBytes()).isGreaterThanOrEqualTo(MIB);
        }
        assertThat(reserve.heldBytes()).isEqualTo(MIB);

        assertThat(reserve.release(1, reserve.releases(), Reserve.User.METADATA))
                .isTrue();
        assertThat(reserve.heldBytes()).isEqualTo(MIB - (64 << 10));
        assertThat(reserve.release(100_000, reserve.releases(), Reserve.User.METADATA))
                .isTrue();
        assertThat(reserve.heldBytes()).isEqualTo(MIB - 3 * (64 << 10));
        assertThat(reserve.release(1, reserve.releases(), Reserve.User.LOG)).isFalse();
        while (reserve.release(1, reserve.releases(), Reserve.User.METADATA)) {
            assertThat(reserve.heldBytes()).isLessThan(MIB);
        }
        assertThat(reserve.heldBytes()).isZero();
    }

    /** Two found the disk full at the same time; the second was refused beside the space that the first one had got for both. */
    @Test
    void shouldHaveWhoComesSecondTryWithWhatTheFirstOneGot() throws IOException {
        Reserve reserve = Reserve.open(directory, 3 * MIB);
        long seenByBoth = reserve.releases();

        assertThat(reserve.release(3 * MIB, seenByBoth, Reserve.User.LOG)).isTrue();

        assertThat(reserve.release(1, seenByBoth, Reserve.User.LOG)).isTrue();
        assertThat(reserve.release(1, reserve.releases(), Reserve.User.LOG)).isFalse();
    }

    @Test
    void shouldGiveUpNoMoreForWhoHasNotTriedTheLast() throws IOException {
        Reserve reserve = Reserve.open(directory, 3 * MIB);
        long seenByBoth = reserve.releases();

        reserve.release(1, seenByBoth, Reserve.User.LOG);
        reserve.release(1, seenByBoth, Reserve.User.LOG);

        assertThat(reserve.heldBytes()).isEqualTo(2 * MIB);
    }
}
