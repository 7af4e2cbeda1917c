package io.millrace.log;

import io.millrace.log.LogDumper.BatchEntry;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.SteppedExecutor;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.record.EndTransactionMarker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Fills a data directory, ends, damages one file in one way, and looks what becomes of it: damage is never served, whoever meets it says which
 * file it is and what to do, a check sees it, and a repair leaves everything that was not touched. A seed gives the same run again.
 */
final class DamageSimulation {
    /** What happens to a file. */
    enum Kind {
        BIT_FLIPPED,
        TAIL_ZEROED,
        TAIL_CUT,
        EMPTIED,
        DELETED
    }

    private static final LogConfig CONFIG =
            LogConfig.builder().segmentBytes(1200).indexIntervalBytes(150).build();

    /** Files whose content means nothing. */
    private static final Set<String> MEANINGLESS = Set.of(".lock", "reserve", "clean-shutdown");

    /** Files in which every bit counts, so that a check has to see any damage. */
    private static final List<String> EVERY_BIT_COUNTS =
            List.of(".log", "meta.properties", "meta.properties.copy", "partition.metadata");

    private final Random random;
    private final FakeDisk disk;
    private final FakeTimeSource time = new FakeTimeSource();
    private final SteppedExecutor shard = new SteppedExecutor();
    private final Path data;

    private record Name(PartitionId partition, LogRole role) {}

    /** What a log held before the damage. */
    private record Content(long start, long end, Map<Long, String> records) {}

    private final Map<Name, UUID> ids =
            new TreeMap<>((a, b) -> (a.partition + "/" + a.role).compareTo(b.partition + "/" + b.role));
    private final Map<Name, Content> before =
            new TreeMap<>((a, b) -> (a.partition + "/" + a.role).compareTo(b.partition + "/" + b.role));

    private Path damaged;
    private Kind kind = Kind.DELETED;
    private long damagedFrom;
    private String what = "nothing is damaged";

    /** Offsets whose batches the damage touched, of the log that {@code damaged} is a segment of. */
    private final TreeSet<Long> touched = new TreeSet<>();

    DamageSimulation(long seed) {
        random = new Random(seed);
        disk = new FakeDisk(new Random(seed + 1));
        data = disk.root().resolve("data");
        damaged = data;
    }

    // ---- filling ------------------------------------------------------------------------------------------------

    private DiskLogStorage storage() {
        return DiskLogStorage.builder(List.of(data), time, new Random(5))
                .bootId("boot")
                .reserveBytes(4096)
                .open();
    }

    private PartitionLog create(DiskLogStorage storage, String name, int partition, LogRole role) {
        Name log = new Name(new PartitionId(name, partition), role);
        UUID id = name.equals("__cluster_metadata")
                ? new UUID(0, 1)
                : new UUID(name.hashCode() * 0x9E3779B97F4A7C15L, 4711);
        ids.put(log, id);
        return storage.create(log.partition, role, id, CONFIG, shard, new RecordingSyncListener());
    }

    private static PartitionLog open(DiskLogStorage storage, Name name, UUID id, SteppedExecutor shard) {
        return storage.open(name.partition, name.role, id, CONFIG, shard, new RecordingSyncListener());
    }

    void fill() {
        DiskLogStorage storage = storage();
        List<PartitionLog> logs = new ArrayList<>();
        logs.add(create(storage, "orders", 0, LogRole.DATA));
        logs.add(create(storage, "orders", 0, LogRole.CURSORS));
        logs.add(create(storage, "news", 1, LogRole.DATA));
        logs.add(create(storage, "__cluster_metadata", 0, LogRole.DATA));
        create(storage, "empty", 0, LogRole.DATA);
        for (PartitionLog log : logs) {
            int epoch = random.nextInt(3);
            int batches = 5 + random.nextInt(25);
            for (int i = 0; i < batches; i++) {
                epoch += random.nextInt(6) == 0 ? 1 : 0;
                log.append(batch(log, i), epoch, AppendOrigin.COORDINATOR);
            }
            sync(storage, log);
        }
        PartitionLog orders = logs.getFirst();
        orders.advanceLogStart(random.nextLong(orders.logEndOffset()));
        sync(storage, orders);
        for (PartitionLog log : logs) {
            remember(log);
        }
        if (random.nextInt(4) == 0) {
            storage.runSyncRounds();
            disk.kill();
            disk.restart();
            shard.dropAll();
        } else {
            storage.close();
        }
    }

