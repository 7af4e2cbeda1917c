package io.millrace.log;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.InvalidConfigException;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.record.Crc32c;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * Whatever one of the files of a log or of its directory holds: the log is refused with a {@link StorageException} that says why, or it opens, and can be read and appended to.
 */
class LogFilesFuzzTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 0);
    private static final UUID LOG_ID = new UUID(3, 4);
    private static final LogConfig CONFIG = LogConfig.builder()
            .segmentBytes(4_096)
            .indexIntervalBytes(100)
            .retentionMs(-1)
            .build();
    private static final int MAX_BYTES = 16 * 1024;

    /** The records of the only segment, behind the batches that were synced; lengths and checksums are put right. */
    @FuzzTest
    void segment(byte[] input) throws IOException {
        replace("orders-0/00000000000000000000.log", input, file -> {
            ByteBuffer content = ByteBuffer.allocate(file.length + input.length + 1_024);
            content.put(file);
            for (ByteBuffer in = ByteBuffer.wrap(input); in.remaining() > 1 && content.remaining() > 400; ) {
                int size = 61 + Math.min(Byte.toUnsignedInt(in.get()), in.remaining());
                int at = content.position();
                in.get(content.array(), at, Math.min(size, in.remaining()));
                content.putLong(at, 9 + at).putInt(at + 8, size - 12).put(at + 16, (byte) 2);
                content.putInt(at + 17, (int) Crc32c.of(content, at + 21, size - 21));
                content.position(at + size);
            }
            return Arrays.copyOf(content.array(), content.position());
        });
    }

    /** The whole segment as it is. */
    @FuzzTest
    void rawSegment(byte[] input) throws IOException {
        replace("orders-0/00000000000000000000.log", input, file -> input);
    }

    @FuzzTest
    void offsetIndex(byte[] input) throws IOException {
        replace("orders-0/00000000000000000000.index", input, file -> input);
    }

    @FuzzTest
    void timeIndex(byte[] input) throws IOException {
        replace("orders-0/00000000000000000000.timeindex", input, file -> input);
    }

    @FuzzTest
    void transactionIndex(byte[] input) throws IOException {
        replace("orders-0/00000000000000000000.txnindex", input, file -> input);
    }

    /** A snapshot of the producers at the end of the log; version and checksum are put right. */
    @FuzzTest
    void producerSnapshot(byte[] input) throws IOException {
        replace("orders-0/00000000000000000003.snapshot", input, file -> {
            ByteBuffer content = ByteBuffer.allocate(6 + input.length);
            content.putShort((short) 1).putInt(0).put(input);
            content.putInt(2, (int) Crc32c.of(content, 6, input.length));
            return content.array();
        });
    }

    @FuzzTest
    void epochCheckpoint(byte[] input) throws IOException {
        replace("orders-0/leader-epoch-checkpoint", input, file -> input);
    }

    @FuzzTest
    void partitionMetadata(byte[] input) throws IOException {
        replace("orders-0/partition.metadata", input, file -> input);
    }

    @FuzzTest
    void startOffsets(byte[] input) throws IOException {
        replace("log-start-offset-checkpoint", input, file -> input);
    }

    @FuzzTest
    void metaProperties(byte[] input) throws IOException {
        replace("meta.properties", input, file -> input);
    }

    /** The entries of the table; magic, version and checksums are put right. */
    @FuzzTest
    void syncedOffsets(byte[] input) throws IOException {
        replace("synced-offsets", input, file -> {
            ByteBuffer content = ByteBuffer.wrap(Arrays.copyOf(file, Math.max(file.length, 128 + input.length)));
            content.put(128, input);
            for (int entry = 128; entry + 128 <= content.limit(); entry += 128) {
                seal(content, entry, 32);
                seal(content, entry + 32, 48);
                seal(content, entry + 80, 48);
            }
            return content.array();
        });
    }

    @FuzzTest
    void config(byte[] input) {
        String text = new String(input, ISO_8859_1);
        for (ConfigKey<?> key : LogConfigKeys.ALL.all()) {
            try {
                LogConfigKeys.ALL.parse(Map.of(key.name(), text));
            } catch (InvalidConfigException refused) {
                assertThat(refused.getMessage()).contains(key.name());
            }
        }
    }

    /** A journal whose one block says that it has something of the log; lengths and checksums are put right. */
    @FuzzTest
    void journal(byte[] input) throws IOException {
        replace("commit-journal-0", input, file -> {
            ByteBuffer content = ByteBuffer.allocate((4_096 + 200 + input.length) / 512 * 512 + 512);
            content.putInt(0, 0x4D52434A).putInt(4, 1).putLong(8, 1).putLong(16, 9);
            seal(content, 0, 28);
            ByteBuffer block = content.position(4_096).slice();
            block.position(36);
            block.put((byte) 1).put((byte) 0).putInt(0);
            block.putLong(LOG_ID.getMostSignificantBits()).putLong(LOG_ID.getLeastSignificantBits());
            ByteBuffer in = ByteBuffer.wrap(input);
            // Small numbers are those that fit.
            block.putLong(next(in)).putLong(next(in)).putLong(next(in)).putInt(next(in));
            block.putInt(61 * next(in) + next(in));
            block.putInt(in.remaining()).put(in);
            int body = block.position() - 36;
            block.putInt(0, 0x4D524342)
                    .putLong(4, 9)
                    .putLong(12, 1)
                    .putInt(20, body)
                    .putInt(24, 1);
            block.putInt(28, (int) Crc32c.of(block, 36, body));
            seal(block, 0, 36);
            return content.array();
        });
    }

    private static int next(ByteBuffer in) {
        return in.hasRemaining() ? in.get() : 0;
    }

    private static void seal(ByteBuffer content, int at, int size) {
        content.putInt(at + size - 4, (int) Crc32c.of(content, at, size - 4));
    }

    private interface Change {
        byte[] of(byte[] file);
    }

    /** Makes a log of three records, kills it, changes a file, and starts again: after a crash of the machine, then of the process. */
    private static void replace(String file, byte[] input, Change change) throws IOException {
        if (input.length > MAX_BYTES) {
            return;
        }
        for (String bootId : List.of("boot-1", "boot-2")) {
            FakeDisk disk = new FakeDisk(new Random(7));
            Path directory = disk.root().resolve("data");
            DiskLogStorage storage = storage(directory, "boot-1");
            PartitionLog log =
                    storage.create(PARTITION, LogRole.DATA, LOG_ID, CONFIG, Runnable::run, new RecordingSyncListener());
            for (int sequence = 0; sequence < 3; sequence++) {
                log.append(Batches.fromProducer(9, 0, sequence, "value"), 1, AppendOrigin.CLIENT);
            }
            log.requestSync();
            storage.runSyncRounds();
            storage.runSyncRounds();
            disk.kill();
            disk.restart();

            Path path = directory.resolve(file);
            byte[] before = Files.exists(path) ? Files.readAllBytes(path) : new byte[0];
            Files.write(path, change.of(before));
            use(directory, bootId);
        }
    }

    private static DiskLogStorage storage(Path directory, String bootId) {
        return DiskLogStorage.builder(List.of(directory), new FakeTimeSource(), new Random(1))
                .bootId(bootId)
                .reserveBytes(0)
                .open();
    }

    private static void use(Path directory, String bootId) {
        try {
            DiskLogStorage storage = storage(directory, bootId);
            try {
                SyncListener listener = new RecordingSyncListener();
                PartitionLog log = storage.find(PARTITION, LogRole.DATA).isPresent()
                        ? storage.open(PARTITION, LogRole.DATA, LOG_ID, CONFIG, Runnable::run, listener)
                        : storage.create(PARTITION, LogRole.DATA, LOG_ID, CONFIG, Runnable::run, listener);
                assertThat(log.logStartOffset()).isBetween(0L, log.logEndOffset());
                log.read(log.logStartOffset(), 1_000_000, log.logEndOffset());
                log.offsetForTimestamp(5);
                log.append(Batches.fromProducer(8, 0, 0, "next"), Math.max(1, log.latestEpoch()), AppendOrigin.CLIENT);
            } finally {
                storage.close();
            }
        } catch (StorageException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }
}
