package io.millrace.systemtests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.verify.KillScenario;
import io.millrace.testkit.history.Verdict;
import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class KillTest {
    @TempDir
    Path directory;

    @Test
    @Timeout(240)
    void shouldKeepItsPromisesOverThreeKills() throws IOException, InterruptedException {
        check(3, 1);
    }

    @Test
    @Tag("long")
    @Timeout(1_200)
    void shouldKeepItsPromisesOverThirtyKills() throws IOException, InterruptedException {
        check(30, 2);
    }

    private void check(int rounds, long seed) throws IOException, InterruptedException {
        Verdict verdict = new KillScenario(
                        Distribution.home(),
                        directory,
                        Distribution.freePort(),
                        rounds,
                        new SplittableRandom(seed),
                        SystemTimeSource.instance(),
                        System.out::println)
                .run();

        System.out.println(verdict);
        assertThat(verdict.anomalies()).as(verdict.toString()).isEmpty();
        assertThat(verdict.confirmedSends()).isGreaterThan(100);
        assertThat(verdict.received()).isGreaterThan(verdict.confirmedSends() / 2);
    }
}
