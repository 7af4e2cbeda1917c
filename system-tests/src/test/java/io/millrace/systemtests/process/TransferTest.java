package io.millrace.systemtests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.verify.TransferMode;
import io.millrace.systemtests.verify.TransferTrial;
import io.millrace.testkit.Requires;
import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that are moved in transactions arrive once, whoever is killed; {@code ./millrace verify exactly-once} kills as often as one likes. */
@Timeout(300)
final class TransferTest {

    @Test
    void shouldMoveEachMessageOnceByTransactedSessions() throws IOException, InterruptedException {
        check(TransferMode.JMS, 4);
    }

    @Test
    @Tag("long")
    @Timeout(3_600)
    void shouldMoveEachMessageOnceByTransactedSessionsOverManyKills() throws IOException, InterruptedException {
        check(TransferMode.JMS, 200);
    }

    @Test
    void shouldMoveEachMessageOnceWithARowInTheDatabase() throws IOException, InterruptedException {
        check(TransferMode.XA, 10);
    }

    @Test
    @Tag("long")
    @Timeout(3_600)
    void shouldMoveEachMessageOnceWithARowInTheDatabaseOverManyKills() throws IOException, InterruptedException {
        check(TransferMode.XA, 200);
    }

    @Test
    void shouldMoveEachRecordOnceByKafkasClients() throws IOException, InterruptedException {
        check(TransferMode.KAFKA, 4);
    }

    @Test
    @Tag("long")
    @Timeout(3_600)
    void shouldMoveEachRecordOnceByKafkasClientsOverManyKills() throws IOException, InterruptedException {
        check(TransferMode.KAFKA, 200);
    }

    private static void check(TransferMode mode, int kills) throws IOException, InterruptedException {
        Optional<String> missing = TransferTrial.missing(mode);
        Requires.that(missing.isEmpty(), missing.orElse("nothing"));
        TransferTrial.Outcome outcome = new TransferTrial(
                        Distribution.home(),
                        mode,
                        kills,
                        new SplittableRandom(7),
                        SystemTimeSource.instance(),
                        System.out::println)
                .run();
        assertThat(outcome.held()).as("%s", outcome).isTrue();
    }
}
