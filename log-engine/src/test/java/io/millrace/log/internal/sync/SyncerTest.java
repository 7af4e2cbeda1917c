package io.millrace.log.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.LogRole;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.LockedDirectory;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.MetaProperties;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.journal.CommitJournal;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SyncerTest {
    private final FakeDisk disk = new FakeDisk(new Random(1));
    private final FileCache cache = new FileCache(10);
    private final FakeTimeSource time = new FakeTimeSource(Long.MAX_VALUE - 1_000_000, 0);
    private final DataDirectory directory = DataDirectory.open(
            LockedDirectory.lock(disk.root().resolve("data")),
            new MetaProperties("cluster", 1, new UUID(1, 1), "", false),
            "",
            0,
            cache);
    private final CommitJournal journal = new CommitJournal(cache, directory.path(), directory.syncedOffsets(), 77, 0);
    private final Syncer syncer = new Syncer(directory, journal, 10, time, Runnable::run, Optional.empty());

    /** A log with one more record at each sync. */
    private class Target implements SyncTarget {
        private final LogKey key = new LogKey(new UUID(2, 2), 0, LogRole.DATA);
        private final SyncedOffsets.Entry entry;
        private final List<Long> forced = new ArrayList<>();
        private final List<DirectoryReadOnlyException> failures = new ArrayList<>();
        private @Nullable IOException failure;
        private int forces;
        private long end;

        Target() throws IOException {
            entry = directory.syncedOffsets().enter(key, LogCheckpoint.emptyAt(0));
        }

        @Override
        public Optional<SyncJob> beginSync() {
            end++;
            LogCheckpoint checkpoint = new LogCheckpoint(new SyncedPoint(end, 0, (int) end), 0);
            return Optional.of(new SyncJob(this, List.of(this::force), entry, 0, checkpoint, Optional.empty()));
        }

        void force() throws IOException {
            forces++;
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public void onForced(SyncJob job) {
            forced.add(job.checkpoint().synced().offset());
        }

        @Override
        public void onJournaled(SyncJob job) {
            throw new AssertionError("there is no journal");
        }

        @Override
        public Optional<SyncJob> beginSettling() {
            throw new AssertionError("there is no journal");
        }

        @Override
        public void onSettled(SyncJob job) {
            throw new AssertionError("there is no journal");
        }

        @Override
        public void onSyncImpossible(DirectoryReadOnlyException why) {
            failures.add(why);
        }

        private long recorded() {
            return directory.syncedOffsets().find(key).orElseThrow().synced().offset();
        }
    }

    @Test
    void shouldTellHowManyLogsSharedARoundAndHowLongItTook() throws IOException {
        List<String> rounds = new ArrayList<>();
        Syncer observed = new Syncer(
                directory,
                journal,
                10,
                time,
                Runnable::run,
                Optional.empty(),
                (logs, forces, durationNs) -> rounds.add(logs + " logs, " + forces + " forces, " + durationNs + " ns"));
        Target target = new Target() {
            @Override
            void force() throws IOException {
                time.advanceMs(3);
                super.force();
            }
        };
        observed.sync(target);
        observed.runRound();
        observed.runRound();
        observed.runRound();

        assertThat(rounds).containsExactly("1 logs, 1 forces, 3000000 ns", "0 logs, 1 forces, 0 ns");
    }

    @Test
    void shouldSyncOncePerRoundHoweverOftenItIsAsked() throws IOException {
        Target target = new Target();
        syncer.sync(target);
        syncer.sync(target);
        syncer.syncBy(target, time.nanoTime());

        assertThat(syncer.runRound()).isEqualTo(1);

        assertThat(target.forced).containsExactly(1L);
        assertThat(syncer.runRound()).isZero();
    }

    @Test
    void shouldWaitForItsTimeAcrossTheOverflowOfTheClock() throws IOException {
        Target target = new Target();
        syncer.syncBy(target, time.nanoTime() + 2_000_000);
        assertThat(syncer.runRound()).isZero();
        time.advanceNs(1_999_999);
        assertThat(syncer.runRound()).isZero();

        time.advanceNs(1);

        assertThat(syncer.runRound()).isEqualTo(1);
    }

    @Test
    void shouldHaveNoRoundForATimeThatAnEarlierRoundHasMet() throws IOException {
        Target target = new Target();
        syncer.syncBy(target, time.nanoTime() + 2_000_000);
        time.advanceNs(1_000_000);
        syncer.sync(target);
        assertThat(syncer.runRound()).isEqualTo(1);
        syncer.syncBy(target, time.nanoTime() + 2_000_000);

        time.advanceNs(1_500_000);
        assertThat(syncer.runRound()).as("what came since has its own time").isZero();
        time.advanceNs(500_000);
        assertThat(syncer.runRound()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheEarlierOfTwoTimes() throws IOException {
        Target target = new Target();
        syncer.syncBy(target, time.nanoTime() + 1_000_000);
        syncer.syncBy(target, time.nanoTime() + 3_000_000);

        time.advanceNs(1_000_000);
        assertThat(syncer.runRound()).isEqualTo(1);
        time.advanceNs(2_000_000);
        assertThat(syncer.runRound()).isZero();
    }

    @Test
    void shouldTakeAlongWhatAsksForNoRoundItself() throws IOException {
        Target companion = new Target();
        Target target = new Target();
        syncer.syncAlong(companion);
        assertThat(syncer.runRound()).as("nobody has asked for a round").isZero();

        syncer.sync(target);

        assertThat(syncer.runRound()).isEqualTo(2);
        assertThat(companion.forced).containsExactly(1L);
        syncer.sync(target);
        assertThat(syncer.runRound()).as("once for each time that it asked").isEqualTo(1);
    }

    @Test
    void shouldRecordInTheRoundAfter() throws IOException {
        Target target = new Target();
        syncer.sync(target);
        syncer.runRound();
        assertThat(target.recorded()).isZero();

        syncer.sync(target);
        syncer.runRound();
        assertThat(target.recorded()).isEqualTo(1);

        syncer.runRound();
        assertThat(target.recorded()).as("nothing else came").isEqualTo(2);
    }

    @Test
    void shouldNeverForceAgainWhatFailedOnce() throws IOException {
        Target target = new Target();
        target.failure = new IOException("Input/output error");
        syncer.sync(target);
        syncer.runRound();
        target.failure = null;
        syncer.sync(target);
        syncer.runRound();

        assertThat(target.forces).isEqualTo(1);
        assertThat(target.forced).isEmpty();
        assertThat(target.failures).hasSize(2);
        assertThat(directory.failure()).isPresent();
    }

    @Test
    void shouldTryAgainWhenAFileCouldNotBeOpened() throws IOException {
        Target target = new Target();
        target.failure = new FileSystemException("/data/x.log", null, "Too many open files");
        syncer.sync(target);
        syncer.runRound();
        assertThat(target.forced).isEmpty();
        assertThat(target.failures).isEmpty();
        assertThat(directory.failure()).isEmpty();
        target.failure = null;
        assertThat(syncer.runRound()).as("not at once").isZero();

        time.advanceMs(100);
        syncer.runRound();

        assertThat(target.forced).hasSize(1);
    }

    @Test
    void shouldTakeTheWorseOfTwoFailures() throws IOException {
        Target broken = new Target();
        broken.failure = new IOException("Input/output error");
        Target unopened = new Target();
        unopened.failure = new FileSystemException("/data/x.log", null, "Too many open files");
        syncer.sync(unopened);
        syncer.sync(broken);
        syncer.sync(unopened);

        syncer.runRound();

        assertThat(directory.failure()).isPresent();
        assertThat(broken.failures).hasSize(1);
        assertThat(unopened.failures).hasSize(1);
    }

    @Test
    void shouldDoChoresAfterTheRound() throws IOException {
        Target target = new Target();
        List<Integer> seen = new ArrayList<>();
        syncer.sync(target);
        syncer.later(() -> seen.add(target.forced.size()));

        syncer.runRound();

        assertThat(seen).containsExactly(1);
    }
}