    private ByteBuffer batch(PartitionLog log, int number) {
        String text = log + "-" + number + "-" + "x".repeat(random.nextInt(80));
        return switch (number % 10) {
            case 3 -> Batches.inTransaction(8, 0, 0, text);
            case 5 -> Batches.marker(8, 0, EndTransactionMarker.abort(1));
            case 7 -> Batches.at(1_000 + number * 10L, text, text + "b", text + "c");
            default -> Batches.of(text);
        };
    }

    private void sync(DiskLogStorage storage, PartitionLog log) {
        log.requestSync();
        for (int i = 0; i < 3; i++) {
            storage.runSyncRounds();
            shard.runAll();
        }
    }

    private static Map<Long, String> records(PartitionLog log) {
        Map<Long, String> records = new TreeMap<>();
        for (String record : Batches.readAll(log)) {
            int equals = record.indexOf('=');
            if (equals > 0) {
                records.put(Long.valueOf(record.substring(0, equals)), record.substring(equals + 1));
            }
        }
        return records;
    }

    private void remember(PartitionLog log) {
        before.put(
                new Name(log.partition(), log.role()),
                new Content(log.logStartOffset(), log.logEndOffset(), records(log)));
    }

    // ---- damage -------------------------------------------------------------------------------------------------

    void damage() throws IOException {
        List<Path> files = files(data).stream()
                .filter(file -> !MEANINGLESS.contains(String.valueOf(file.getFileName())))
                .toList();
        damaged = files.get(random.nextInt(files.size()));
        kind = Kind.values()[random.nextInt(Kind.values().length)];
        long size = Files.size(damaged);
        if (size == 0) {
            kind = Kind.DELETED;
        }
        damagedFrom = kind == Kind.EMPTIED || kind == Kind.DELETED ? 0 : random.nextLong(size);
        List<BatchEntry> batches = damaged.toString().endsWith(".log") ? batches(damaged) : List.of();
        long damagedTo = kind == Kind.BIT_FLIPPED ? damagedFrom + 1 : Long.MAX_VALUE;
        for (BatchEntry batch : batches) {
            if (batch.position() < damagedTo && batch.position() + batch.sizeBytes() > damagedFrom) {
                for (long offset = batch.baseOffset(); offset <= batch.lastOffset(); offset++) {
                    touched.add(offset);
                }
            }
        }
        what = kind + " " + damaged + " of " + size + " bytes at " + damagedFrom;
        change(size);
    }

    private void change(long size) throws IOException {
        switch (kind) {
            case BIT_FLIPPED -> disk.corrupt(damaged, damagedFrom, 1 << random.nextInt(8));
            case DELETED -> Files.delete(damaged);
            case TAIL_ZEROED, TAIL_CUT, EMPTIED -> {
                try (FileChannel channel = FileChannel.open(damaged, StandardOpenOption.WRITE)) {
                    if (kind == Kind.TAIL_ZEROED) {
                        channel.write(ByteBuffer.allocate((int) (size - damagedFrom)), damagedFrom);
                    } else {
                        channel.truncate(damagedFrom);
                    }
                    channel.force(true);
                }
            }
        }
    }

    private static List<BatchEntry> batches(Path log) {
        List<BatchEntry> batches = new ArrayList<>();
        LogDumper.dump(log, false, entry -> {
            if (entry instanceof BatchEntry batch) {
                batches.add(batch);
            }
        });
        return batches;
    }

