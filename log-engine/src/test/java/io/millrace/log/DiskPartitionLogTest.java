package io.millrace.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.record.BatchTooLargeException;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DiskPartitionLogTest extends PartitionLogContract {
    private final FakeDisk disk = new FakeDisk(new Random(1));
    private @Nullable DiskLogStorage storage;

    @Override
    protected PartitionLog create(LogConfig config) {
        return open().create(PARTITION, LogRole.DATA, new UUID(1, 2), config, shard, listener);
    }

    private DiskLogStorage open() {
        DiskLogStorage opened = DiskLogStorage.builder(List.of(disk.root().resolve("data")), time, new Random(1))
                .open();
        storage = opened;
        return opened;
    }

    @Override
    protected void runSyncer() {
        if (storage != null) {
            storage.runSyncRounds();
        }
    }

    @AfterEach
    void close() {
        if (storage != null) {
            storage.close();
        }
    }

    @Test
    void shouldFindInTheFileWhatIsRead() throws IOException {
        PartitionLog log = create(
                LogConfig.builder().segmentBytes(8_000).indexIntervalBytes(300).build());
        Random random = new Random(5);
        while (log.logEndOffset() < 400) {
            log.append(Batches.of(values(random)), 0, AppendOrigin.CLIENT);
        }
        for (int i = 0; i < 2_000; i++) {
            long offset = random.nextInt(400);
            int maxBytes = random.nextInt(6_000);
            long end = random.nextBoolean() ? Long.MAX_VALUE : offset + random.nextInt(60);
            LogSlice read = log.read(offset, maxBytes, end);
            Optional<FileSlice> found = log.slice(offset, maxBytes, end);
            assertThat(found.isEmpty()).isEqualTo(read.isEmpty());
            if (found.isPresent()) {
                try (FileSlice slice = found.get()) {
                    assertThat(slice.firstOffset()).isEqualTo(read.firstOffset());
                    assertThat(slice.nextOffset()).isBetween(read.nextOffset(), Math.min(end, log.logEndOffset()));
                    assertThat(slice.lengthBytes()).isLessThanOrEqualTo(Math.max(maxBytes, read.sizeBytes()));
                    ByteBuffer content = Batches.content(slice, slice.lengthBytes());
                    assertThat(content.slice(0, read.sizeBytes())).isEqualTo(read.batches());
                    assertThat(Batches.records(content)).hasSize((int) (slice.nextOffset() - slice.firstOffset()));
                }
            }
        }
        assertThat(log.slice(log.logEndOffset(), 100, Long.MAX_VALUE)).isEmpty();
        assertThatThrownBy(() -> log.slice(500, 100, Long.MAX_VALUE)).isInstanceOf(OffsetOutOfRangeException.class);
    }

    private static String[] values(Random random) {
        String[] values = new String[1 + random.nextInt(5)];
        for (int i = 0; i < values.length; i++) {
            values[i] = "v".repeat(random.nextInt(random.nextInt(10) == 0 ? 2_000 : 50));
        }
        return values;
    }

    @Test
    void shouldCompressWithTheCodecOfTheLog() {
        for (Compression codec : Compression.values()) {
            PartitionId id = new PartitionId("as-" + codec.name().toLowerCase(Locale.ROOT), 0);
            CompressionConfig wanted = new CompressionConfig(Optional.of(codec), 9, 12, 19);
            PartitionLog log = (storage == null ? open() : storage)
                    .create(
                            id,
                            LogRole.DATA,
                            new UUID(3, codec.id()),
                            LogConfig.builder().compression(wanted).build(),
                            shard,
                            listener);
            for (Compression sent : Compression.values()) {
                RecordBatchBuilder builder = Batches.builder().compression(sent).producer(4, (short) 0, sent.id());
                builder.tryAppend(7, null, "much of the same, much of the same, much of the same".getBytes(UTF_8));
                log.append(builder.build(), 5, AppendOrigin.CLIENT);
                RecordBatch stored =
                        RecordBatch.at(log.read(sent.id(), 1, Long.MAX_VALUE).batches(), 0);
                assertThat(stored.compression()).isEqualTo(codec);
                assertThat(stored.isCrcValid()).isTrue();
                assertThat(stored.baseSequence()).isEqualTo(sent.id());
                assertThat(Batches.records(stored.slice()))
                        .containsExactly(sent.id() + "=much of the same, much of the same, much of the same");
            }
        }
    }

    @Test
    void shouldRefuseABatchThatIsTooLargeOnceItHasTheCodecOfTheLog() {
        PartitionLog log = create(LogConfig.builder()
                .compression(new CompressionConfig(Optional.of(Compression.NONE), 9, 12, 19))
                .maxBatchBytes(2000)
                .build());
        RecordBatchBuilder builder = Batches.builder().compression(Compression.GZIP);
        builder.tryAppend(7, null, "the same ".repeat(1000).getBytes(UTF_8));
        ByteBuffer small = builder.build();
        assertThat(small.remaining()).isLessThan(2000);

        assertThatThrownBy(() -> log.append(small, 5, AppendOrigin.CLIENT))
                .isInstanceOf(BatchTooLargeException.class)
                .hasMessageContaining("2000");
        assertThat(log.logEndOffset()).isZero();
    }

    @Test
    void shouldSyncAfterSoManyRecordsOrSoLong() {
        PartitionLog log = create(LogConfig.builder()
                .flush(FlushPolicy.OS)
                .flushMessages(3)
                .flushMs(100)
                .build());
        log.append(Batches.of("a", "b"), 0, AppendOrigin.CLIENT);
        runSyncer();
        assertThat(log.syncedOffset()).isZero();
        log.append(Batches.of("c"), 0, AppendOrigin.CLIENT);
        runSyncer();
        shard.runAll();
        assertThat(log.syncedOffset()).isEqualTo(3);

        log.append(Batches.of("d"), 0, AppendOrigin.CLIENT);
        time.advanceMs(101);
        runSyncer();
        shard.runAll();
        assertThat(log.syncedOffset()).isEqualTo(4);
    }

    @Test
    void shouldBeSyncedAlongWithAnotherLogUnlessTheOperatingSystemFlushes() {
        LogConfig usual = LogConfig.DEFAULT;
        LogConfig left = LogConfig.builder().flush(FlushPolicy.OS).build();
        DiskLogStorage logs = open();
        PartitionLog asking = logs.create(PARTITION, LogRole.DATA, new UUID(1, 2), usual, shard, listener);
        PartitionLog companion =
                logs.create(new PartitionId("orders", 1), LogRole.DATA, new UUID(1, 3), usual, shard, listener);
        PartitionLog lazy =
                logs.create(new PartitionId("orders", 2), LogRole.DATA, new UUID(1, 4), left, shard, listener);
        for (PartitionLog log : List.of(companion, lazy)) {
            log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
            log.syncAlong();
        }
        runSyncer();
        shard.runAll();
        assertThat(companion.syncedOffset()).as("nobody has asked for a round").isZero();

        asking.append(Batches.of("b"), 0, AppendOrigin.CLIENT);
        asking.requestSync();
        runSyncer();
        shard.runAll();

        assertThat(asking.syncedOffset()).isEqualTo(1);
        assertThat(companion.syncedOffset()).isEqualTo(1);
        assertThat(lazy.syncedOffset()).isZero();
    }

    @Test
    void shouldKeepAFileReadableThatIsRemovedMeanwhile() throws IOException {
        PartitionLog log = create(LogConfig.DEFAULT);
        log.append(Batches.of("a", "b"), 0, AppendOrigin.CLIENT);
        log.roll();
        log.append(Batches.of("c"), 0, AppendOrigin.CLIENT);
        log.requestSync();
        runSyncer();
        try (FileSlice slice = log.slice(0, 1_000, 2).orElseThrow()) {
            log.advanceLogStart(2);
            runSyncer();
            assertThat(log.segments()).hasSize(1);
            assertThat(Batches.records(Batches.content(slice, slice.lengthBytes())))
                    .containsExactly("0=a", "1=b");
        }
    }

    @Test
    void shouldNotOfferDamageThatItFindsInAFile() throws IOException {
        PartitionLog log = create(LogConfig.DEFAULT);
        for (String value : List.of("first", "second", "third")) {
            log.append(Batches.of(value), 0, AppendOrigin.CLIENT);
        }
        log.roll();
        log.append(Batches.of("fourth"), 0, AppendOrigin.CLIENT);
        close();
        Path file = disk.root().resolve("data/orders-0/00000000000000000000.log");
        byte[] content = Files.readAllBytes(file);
        int second = content.length / 3;
        content[second + 65] ^= 1;
        Files.write(file, content);

        DiskLogStorage again = open();
        PartitionLog found = again.open(PARTITION, LogRole.DATA, new UUID(1, 2), LogConfig.DEFAULT, shard, listener);
        assertThat(found.slice(0, second, 3)).hasValueSatisfying(FileSlice::close);
        assertThatThrownBy(() -> found.slice(1, 1, 3)).isInstanceOf(LogDamagedException.class);
        assertThatThrownBy(() -> found.slice(0, 1_000, 3)).isInstanceOf(LogDamagedException.class);
        assertThat(found.slice(2, 1_000, 3)).hasValueSatisfying(FileSlice::close);
        assertThat(found.slice(3, 1_000, 4)).hasValueSatisfying(FileSlice::close);
    }
}
