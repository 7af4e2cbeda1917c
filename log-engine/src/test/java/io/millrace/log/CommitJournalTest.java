package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.SteppedExecutor;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rounds of many logs, which write to the commit journal, and what a start makes of it. */
class CommitJournalTest {
    private static final int FIRST_BLOCK = 4096;

    private final FakeDisk disk = new FakeDisk(new Random(7));
    private final FakeTimeSource time = new FakeTimeSource();
    private final SteppedExecutor shard = new SteppedExecutor();
    private final Path data = disk.root().resolve("data");
    private final List<PartitionLog> logs = new ArrayList<>();
    private final RecordingSyncListener listener = new RecordingSyncListener();
    private @Nullable DiskLogStorage storage;
    private int boot;
    private boolean currentBoot;

    private DiskLogStorage storage() {
        if (storage == null) {
            throw new IllegalStateException("not started");
        }
        return storage;
    }

    private void start(long journalBytes) {
        start(journalBytes, 0);
    }

    private void start(long journalBytes, long reserveBytes) {
        DiskLogStorage opened = DiskLogStorage.builder(List.of(data), time, new Random(1))
                .bootId(currentBoot ? BootId.current() : "boot-" + boot)
                .commitJournalBytes(journalBytes)
                .reserveBytes(reserveBytes)
                .open();
        storage = opened;
        logs.clear();
        shard.dropAll();
        for (int i = 0; i < 5; i++) {
            PartitionId id = new PartitionId("q" + i, 0);
            UUID logId = new UUID(3, i);
            logs.add(
                    opened.find(id, LogRole.DATA).isPresent()
                            ? opened.open(id, LogRole.DATA, logId, LogConfig.DEFAULT, shard, listener)
                            : opened.create(id, LogRole.DATA, logId, LogConfig.DEFAULT, shard, listener));
        }
        runRounds();
    }

    private void appendToAll(String value) {
        for (PartitionLog log : logs) {
            log.append(Batches.of(value), 0, AppendOrigin.CLIENT);
            log.requestSync();
        }
    }

    /** One round, and what the shard hears of it. */
    private void round() {
        storage().runSyncRounds();
        shard.runAll();
    }

    private void runRounds() {
        for (int i = 0; i < 3; i++) {
            round();
        }
    }

    private void cutPower() {
        disk.crash();
        disk.restart();
        boot++;
    }

    private Path journal(int number) {
        return data.resolve("commit-journal-" + number);
    }

    @Test
    void shouldSyncManyLogsWithOneForce() {
        start(1 << 20);
        appendToAll("one");
        round();
        appendToAll("two");
        long before = disk.operations();

        round();

        assertThat(disk.operations() - before).as("a write and a force").isEqualTo(2);
        assertThat(logs).allSatisfy(log -> assertThat(log.syncedOffset()).isEqualTo(2));
    }

    /** The reserve's space is for cursors and metadata: a journal of a mebibyte would take it from them. */
    @Test
    void shouldNotGrowTheJournalWithWhatTheReserveGave() throws IOException {
        start(1 << 20);
        storage().close();
        start(1 << 20, 3 << 20);
        assertThat(journal(0)).doesNotExist();
        disk.capacityBytes(Long.MAX_VALUE - Files.getFileStore(data).getUsableSpace());
        for (PartitionLog log : logs) {
            log.append(Batches.of("m"), 0, AppendOrigin.COORDINATOR);
            log.requestSync();
        }

        round();

        assertThat(journal(0)).doesNotExist();
        assertThat(logs).allSatisfy(log -> assertThat(log.syncedOffset()).isEqualTo(1));
        assertThat(storage().directories().getFirst().reserveBytes()).isEqualTo(2 << 20);
        disk.capacityBytes(Long.MAX_VALUE);
        storage().maintain();
        appendToAll("b");
        round();
        assertThat(journal(0)).exists();
    }

    @Test
    void shouldForceTheFileOfALogThatHasMuch() {
        start(1 << 20);
        logs.getFirst().append(Batches.of("x".repeat(100_000)), 0, AppendOrigin.CLIENT);
        logs.getFirst().requestSync();

        round();

        assertThat(logs.getFirst().syncedOffset()).isEqualTo(1);
        assertThat(Files.exists(journal(0))).isFalse();
    }

