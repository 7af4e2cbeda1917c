package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.LogDumper.BatchEntry;
import io.millrace.log.LogDumper.FileEntry;
import io.millrace.log.LogDumper.ProblemEntry;
import io.millrace.log.LogDumper.RecordEntry;
import io.millrace.log.VerifyReport.Severity;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.SteppedExecutor;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.FirstFormat;
import io.millrace.wire.record.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code log verify} and {@code log dump}. */
class LogToolsTest {
    private static final UUID LOG_ID = new UUID(3, 4);

    private final FakeDisk disk = new FakeDisk(new Random(7));
    private final SteppedExecutor shard = new SteppedExecutor();
    private final Path data = disk.root().resolve("data");
    private final Path log = data.resolve("q-0");
    private @Nullable DiskLogStorage storage;

    @BeforeEach
    void fill() {
        DiskLogStorage opened = DiskLogStorage.builder(List.of(data), new FakeTimeSource(), new Random(5))
                .open();
        storage = opened;
        PartitionLog q = opened.create(
                new PartitionId("q", 0),
                LogRole.DATA,
                LOG_ID,
                LogConfig.builder().segmentBytes(1000).indexIntervalBytes(150).build(),
                shard,
                new RecordingSyncListener());
        for (int i = 0; i < 12; i++) {
            q.append(Batches.fromProducer(7, 1, i, "value-" + i), 2, AppendOrigin.CLIENT);
        }
        q.append(Batches.inTransaction(8, 0, 0, "aborted"), 2, AppendOrigin.CLIENT);
        q.append(Batches.marker(8, 0, EndTransactionMarker.abort(1)), 3, AppendOrigin.COORDINATOR);
        opened.create(
                new PartitionId("q", 0),
                LogRole.CURSORS,
                LOG_ID,
                LogConfig.DEFAULT,
                shard,
                new RecordingSyncListener());
    }

    private void stop() {
        if (storage != null) {
            storage.close();
        }
    }

    private Path segment(String suffix) {
        return log.resolve("00000000000000000000" + suffix);
    }

    // ---- verify -------------------------------------------------------------------------------------------------

    @Test
    void shouldFindNothingWrongInAWholeDirectory() {
        stop();

        VerifyReport report = LogVerifier.verify(data);

        assertThat(report.findings()).isEmpty();
        assertThat(report.isHealthy()).isTrue();
        assertThat(report.logs()).isEqualTo(2);
        assertThat(report.segments()).isEqualTo(3);
        assertThat(report.batches()).isEqualTo(14);
        assertThat(report.bytes()).isGreaterThan(1000);
    }

    @Test
    void shouldRefuseADirectoryThatABrokerUses() {
        assertThatThrownBy(() -> LogVerifier.verify(data))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("in use by another broker");
    }

    @Test
    void shouldRefuseWhatIsNoDataDirectory() throws IOException {
        assertThatThrownBy(() -> LogVerifier.verify(disk.root().resolve("none")))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("there is no data directory");
        Path empty = Files.createDirectory(disk.root().resolve("empty"));
        assertThatThrownBy(() -> LogVerifier.verify(empty))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("no meta.properties");
    }

    @Test
    void shouldReportADamagedBatchWithItsPlace() throws IOException {
        stop();
        long batchBytes = Batches.fromProducer(7, 1, 0, "value-0").remaining();
        disk.corrupt(segment(".log"), 4 * batchBytes + 64, 1);

        VerifyReport report = LogVerifier.verify(data);

        assertThat(report.isHealthy()).isFalse();
        VerifyReport.Finding finding = report.findings().getFirst();
        assertThat(finding.severity()).isEqualTo(Severity.DAMAGE);
        assertThat(finding.file()).isEqualTo(segment(".log"));
        assertThat(finding.offset()).isEqualTo(4);
        assertThat(finding.message()).contains("the checksum of the batch with offsets 4..4 is wrong", "offset 4 lost");
        assertThat(finding.remedy()).contains("--repair --accept-loss", "without offset 4");
        assertThat(finding.toString()).contains("DAMAGE /data/q-0/00000000000000000000.log at ", "(offset 4)");
    }