    private static List<Path> files(Path directory) {
        try (Stream<Path> children = Files.list(directory)) {
            List<Path> files = new ArrayList<>();
            for (Path child : children.sorted().toList()) {
                files.addAll(Files.isDirectory(child) ? files(child) : List.of(child));
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- what becomes of it -------------------------------------------------------------------------------------

    /** How a story ends. */
    enum Outcome {
        /** A start copes with the damage, and so does a repair. */
        SERVED_ALL_THE_SAME,
        /** A start refuses, and a repair mends it without loss. */
        MENDED,
        /** A start refuses, and a repair needs to be told that records may be lost. */
        MENDED_WITH_LOSS,
        /** Only a backup helps: the beginning of the metadata is gone. */
        HOPELESS
    }

    /** The whole story. */
    Outcome run() throws IOException {
        fill();
        damage();
        VerifyReport seen = LogVerifier.verify(data);
        boolean mustBeSeen = EVERY_BIT_COUNTS.stream().anyMatch(damaged.toString()::endsWith) && !isUnneeded();
        check(!mustBeSeen || !seen.findings().isEmpty(), "the check sees nothing");
        seen.findings().forEach(finding -> check(!finding.remedy().isEmpty(), finding + " does not say what to do"));

        boolean served = start(false);
        check(
                served
                        || !seen.findings().isEmpty()
                        || !LogVerifier.verify(data).findings().isEmpty(),
                "a start finds damage that a check does not see");

        RepairReport mended = LogVerifier.repair(data, false, List.of());
        if (!mended.refused().isEmpty()) {
            check(!mended.after().isHealthy(), "refused and healthy: " + mended.refused());
            mended = LogVerifier.repair(data, true, List.of());
            check(!served, "served, and a repair says that records are lost");
        } else {
            touched.clear();
        }
        if (mended.refused().toString().contains("__cluster_metadata-0 has lost its beginning")) {
            return Outcome.HOPELESS;
        }
        check(mended.refused().isEmpty(), "not mended: " + mended.refused());
        check(
                mended.after().isHealthy(),
                "not healthy after the repair: " + mended.after().findings());
        check(start(true), "not served after the repair");
        VerifyReport end = LogVerifier.verify(data);
        check(end.isHealthy(), "not healthy in the end: " + end.findings());
        if (served) {
            return Outcome.SERVED_ALL_THE_SAME;
        }
        return touched.isEmpty() ? Outcome.MENDED : Outcome.MENDED_WITH_LOSS;
    }

    /** What was removed from the log already, or is empty. */
    private boolean isUnneeded() {
        return damaged.toString().endsWith(".log") && touched.isEmpty();
    }

    /** Starts as a broker does, reads everything, goes on. Answers whether all logs are served. */
    private boolean start(boolean repaired) {
        DiskLogStorage storage;
        try {
            storage = storage();
        } catch (DataDirectoryException e) {
            checkMessage(e);
            return false;
        }
        boolean served = true;
        for (Map.Entry<Name, UUID> log : ids.entrySet()) {
            try {
                use(storage, log.getKey(), log.getValue(), repaired);
            } catch (LogDamagedException e) {
                checkMessage(e);
                served = false;
            }
        }
        check(
                storage.directories().getFirst().failure().isEmpty(),
                "the directory failed: " + storage.directories().getFirst().failure());
        storage.close();
        return served;
    }

    private void use(DiskLogStorage storage, Name name, UUID id, boolean repaired) {
        PartitionLog log = storage.find(name.partition, name.role).isPresent()
                ? open(storage, name, id, shard)
                : storage.create(name.partition, name.role, id, CONFIG, shard, new RecordingSyncListener());
        Content known = before.get(name);
        if (known == null) {
            return;
        }
        boolean touchedHere = repaired && pathOf(name).equals(damaged.getParent()) && !touched.isEmpty();
        boolean cutHere = touchedHere && name.partition.logName().startsWith("__");
        Map<Long, String> found = records(log);
        known.records.forEach((offset, text) -> {
            boolean removed = offset < log.logStartOffset() && offset < known.start;
            boolean lost = touchedHere && (touched.contains(offset) || (cutHere && offset >= touched.first()));
            String now = found.get(offset);
            check(text.equals(now) || (now == null && (removed || lost)), name + ": offset " + offset + " is " + now);
        });
        found.forEach((offset, text) -> check(
                text.equals(known.records.get(offset)) || offset < known.start,
                name + ": offset " + offset + " was never written: " + text));
        check(
                cutHere || log.logEndOffset() >= known.end,
                name + " ends at " + log.logEndOffset() + ", not " + known.end);
        if (repaired) {
            long end = log.logEndOffset();
            check(
                    log.append(Batches.of("after"), 1_000, AppendOrigin.COORDINATOR) instanceof AppendResult.Appended,
                    name + " takes nothing");
            check("after".equals(records(log).get(end)), name + " does not read what was appended");
            sync(storage, log);
            check(log.syncedOffset() == end + 1, name + " does not sync");
        }
    }

    private Path pathOf(Name name) {
        Path directory = data.resolve(name.partition.directoryName());
        return name.role == LogRole.DATA ? directory : directory.resolve("cursors");
    }

    private void checkMessage(RuntimeException e) {
        String text = String.valueOf(e.getMessage());
        check(text.contains(data.toString()), "names no file: " + text);
        check(text.contains("millrace log verify") || text.contains("Restore it"), "does not say what to do: " + text);
    }

    private void check(boolean holds, String why) {
        if (!holds) {
            throw new AssertionError(what + ": " + why);
        }
    }
}