    /** Each queue that a client created cost all others a force of synced-offsets, and a round of its own. */
    @Test
    void shouldForceNothingForALogThatHasAnEpochAndNoRecords() {
        start(1 << 20);
        runRounds();
        long before = disk.operations();

        for (PartitionLog log : logs) {
            log.beginEpoch(3);
            log.requestSync();
        }
        runRounds();

        assertThat(disk.operations() - before).isZero();
        for (PartitionLog log : logs) {
            log.append(Batches.of("one"), 3, AppendOrigin.CLIENT);
            log.requestSync();
        }
        round();
        cutPower();
        start(1 << 20);
        assertThat(logs).allSatisfy(log -> assertThat(Batches.readAll(log)).containsExactly("0=one"));
    }

    @Test
    void shouldPutBackAfterAPowerLossWhatOnlyTheJournalHad() throws IOException {
        start(1 << 20);
        appendToAll("one");
        round();
        appendToAll("two");
        round();

        cutPower();
        assertThat(Files.exists(journal(0))).isTrue();
        start(1 << 20);

        assertThat(logs).allSatisfy(log -> assertThat(Batches.readAll(log)).containsExactly("0=one", "1=two"));
    }

    @Test
    void shouldSettleAndReuseAFileWhenItIsFull() throws IOException {
        start(32 << 10);
        for (int i = 0; i < 200; i++) {
            appendToAll("value " + i);
            round();
        }

        assertThat(Files.size(journal(0))).isLessThanOrEqualTo(32 << 10);
        assertThat(Files.size(journal(1))).isLessThanOrEqualTo(32 << 10);
        cutPower();
        start(32 << 10);
        assertThat(logs).allSatisfy(log -> assertThat(log.logEndOffset()).isEqualTo(200));
    }

    @Test
    void shouldHaveNothingToReplayAfterASecondOfRest() throws IOException {
        start(1 << 20);
        appendToAll("one");
        round();
        time.advanceMs(1000);
        for (int i = 0; i < 10; i++) {
            round();
        }

        cutPower();
        Files.delete(journal(0));
        start(1 << 20);

        assertThat(logs).allSatisfy(log -> assertThat(log.logEndOffset()).isEqualTo(1));
    }

    @Test
    void shouldSayNothingMoreOfALogThatIsCut() {
        start(1 << 20);
        appendToAll("one");
        round();
        appendToAll("two");
        round();
        PartitionLog cut = logs.get(2);

        cut.truncateTo(1);
        cut.append(Batches.of("another"), 1, AppendOrigin.CLIENT);
        cutPower();
        start(1 << 20);

        assertThat(Batches.readAll(logs.get(2))).first().isEqualTo("0=one");
        assertThat(Batches.readAll(logs.get(2))).doesNotContain("1=two");
        assertThat(Batches.readAll(logs.get(3))).containsExactly("0=one", "1=two");
    }

    @Test
    void shouldReportADamagedBlockThatIsNotTheLast() throws IOException {
        start(1 << 20);
        for (String value : List.of("one", "two", "three")) {
            appendToAll(value);
            round();
        }
        disk.kill();
        disk.restart();
        disk.corrupt(journal(0), FIRST_BLOCK + 100, 1);

        assertThatThrownBy(() -> start(1 << 20))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("commit-journal-0 is damaged at position 4096")
                .hasMessageContaining("another one follows");
        assertThat(LogVerifier.verify(data).findings())
                .anySatisfy(finding -> assertThat(finding.message()).contains("commit-journal-0 is damaged"));
    }

    @Test
    void shouldFindNoDamageInLogsThatAJournalCompletes() throws IOException {
        start(1 << 20);
        appendToAll("one");
        round();
        appendToAll("two, and a longer value than the first one");
        round();
        cutPower();

        VerifyReport report = LogVerifier.verify(data);

        assertThat(report.findings())
                .allSatisfy(finding -> assertThat(finding.severity()).isNotEqualTo(VerifyReport.Severity.DAMAGE));
        assertThat(Files.exists(journal(0))).isTrue();
    }

