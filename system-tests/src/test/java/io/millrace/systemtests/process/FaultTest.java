package io.millrace.systemtests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.verify.FaultKind;
import io.millrace.systemtests.verify.Trial;
import io.millrace.testkit.history.Verdict;
import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A few rounds of each fault; {@code ./millrace verify} runs as many as one likes. */
@Timeout(240)
final class FaultTest {

    @Test
    void shouldKeepItsPromisesOverThreeKills() throws IOException, InterruptedException {
        check(FaultKind.KILL, 3, 1);
    }

    @Test
    @Tag("long")
    @Timeout(1_200)
    void shouldKeepItsPromisesOverThirtyKills() throws IOException, InterruptedException {
        check(FaultKind.KILL, 30, 2);
    }

    @Test
    void shouldKeepItsPromisesOverPauses() throws IOException, InterruptedException {
        check(FaultKind.PAUSE, 1, 1);
    }

    @Test
    void shouldLoseNothingPromisedWhenThePowerIsCut() throws IOException, InterruptedException {
        check(FaultKind.POWERCUT, 2, 1);
    }

    @Test
    void shouldRefuseSendsAndGoOnWhenTheDiskIsFull() throws IOException, InterruptedException {
        check(FaultKind.DISKFULL, 1, 1);
    }

    @Test
    void shouldStopConfirmingWhenTheDiskFails() throws IOException, InterruptedException {
        check(FaultKind.EIO, 2, 1);
    }

    @Test
    @Tag("long")
    @Timeout(600)
    void shouldServeNothingWrongAfterALyingDisk() throws IOException, InterruptedException {
        check(FaultKind.LIE, 4, 1);
    }

    @Test
    @Tag("long")
    @Timeout(600)
    void shouldKeepItsPromisesAmongHostileClients() throws IOException, InterruptedException {
        check(FaultKind.HOSTILE, 5, 1);
    }

    @Test
    @Tag("long")
    void shouldKeepItsPromisesWithFewDescriptors() throws IOException, InterruptedException {
        check(FaultKind.DESCRIPTORS, 2, 1);
    }

    @Test
    @Tag("long")
    void shouldKeepItsPromisesInAFlood() throws IOException, InterruptedException {
        check(FaultKind.FLOOD, 2, 1);
    }

    @Test
    @Tag("long")
    void shouldKeepItsPromisesWhenTheClockJumps() throws IOException, InterruptedException {
        check(FaultKind.CLOCK, 5, 1);
    }

    private static void check(FaultKind fault, int rounds, long seed) throws IOException, InterruptedException {
        Optional<String> missing = fault.missing();
        // Skipped in CI as well: no package brings the right to mount file systems.
        missing.ifPresent(need -> System.out.println("skipped: needs " + need));
        Assumptions.assumeTrue(missing.isEmpty(), () -> "skipped: needs " + missing.orElse(""));
        Trial trial = new Trial(
                Distribution.home(),
                rounds,
                fault.clients(),
                new SplittableRandom(seed),
                SystemTimeSource.instance(),
                System.out::println);

        Verdict verdict = trial.run(fault);

        System.out.println(verdict);
        assertThat(verdict.anomalies()).as(verdict.toString()).isEmpty();
        assertThat(verdict.confirmedSends()).isGreaterThan(100);
        if (fault != FaultKind.LIE) {
            assertThat(verdict.received()).isGreaterThan(verdict.confirmedSends() / 2);
        }
    }
}
