package io.millrace.systemtests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.verify.InDoubtTrial;
import io.millrace.testkit.Requires;
import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program with Narayana, a broker and PostgreSQL leaves in doubt when it crashes. */
@Timeout(300)
final class InDoubtTest {

    @Test
    void shouldRecoverInOnePassWithoutAWarningAndLeaveNothingBehind() throws IOException, InterruptedException {
        Optional<String> missing = InDoubtTrial.missing();
        Requires.that(missing.isEmpty(), missing.orElse("nothing"));

        assertThat(new InDoubtTrial(
                                Distribution.home(),
                                new SplittableRandom(3),
                                SystemTimeSource.instance(),
                                System.out::println)
                        .run())
                .isEmpty();
    }
}