    /** The process is killed; later a batch is damaged that the journal has, too: the last one of a log, and one in the middle. */
    @Test
    void shouldNotCallDamagedWhatTheJournalPutsBack() throws IOException {
        currentBoot = true;
        start(1 << 20);
        appendToAll("one");
        round();
        appendToAll("two");
        round();
        disk.kill();
        disk.restart();
        Path last = data.resolve("q2-0/00000000000000000000.log");
        Path middle = data.resolve("q3-0/00000000000000000000.log");
        disk.corrupt(last, Files.size(last) - 3, 1);
        disk.corrupt(middle, 65, 1);
        disk.corrupt(middle, 66, 1);

        VerifyReport report = LogVerifier.verify(data);

        assertThat(report.isHealthy()).as(report.toString()).isTrue();
        assertThat(report.findings())
                .anySatisfy(finding -> assertThat(finding.message())
                        .contains("the commit journal holds")
                        .contains("bytes of synced records of 5 logs")
                        .contains("q2-0 offsets 0..1"))
                .anySatisfy(finding -> {
                    assertThat(finding.file()).isEqualTo(last);
                    assertThat(finding.message()).contains("the commit journal holds offset 1, which belong here");
                })
                .anySatisfy(finding -> {
                    assertThat(finding.file()).isEqualTo(middle);
                    assertThat(finding.message()).contains("the commit journal holds offsets 0..1");
                })
                .noneSatisfy(finding -> assertThat(finding.remedy()).contains("cuts it off"));
        start(1 << 20);
        assertThat(logs).allSatisfy(log -> assertThat(Batches.readAll(log)).containsExactly("0=one", "1=two"));
    }

    @Test
    void shouldSayWhatTheJournalHoldsOfFilesThatEndBefore() throws IOException {
        start(1 << 20);
        appendToAll("one");
        round();
        appendToAll("two");
        round();
        cutPower();
        Path file = data.resolve("q1-0/00000000000000000000.log");
        if (Files.exists(file)) {
            Files.write(file, new byte[0]);
        }

        VerifyReport report = LogVerifier.verify(data);

        assertThat(report.isHealthy()).as(report.toString()).isTrue();
        assertThat(report.findings())
                .anySatisfy(finding -> assertThat(finding.message())
                        .contains("its files end here; the commit journal holds offsets 0..1"));
        start(1 << 20);
        assertThat(logs).allSatisfy(log -> assertThat(Batches.readAll(log)).containsExactly("0=one", "1=two"));
    }

    @Test
    void shouldMakeTheDirectoryReadOnlyWhenTheJournalCannotBeForced() {
        start(1 << 20);
        appendToAll("one");
        disk.failForces(true);

        round();

        assertThat(storage().directories().getFirst().failure()).isPresent();
        assertThat(logs).allSatisfy(log -> assertThat(log.syncedOffset()).isZero());
        assertThat(listener.failures).isNotEmpty();
    }

    @Test
    void shouldForceTheFilesWhenThereIsNoSpaceForTheJournal() throws IOException {
        start(1 << 20);
        for (PartitionLog log : logs) {
            log.append(Batches.of("one"), 0, AppendOrigin.CLIENT);
            log.requestSync();
        }
        runRounds();
        for (PartitionLog log : logs) {
            log.append(Batches.of("two"), 0, AppendOrigin.CLIENT);
            log.requestSync();
        }
        time.advanceMs(2000);
        storage().close();
        start(1 << 20);
        for (PartitionLog log : logs) {
            log.append(Batches.of("three"), 0, AppendOrigin.CLIENT);
            log.requestSync();
        }
        assertThat(Files.exists(journal(0))).isFalse();
        disk.capacityBytes(0);

        runRounds();

        assertThat(storage().directories().getFirst().failure()).isEmpty();
        assertThat(Files.exists(journal(0))).isFalse();
        assertThat(logs).allSatisfy(log -> assertThat(log.syncedOffset()).isEqualTo(3));
    }

    @Test
    void shouldLeaveNoJournalAfterACleanClose() throws IOException {
        start(1 << 20);
        appendToAll("one");
        round();
        assertThat(Files.exists(journal(0))).isTrue();

        storage().close();

        assertThat(Files.exists(journal(0))).isFalse();
        start(1 << 20);
        assertThat(storage().startKind()).isEqualTo(StartKind.CLEAN);
        assertThat(logs).allSatisfy(log -> assertThat(Batches.readAll(log)).containsExactly("0=one"));
    }

    @Test
    void shouldKeepTheJournalWhenLogsCouldNotBeForcedAtTheClose() throws IOException {
        start(1 << 20);
        appendToAll("one");
        round();
        disk.failForces(true);

        storage().close();

        disk.failForces(false);
        cutPower();
        start(1 << 20);
        assertThat(logs).allSatisfy(log -> assertThat(Batches.readAll(log)).containsExactly("0=one"));
    }
}
