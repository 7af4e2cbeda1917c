package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.raft.RaftLog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A failure names its seed; {@code -Dmillrace.simulation.verbose=true} shows every event. */
class MetadataQuorumSimulationTest {

    private static final int SECONDS = 20;

    @ParameterizedTest
    @CsvSource({"1, 1, 4", "3, 100, 6", "5, 200, 2"})
    void shouldKeepItsPromisesUnderFaults(int voters, long firstSeed, int seeds) {
        runSeeds(voters, firstSeed, seeds);
    }

    @Tag("long")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @CsvSource({"1, 10000, 100", "3, 20000, 300", "5, 30000, 150"})
    void shouldKeepItsPromisesUnderFaultsOfManySeeds(int voters, long firstSeed, int seeds) {
        runSeeds(voters, firstSeed, seeds);
    }

    @Test
    void shouldBeTheSameRunUnderTheSameSeed() {
        QuorumSimulation first = new QuorumSimulation(42, 3);
        QuorumSimulation second = new QuorumSimulation(42, 3);
        QuorumSimulation other = new QuorumSimulation(43, 3);

        first.run(10);
        second.run(10);
        other.run(10);

        assertThat(second).hasToString(first.toString());
        assertThat(other.time.trace()).isNotEqualTo(first.time.trace());
    }

    /** The test of the test: what it is there to find, it finds. */
    @Test
    void shouldNoticeDisksThatLie() {
        int noticed = 0;
        for (long seed = 500; seed < 505; seed++) {
            QuorumSimulation simulation = new QuorumSimulation(seed, 3);
            simulation.letDisksLie();
            noticed += simulation.run(SECONDS).isEmpty() ? 0 : 1;
        }

        assertThat(noticed).as("of 5").isGreaterThanOrEqualTo(3);
    }

    /** The Raft core commits before it flushes; a log that relies on the flush is what {@link MetadataLog} would be without its sync. */
    @Test
    void shouldNoticeALeaderThatCountsWhatIsNotOnItsDisk() {
        int noticed = 0;
        for (long seed = 600; seed < 610; seed++) {
            QuorumSimulation simulation = new QuorumSimulation(seed, 1);
            simulation.plant(MetadataQuorumSimulationTest::withoutSyncInAppend);
            noticed += simulation.run(SECONDS).isEmpty() ? 0 : 1;
        }

        assertThat(noticed).as("of 10").isGreaterThanOrEqualTo(2);
    }

    private static RaftLog withoutSyncInAppend(RaftLog log) {
        return (RaftLog) Proxy.newProxyInstance(
                RaftLog.class.getClassLoader(), new Class<?>[] {RaftLog.class}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("appendAsLeader")
                                ? log.appendAsFollower((Records) arguments[0], (Integer) arguments[1])
                                : method.invoke(log, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void shouldKeepOutAVoterThatReturnsWithAnEmptyDisk() {
        QuorumSimulation simulation = new QuorumSimulation(7, 3);
        simulation.startQuietly();
        simulation.time.runFor(5_000, () -> false);
        int replaced = simulation.leaderId().orElseThrow();

        simulation.replaceDisk(replaced);
        simulation.time.runFor(10_000, () -> false);

        int answered = simulation.answeredCount();
        assertThat(simulation.leaderId()).isPresent().isNotEqualTo(Optional.of(replaced));
        assertThat(simulation.member(replaced).metadata().image().logCount())
                .as("what the voter with the empty disk was given")
                .isZero();
        simulation.time.runFor(5_000, () -> false);
        assertThat(simulation.answeredCount()).as("the other two go on").isGreaterThan(answered);
        assertThat(simulation.violations).isEmpty();
    }

    private static void runSeeds(int voters, long firstSeed, int seeds) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            QuorumSimulation simulation = new QuorumSimulation(seed, voters);
            assertThat(simulation.run(SECONDS)).as("%s", simulation).isEmpty();
        }
    }
}