    @Test
    void shouldTellATornTailFromDamage() throws IOException {
        stop();
        Path last = log.resolve("%020d.log".formatted(lastBase()));
        try (FileChannel channel = FileChannel.open(last, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(30), channel.size());
        }

        VerifyReport report = LogVerifier.verify(data);

        assertThat(report.isHealthy()).isTrue();
        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.REPAIRABLE);
            assertThat(finding.message()).contains("the next start cuts it off");
        });
    }

    private long lastBase() throws IOException {
        try (var files = Files.list(log)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".log"))
                    .mapToLong(name -> Long.parseLong(name.substring(0, 20)))
                    .max()
                    .orElseThrow();
        }
    }

    @Test
    void shouldReportAMissingEnd() throws IOException {
        stop();
        Files.delete(log.resolve("%020d.log".formatted(lastBase())));

        VerifyReport report = LogVerifier.verify(data);

        assertThat(report.isHealthy()).isFalse();
        assertThat(report.findings().getLast().message()).contains("everything below offset 14 was synced");
    }

    @Test
    void shouldReportDerivedFilesThatAreWrong() throws IOException {
        stop();
        disk.corrupt(segment(".index"), 7, 1);
        disk.corrupt(segment(".timeindex"), 2, 1);
        Files.writeString(log.resolve("leader-epoch-checkpoint"), "0\nrubbish\n");
        disk.corrupt(log.resolve("00000000000000000014.snapshot"), 20, 1);

        VerifyReport report = LogVerifier.verify(data);

        assertThat(report.isHealthy()).as("all of it can be made anew").isTrue();
        assertThat(report.findings())
                .extracting(finding -> String.valueOf(finding.file().getFileName()))
                .containsExactlyInAnyOrder(
                        "leader-epoch-checkpoint",
                        "00000000000000000014.snapshot",
                        "00000000000000000000.index",
                        "00000000000000000000.timeindex");
    }

    @Test
    void shouldReportAChangedEpoch() throws IOException {
        stop();
        disk.corrupt(segment(".log"), 15, 4);

        assertThat(LogVerifier.verify(data).findings().getFirst().message())
                .contains("has leader epoch 6, and was written in epoch 2");
    }

    // ---- repair -------------------------------------------------------------------------------------------------

    private List<String> served() {
        DiskLogStorage opened = DiskLogStorage.builder(List.of(data), new FakeTimeSource(), new Random(5))
                .open();
        try {
            return Batches.readAll(opened.open(
                    new PartitionId("q", 0),
                    LogRole.DATA,
                    LOG_ID,
                    LogConfig.DEFAULT,
                    shard,
                    new RecordingSyncListener()));
        } finally {
            opened.close();
        }
    }

    @Test
    void shouldRefuseToRepairADirectoryThatABrokerUses() {
        assertThatThrownBy(() -> LogVerifier.repair(data, true, List.of()))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("in use by another broker");
    }

    @Test
    void shouldLoseNothingWithoutBeingTold() throws IOException {
        stop();
        long batchBytes = Batches.fromProducer(7, 1, 0, "value-0").remaining();
        disk.corrupt(segment(".log"), 4 * batchBytes + 64, 1);
        byte[] damaged = Files.readAllBytes(segment(".log"));

        RepairReport report = LogVerifier.repair(data, false, List.of());

        assertThat(report.refused()).singleElement().asString().contains("/data/q-0", "offset 4", "--accept-loss");
        assertThat(report.done()).isEmpty();
        assertThat(Files.readAllBytes(segment(".log"))).isEqualTo(damaged);
        assertThatThrownBy(this::served).isInstanceOf(LogDamagedException.class).hasMessageContaining("log verify");
    }

    @Test
    void shouldGiveUpJustWhatIsDamagedAndKeepItsBytes() throws IOException {
        stop();
        int batchBytes = Batches.fromProducer(7, 1, 0, "value-0").remaining();
        disk.corrupt(segment(".log"), 4 * batchBytes + 64, 1);
        byte[] damaged = Files.readAllBytes(segment(".log"));

        RepairReport report = LogVerifier.repair(data, true, List.of());

        assertThat(report.refused()).isEmpty();
        assertThat(report.after().findings()).isEmpty();
        assertThat(served())
                .containsExactly(
                        "0=value-0",
                        "1=value-1",
                        "2=value-2",
                        "3=value-3",
                        "5=value-5",
                        "6=value-6",
                        "7=value-7",
                        "8=value-8",
                        "9=value-9",
                        "10=value-10",
                        "11=value-11",
                        "12=aborted",
                        "marker");
        assertThat(Files.readAllBytes(log.resolve("00000000000000000000.log." + 4 * batchBytes + ".damaged")))
                .isEqualTo(Arrays.copyOfRange(damaged, 4 * batchBytes, 5 * batchBytes));
        assertThat(report.done()).contains("the next start counts as one after a power loss");
    }

    @Test
    void shouldSetHeadersRightThatTheRestProves() throws IOException {
        stop();
        long batchBytes = Batches.fromProducer(7, 1, 0, "value-0").remaining();
        byte[] whole = Files.readAllBytes(segment(".log"));
        disk.corrupt(segment(".log"), batchBytes + 6, 4);
        disk.corrupt(segment(".log"), 3 * batchBytes + 9, 8);
        disk.corrupt(segment(".log"), 5 * batchBytes + 16, 1);
        disk.corrupt(segment(".log"), 6 * batchBytes + 18, 64);

        VerifyReport found = LogVerifier.verify(data);
        RepairReport report = LogVerifier.repair(data, false, List.of());

        assertThat(found.findings()).extracting(VerifyReport.Finding::severity).containsOnly(Severity.NEEDS_REPAIR);
        assertThat(found.isHealthy()).isFalse();
        assertThat(report.refused()).isEmpty();
        assertThat(report.after().findings()).isEmpty();
        assertThat(Files.readAllBytes(segment(".log"))).isEqualTo(whole);
    }

    @Test
    void shouldNeitherLoseSegmentsNorRecordsToAWrongEpochFile() throws IOException {
        stop();
        Files.writeString(log.resolve("leader-epoch-checkpoint"), "0\n2\n2 8\n3 13\n");

        assertThat(served()).hasSize(14);
    }

    @Test
    void shouldMakeTheIndexOfAbortedTransactionsAnew() throws IOException {
        stop();
        Path index;
        try (var files = Files.list(log)) {
            index = files.filter(file -> file.toString().endsWith(".txnindex"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] whole = Files.readAllBytes(index);
        disk.corrupt(index, 17, 1);
        assertThat(LogVerifier.verify(data).findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.file()).isEqualTo(index))
                .satisfies(finding -> assertThat(finding.position()).isEqualTo(17));

        LogVerifier.repair(data, false, List.of());
        assertThat(Files.readAllBytes(index)).isEqualTo(whole);
        Files.delete(index);
        LogVerifier.repair(data, false, List.of());

        assertThat(Files.readAllBytes(index)).isEqualTo(whole);
    }

    @Test
    void shouldNotTakeADirectoryWithoutItsMetaFileForANewOne() throws IOException {
        stop();
        Files.delete(data.resolve("meta.properties"));

        assertThatThrownBy(this::served)
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("meta.properties is missing");
        assertThat(LogVerifier.verify(data).isHealthy()).isFalse();
        assertThat(LogVerifier.repair(data, false, List.of()).after().findings())
                .isEmpty();
        assertThat(served()).hasSize(14);
    }

    @Test
    void shouldNotBeginALogAgainWhoseDirectoryIsGone() throws IOException {
        stop();
        try (var files = Files.walk(log)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        DiskLogStorage opened = DiskLogStorage.builder(List.of(data), new FakeTimeSource(), new Random(5))
                .open();

        assertThatThrownBy(() -> opened.create(
                        new PartitionId("q", 0),
                        LogRole.DATA,
                        LOG_ID,
                        LogConfig.DEFAULT,
                        shard,
                        new RecordingSyncListener()))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("/data/q-0 is missing, and the log in it had 14 offsets");
        assertThat(opened.directories().getFirst().failure()).isEmpty();
        opened.close();
    }

    // ---- dump ---------------------------------------------------------------------------------------------------

    private static List<LogDumper.Entry> dump(Path path, boolean records) {
        List<LogDumper.Entry> entries = new ArrayList<>();
        LogDumper.dump(path, records, entries::add);
        return entries;
    }

    @Test
    void shouldShowBatchesAndRecords() {
        stop();

        List<LogDumper.Entry> entries = dump(segment(".log"), true);

        assertThat(entries.getFirst()).isInstanceOf(FileEntry.class);
        assertThat(entries.get(1)).isInstanceOfSatisfying(BatchEntry.class, batch -> {
            assertThat(batch.baseOffset()).isZero();
            assertThat(batch.producerId()).isEqualTo(7);
            assertThat(batch.leaderEpoch()).isEqualTo(2);
            assertThat(batch.crcValid()).isTrue();
        });
        assertThat(entries.get(1).toString())
                .contains("batch at 0: offsets 0..0, 1 records", "producer 7 epoch 1 sequence 0", "compression none");
        assertThat(entries.get(2)).isEqualTo(new RecordEntry(0, 1000, "", "value-0", List.of()));
        assertThat(entries.get(2)).hasToString("  record 0: timestamp 1000, value value-0");
        assertThat(dump(segment(".log"), false)).hasSize(1 + (entries.size() - 1) / 2);
    }

    @Test
    void shouldShowBytesThatAreNoText() {
        PartitionLog binary = Objects.requireNonNull(storage)
                .create(
                        new PartitionId("binary", 0),
                        LogRole.DATA,
                        new UUID(5, 6),
                        LogConfig.DEFAULT,
                        shard,
                        new RecordingSyncListener());
        var builder = Batches.builder();
        builder.tryAppend(
                7,
                "kä".getBytes(StandardCharsets.UTF_8),
                new byte[] {'a', 0, (byte) 0xff, '\\'},
                List.of(new RecordHeader("h", "x".getBytes(StandardCharsets.UTF_8))));
        binary.append(builder.build(), 0, AppendOrigin.CLIENT);

        assertThat(dump(data.resolve("binary-0/00000000000000000000.log"), true).getLast())
                .isEqualTo(new RecordEntry(0, 7, "kä", "a\\x00\\xff\\x5c", List.of("h=x")));
    }

    @Test
    void shouldShowAllFilesOfALog() {
        stop();

        assertThat(dump(log, false).stream().map(Object::toString))
                .anyMatch(line -> line.startsWith("offset 3: position "))
                .anyMatch(line -> line.equals("up to offset 13: timestamp 1000") || line.startsWith("up to offset "))
                .anyMatch(line -> line.equals("aborted: producer 8, offsets 12..13, last stable offset 14"))
                .anyMatch(line -> line.startsWith("producer 7 epoch 1: sequence 11..11 at offset 11; sequence 10..10"))
                .contains("epoch 2 begins at offset 0", "epoch 3 begins at offset 13");
    }

    @Test
    void shouldShowDamageAndGoOnWhereItCan() throws IOException {
        stop();
        long batchBytes = Batches.fromProducer(7, 1, 0, "value-0").remaining();
        disk.corrupt(segment(".log"), 2 * batchBytes + 64, 1);
        try (FileChannel channel = FileChannel.open(segment(".log"), StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
        }

        List<LogDumper.Entry> entries = dump(segment(".log"), true);

        assertThat(entries.stream().map(Object::toString)).anyMatch(line -> line.endsWith("WRONG CHECKSUM"));
        assertThat(entries.getLast())
                .isInstanceOfSatisfying(
                        ProblemEntry.class,
                        problem -> assertThat(problem.toString())
                                .startsWith("PROBLEM at ")
                                .contains("no whole batch"));
    }

    @Test
    void shouldRefuseFilesThatAreNoneOfALog() {
        assertThatThrownBy(() -> dump(data.resolve("meta.properties"), true))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("is no file of a log");
        assertThatThrownBy(() -> dump(data, true)).hasMessageContaining("it has no segments");
        assertThatThrownBy(() -> dump(data.resolve("none.log"), true)).isInstanceOf(DataDirectoryException.class);
    }

    @Test
    void shouldShowMessagesAsEntriesOfTheFirstFormat(@TempDir Path files) throws IOException {
        ByteBuffer hello = FirstFormat.encode(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)));
        ByteBuffer damaged = FirstFormat.encode(ByteBuffer.wrap("world".getBytes(StandardCharsets.UTF_8)));
        damaged.put(9, (byte) 'W');
        Path first = Files.write(
                files.resolve("00000000000.kafka"), Batches.join(hello, damaged).array());
        Path now = Files.write(
                files.resolve("00000000000000000000.log"),
                Batches.join(Batches.of("hello", "there")).array());

        assertThat(linesAsFirstFormat(first))
                .containsExactly(
                        "entry 0: length 10, magic 0, crc 3610a686, payload 5 bytes: hello",
                        "entry 14: length 10, magic 0, crc 3a771143 (WRONG), payload 5 bytes: World");
        assertThat(linesAsFirstFormat(now))
                .containsExactly(
                        "entry 0: length 10, magic 0, crc 3610a686, payload 5 bytes: hello",
                        "entry 1: length 10, magic 0, crc 5a2fe996, payload 5 bytes: there");
        Path torn = Files.write(files.resolve("torn.kafka"), Arrays.copyOf(hello.array(), 12));
        assertThat(linesAsFirstFormat(torn)).hasSize(1).first().asString().startsWith("PROBLEM at 0");
    }

    private static List<String> linesAsFirstFormat(Path file) {
        List<String> lines = new ArrayList<>();
        LogDumper.dumpAsFirstFormat(file, entry -> lines.add(entry.toString()));
        return lines.subList(1, lines.size());
    }
}
