package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.SteppedExecutor;
import io.millrace.testkit.disk.FakeDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A disk that says that it has synced, and has not, and then loses its power. What it took cannot be kept, and what is left is served only as
 * far as it is a beginning of what was written; where something else says that there was more, that is reported.
 */
class LyingDiskTest {
    private static final int LOGS = 4;

    private final FakeTimeSource time = new FakeTimeSource();
    private final SteppedExecutor shard = new SteppedExecutor();
    private final RecordingSyncListener listener = new RecordingSyncListener();
    private FakeDisk disk = new FakeDisk(new Random(7));
    private int boot;

    private Path data() {
        return disk.root().resolve("data");
    }

    private DiskLogStorage start(long journalBytes) {
        boot++;
        return DiskLogStorage.builder(List.of(data()), time, new Random(1))
                .bootId("boot-" + boot)
                .commitJournalBytes(journalBytes)
                .open();
    }

    private PartitionLog openOrCreate(DiskLogStorage storage, int number) {
        PartitionId id = new PartitionId("q" + number, 0);
        UUID logId = new UUID(3, number);
        LogConfig config = LogConfig.builder().segmentBytes(600).build();
        return storage.find(id, LogRole.DATA).isPresent()
                ? storage.open(id, LogRole.DATA, logId, config, shard, listener)
                : storage.create(id, LogRole.DATA, logId, config, shard, listener);
    }

    private void round(DiskLogStorage storage) {
        storage.runSyncRounds();
        shard.runAll();
    }

    private void cutPower() {
        disk.lieOnForce(false);
        disk.crash();
        disk.restart();
        shard.dropAll();
    }

    @Test
    void shouldReportThatALogEndsBeforeItsSyncedOffset() {
        DiskLogStorage storage = start(0);
        PartitionLog log = openOrCreate(storage, 0);
        log.append(Batches.of("kept"), 0, AppendOrigin.CLIENT);
        log.requestSync();
        round(storage);
        disk.lieOnForce(true);
        log.append(Batches.of("x".repeat(2000)), 0, AppendOrigin.CLIENT);
        log.requestSync();
        round(storage);
        disk.lieOnForce(false);
        // Writes how far the log is synced, and tells the truth.
        round(storage);
        cutPower();
        DiskLogStorage found = start(0);

        assertThatThrownBy(() -> openOrCreate(found, 0))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining(data().resolve("q0-0").toString())
                .hasMessageContaining("synced")
                .hasMessageContaining("millrace log verify");
        found.close();
    }

    @Test
    void shouldServeOnlyAPrefixOfWhatWasWritten() {
        int damaged = 0;
        int shorter = 0;
        for (int seed = 1; seed <= 60; seed++) {
            Outcome outcome = lieAndLook(seed);
            damaged += outcome.damaged;
            shorter += outcome.shorter;
        }

        assertThat(damaged).as("logs and directories that were refused").isGreaterThan(10);
        assertThat(shorter)
                .as("logs that lost what was synced, by all that is known")
                .isGreaterThan(10);
    }

    private record Outcome(int damaged, int shorter) {}

    private Outcome lieAndLook(int seed) {
        Random random = new Random(seed);
        disk = new FakeDisk(new Random(random.nextLong()));
        shard.dropAll();
        long journalBytes = random.nextBoolean() ? 0 : 2 * 4096 + 512L * (1 + random.nextInt(60));
        List<List<String>> written = write(random, journalBytes);
        cutPower();
        DiskLogStorage found;
        try {
            found = start(journalBytes);
        } catch (DataDirectoryException | LogDamagedException refused) {
            assertThat(refused).as("seed %d", seed).hasMessageContaining(data().toString());
            return new Outcome(1, 0);
        }
        int damaged = 0;
        int shorter = 0;
        for (int i = 0; i < LOGS; i++) {
            List<String> values = read(found, i, seed);
            if (values == null) {
                damaged++;
            } else {
                List<String> all = written.get(i);
                assertThat(values)
                        .as("seed %d, log %d", seed, i)
                        .isEqualTo(all.subList(0, Math.min(values.size(), all.size())));
                shorter += values.size() < all.size() ? 1 : 0;
            }
        }
        found.close();
        return new Outcome(damaged, shorter);
    }

    /** What each log was told to keep, and said to have synced. */
    private List<List<String>> write(Random random, long journalBytes) {
        DiskLogStorage storage = start(journalBytes);
        List<PartitionLog> logs = new ArrayList<>();
        List<List<String>> written = new ArrayList<>();
        for (int i = 0; i < LOGS; i++) {
            logs.add(openOrCreate(storage, i));
            written.add(new ArrayList<>());
        }
        for (int step = 0; step < 30; step++) {
            disk.lieOnForce(random.nextInt(3) == 0);
            for (int i = 0; i < LOGS; i++) {
                if (random.nextBoolean()) {
                    String value = step + "x".repeat(random.nextInt(400));
                    written.get(i).add(written.get(i).size() + "=" + value);
                    logs.get(i).append(Batches.of(value), 0, AppendOrigin.CLIENT);
                    logs.get(i).requestSync();
                }
            }
            round(storage);
            time.advanceMs(random.nextInt(800));
        }
        return written;
    }

    /** What a log serves, or null if it is reported as damaged. */
    private @Nullable List<String> read(DiskLogStorage storage, int number, int seed) {
        try {
            return Batches.readAll(openOrCreate(storage, number));
        } catch (LogDamagedException reported) {
            assertThat(reported)
                    .as("seed %d", seed)
                    .hasMessageContaining(data().toString())
                    .hasMessageMatching("(?s).*(millrace log verify|Restore it|move it away|moved away).*");
            return null;
        }
    }
}
