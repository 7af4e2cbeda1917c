package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.millrace.log.AppendResult.Appended;
import io.millrace.log.AppendResult.Duplicate;
import io.millrace.testkit.Simulation;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.record.EndTransactionMarker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One log on a disk that fails, in one thread, under a seed: random appends, syncs, reads, rolls, cuts and removals, power cuts and kills at
 * any operation of the disk, and after each a start whose result is compared with a model of what was appended.
 *
 * <p>What is held: nothing that was reported as synced is lost or changed; what is found is a prefix of what was appended, without a gap;
 * a retried batch that is in the log is answered with its offsets; a flipped bit below the synced offset is reported, never served.
 */
final class PartitionLogSimulation implements Simulation {
    private static final PartitionId PARTITION = new PartitionId("sim", 0);
    private static final UUID LOG_ID = new UUID(11, 12);

    /** A batch that was appended. */
    private record Batch(
            long first, long last, int epoch, List<String> values, long producerId, int producerEpoch, int sequence) {}

    /** A producer as a client knows it. */
    private static final class Producer {
        private final long id;
        private int epoch;
        private int nextSequence;

        private Producer(long id) {
            this.id = id;
        }
    }

    private final SimulatedNode node;
    private final Random random;
    private final FakeDisk disk;
    private final List<Batch> batches = new ArrayList<>();
    private final List<Producer> producers = new ArrayList<>();

    private final LogConfig config;
    private final long journalBytes;
    private int epoch;
    private int counter;
    private long start;
    private long synced;

    /** What the operation under way would add, if a crash leaves open whether it did. */
    private @Nullable Batch inDoubt;

    /** Where the log is cut, if a crash leaves open whether it was. */
    private long cutInDoubt = Long.MAX_VALUE;

    private @Nullable PartitionLog log;

    int damagesFound;

    PartitionLogSimulation(long seed) {
        node = new SimulatedNode(seed);
        random = node.random;
        disk = node.disk;
        config = LogConfig.builder()
                .segmentBytes(300 + random.nextInt(4000))
                .indexIntervalBytes(random.nextInt(400))
                .retentionMs(random.nextBoolean() ? -1 : 10_000)
                .retentionBytes(random.nextBoolean() ? -1 : 4000)
                .flush(random.nextInt(4) == 0 ? FlushPolicy.OS : FlushPolicy.ACK)
                .maxProducers(100)
                .build();
        disk.shortWrites(random.nextBoolean());
        journalBytes = seed % 2 == 0 ? 16 << 10 : 0;
        for (long id = 0; id < 4; id++) {
            producers.add(new Producer(id));
        }
    }

    @Override
    public List<String> history() {
        return node.history();
    }

    int crashes() {
        return node.crashes();
    }

    @Override
    public void run(int steps) throws IOException {
        reopen();
        for (int step = 0; step < steps; step++) {
            try {
                if (random.nextInt(25) == 0) {
                    disk.crashAfterOperations(random.nextInt(40));
                }
                step();
            } catch (StorageException e) {
                if (!disk.isDown()) {
                    throw e;
                }
                recover(true);
            }
            checkPublished();
        }
        disk.cancelPlannedCrash();
        if (disk.isDown()) {
            recover(true);
        }
        plantDamage();
    }

    private PartitionLog log() {
        if (log == null) {
            throw new IllegalStateException("no log is open");
        }
        return log;
    }

    private void step() throws IOException {
        int choice = random.nextInt(100);
        if (choice < 45) {
            append();
        } else if (choice < 52) {
            retry();
        } else if (choice < 60) {
            note("sync requested");
            log().requestSync();
        } else if (choice < 74) {
            node.syncRound();
        } else if (choice < 80) {
            read();
        } else if (choice < 83) {
            note("roll");
            log().roll();
        } else if (choice < 86) {
            advanceStart();
        } else if (choice < 88) {
            retain();
        } else if (choice < 91) {
            cut();
        } else if (choice < 93) {
            epoch++;
            note("epoch " + epoch);
            log().beginEpoch(epoch);
        } else if (choice < 95) {
            node.time.advanceMs(random.nextInt(5000));
            node.storage().maintain();
        } else if (choice < 96) {
            fullDisk();
        } else {
            stop(choice);
        }
    }

    private void note(String event) {
        node.note(event);
    }

    // ---- what clients do ----------------------------------------------------------------------------------------

    private void append() {
        int kind = random.nextInt(10);
        if (kind == 0) {
            appendMarker();
            return;
        }
        List<String> values = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            values.add("v" + counter++ + "x".repeat(random.nextInt(60)));
        }
        long end = log().logEndOffset();
        Batch batch;
        if (kind < 6) {
            Producer producer = producers.get(random.nextInt(producers.size()));
            if (random.nextInt(20) == 0) {
                producer.epoch++;
                producer.nextSequence = 0;
            }
            batch = new Batch(
                    end, end + values.size() - 1, epoch, values, producer.id, producer.epoch, producer.nextSequence);
            producer.nextSequence += values.size();
        } else {
            batch = new Batch(end, end + values.size() - 1, epoch, values, -1, -1, -1);
        }
        note("append " + batch);
        inDoubt = batch;
        AppendResult result = log().append(bytes(batch), epoch, AppendOrigin.CLIENT);
        assertThat(result).isInstanceOf(Appended.class);
        assertThat(((Appended) result).firstOffset()).isEqualTo(batch.first);
        batches.add(batch);
        inDoubt = null;
    }

    private void appendMarker() {
        long end = log().logEndOffset();
        Batch batch = new Batch(end, end, epoch, List.of("marker"), -1, -1, -1);
        note("append " + batch);
        inDoubt = batch;
        ByteBuffer marker = Batches.marker(
                99, 0, random.nextBoolean() ? EndTransactionMarker.abort(0) : EndTransactionMarker.commit(0));
        assertThat(log().append(marker, epoch, AppendOrigin.COORDINATOR)).isInstanceOf(Appended.class);
        batches.add(batch);
        inDoubt = null;
    }

    private static ByteBuffer bytes(Batch batch) {
        String[] values = batch.values.toArray(new String[0]);
        return batch.producerId < 0
                ? Batches.of(values)
                : Batches.fromProducer(batch.producerId, batch.producerEpoch, batch.sequence, values);
    }

    /** A client that got no answer sends one of its last batches again. */
    private void retry() {
        List<Batch> candidates = rememberedBatches();
        if (!candidates.isEmpty()) {
            Batch batch = candidates.get(random.nextInt(candidates.size()));
            note("retry " + batch);
            assertThat(log().append(bytes(batch), epoch, AppendOrigin.CLIENT))
                    .isEqualTo(new Duplicate(batch.first, batch.last, 1000 + batch.last - batch.first));
        }
    }

    /** The batches that the log must recognize: of each producer's last epoch the last five, as far as they were not removed. */
    private List<Batch> rememberedBatches() {
        Map<Long, List<Batch>> byProducer = new HashMap<>();
        for (Batch batch : batches) {
            if (batch.producerId >= 0) {
                List<Batch> known = byProducer.computeIfAbsent(batch.producerId, id -> new ArrayList<>());
                if (!known.isEmpty() && known.getLast().producerEpoch != batch.producerEpoch) {
                    known.clear();
                }
                known.add(batch);
                if (known.size() > 5) {
                    known.removeFirst();
                }
            }
        }
        return byProducer.values().stream()
                .flatMap(List::stream)
                .filter(batch -> batch.first >= start)
                .toList();
    }

    private void read() {
        long end = log().logEndOffset();
        long offset = start + (end == start ? 0 : random.nextInt((int) (end - start)));
        LogSlice slice = log().read(offset, 1 + random.nextInt(2000), Long.MAX_VALUE);
        assertThat(Batches.records(slice.batches())).isEqualTo(expected(slice.firstOffset(), slice.nextOffset()));
    }

    private void advanceStart() {
        long end = log().logEndOffset();
        long offset = start + (end == start ? 0 : random.nextInt((int) (end - start) + 1));
        note("start at " + offset);
        log().advanceLogStart(offset);
        start = Math.max(start, offset);
    }

    private void retain() {
        long needed = start + random.nextInt(50);
        note("retain from " + needed);
        log().retain(node.time.wallClockMs(), needed);
        assertThat(log().logStartOffset()).isLessThanOrEqualTo(Math.max(needed, start));
        start = log().logStartOffset();
    }

    private void cut() {
        long end = log().logEndOffset();
        if (random.nextInt(3) > 0 || end == start) {
            return;
        }
        long offset = start + random.nextInt((int) (end - start) + 1);
        note("cut at " + offset);
        long at = end;
        for (Batch batch : batches) {
            if (batch.last >= offset) {
                at = batch.first;
                break;
            }
        }
        cutInDoubt = at;
        synced = Math.min(synced, at);
        log().truncateTo(offset);
        cutInDoubt = Long.MAX_VALUE;
        dropFrom(at);
        assertThat(log().logEndOffset()).isEqualTo(at);
        start = Math.min(start, at);
    }

    private void dropFrom(long offset) {
        batches.removeIf(batch -> batch.first >= offset);
        resetProducers();
    }

    /** Clients go on after the last batch that the log has. */
    private void resetProducers() {
        for (Producer producer : producers) {
            producer.epoch++;
            producer.nextSequence = 0;
        }
    }

    private void fullDisk() {
        note("disk full");
        disk.capacityBytes(0);
        try {
            log().append(Batches.of("no room"), epoch, AppendOrigin.CLIENT);
            fail("an append to a full disk must fail");
        } catch (DiskFullException e) {
            assertThat(log().logEndOffset()).isEqualTo(end());
        } finally {
            disk.capacityBytes(Long.MAX_VALUE);
        }
    }

    private long end() {
        return batches.isEmpty() ? start : batches.getLast().last + 1;
    }

    // ---- stops and starts ---------------------------------------------------------------------------------------

    private void stop(int choice) throws IOException {
        if (disk.isDown()) {
            // The power went before, and only a thread in the background has noticed so far.
            recover(true);
        } else if (choice == 96) {
            note("clean close");
            node.storage().close();
            if (disk.isDown()) {
                recover(true);
                return;
            }
            node.shard.runAll();
            synced = end();
            if (random.nextInt(3) == 0) {
                node.powerCutAtRest();
            }
            reopen();
            assertThat(node.storage().startKind()).isEqualTo(StartKind.CLEAN);
            assertThat(log().syncedOffset()).isEqualTo(end());
            check();
        } else if (choice == 97) {
            note("kill");
            disk.kill();
            recover(false);
        } else {
            note("power cut");
            disk.crash();
            recover(true);
        }
    }

    private void recover(boolean powerLoss) throws IOException {
        node.crashed(powerLoss);
        boolean exact = !powerLoss && inDoubt == null && cutInDoubt == Long.MAX_VALUE;
        long endBefore = end();
        disk.restart();
        if (random.nextInt(10) == 0) {
            // Crash again while it recovers.
            disk.crashAfterOperations(random.nextInt(30));
        }
        exact &= node.startUntilUp(this::reopen);
        check();
        if (exact) {
            assertThat(log().logEndOffset())
                    .as("everything written is there after a kill")
                    .isEqualTo(endBefore);
        }
    }

    private void reopen() throws IOException {
        log = null;
        DiskLogStorage opened = node.open(5, journalBytes);
        SyncListener listener = node.listener(syncedOffset -> {
            synced = Math.max(synced, syncedOffset);
            note("synced " + syncedOffset);
        });
        log = opened.find(PARTITION, LogRole.DATA).isPresent()
                ? opened.open(PARTITION, LogRole.DATA, LOG_ID, config, node.shard, listener)
                : opened.create(PARTITION, LogRole.DATA, LOG_ID, config, node.shard, listener);
    }

    /** Compares the log after a start with the model, and makes the model what was found. */
    private void check() {
        PartitionLog found = log();
        long end = found.logEndOffset();
        note("found " + found.offsets() + ", synced before " + synced);
        assertThat(end).as("synced records are there").isGreaterThanOrEqualTo(synced);
        if (inDoubt != null && inDoubt.first < end) {
            batches.add(inDoubt);
        }
        assertThat(end).as("nothing was made up").isLessThanOrEqualTo(end());
        assertThat(found.logStartOffset())
                .as("a start is never found higher")
                .isLessThanOrEqualTo(Math.min(start, end));
        start = found.logStartOffset();
        if (end < end()) {
            assertThat(batches.stream().anyMatch(batch -> batch.last + 1 == end) || end == start || end == 0)
                    .as("the log ends with a whole batch, at " + end)
                    .isTrue();
            dropFrom(end);
        } else if (inDoubt != null) {
            resetProducers();
        }
        inDoubt = null;
        cutInDoubt = Long.MAX_VALUE;
        assertThat(Batches.readAll(found)).isEqualTo(expected(firstReadable(), end));
        checkEpochs(found);
        for (Batch batch : rememberedBatches()) {
            assertThat(found.append(bytes(batch), Math.max(epoch, found.latestEpoch()), AppendOrigin.CLIENT))
                    .as("retry of " + batch)
                    .isEqualTo(new Duplicate(batch.first, batch.last, 1000 + batch.last - batch.first));
        }
        epoch = Math.max(epoch, found.latestEpoch()) + 1;
    }

    private void checkEpochs(PartitionLog found) {
        TreeMap<Integer, Long> ends = new TreeMap<>();
        for (Batch batch : batches) {
            if (batch.last >= start) {
                ends.put(batch.epoch, batch.last + 1);
            }
        }
        for (Map.Entry<Integer, Long> entry : ends.entrySet()) {
            assertThat(found.epochEndOffset(entry.getKey()))
                    .as("end of epoch " + entry.getKey())
                    .contains(new EpochEnd(entry.getKey(), entry.getValue()));
        }
    }

    /** Reading at the start gives the whole batch that holds it. */
    private long firstReadable() {
        for (Batch batch : batches) {
            if (batch.last >= start) {
                return batch.first;
            }
        }
        return start;
    }

    private List<String> expected(long from, long to) {
        List<String> result = new ArrayList<>();
        for (Batch batch : batches) {
            for (int i = 0; i < batch.values.size(); i++) {
                long offset = batch.first + i;
                if (offset >= from && offset < to) {
                    // The value of a marker is binary, and of no interest here.
                    result.add(batch.values.get(i).equals("marker") ? "marker" : offset + "=" + batch.values.get(i));
                }
            }
        }
        return result;
    }

    private void checkPublished() {
        LogOffsets offsets = log().offsets();
        assertThat(offsets.logEndOffset()).isEqualTo(end());
        assertThat(offsets.syncedOffset()).isLessThanOrEqualTo(offsets.logEndOffset());
        assertThat(offsets.logStartOffset()).isEqualTo(start);
    }

    // ---- damage -------------------------------------------------------------------------------------------------

    private void plantDamage() throws IOException {
        note("damage");
        log().requestSync();
        for (int i = 0; i < 3; i++) {
            node.storage().runSyncRounds();
            node.shard.runAll();
        }
        if (log().logEndOffset() == firstReadable()) {
            return;
        }
        boolean clean = random.nextBoolean();
        if (clean) {
            node.storage().close();
        } else {
            disk.kill();
            disk.restart();
        }
        Path partition = node.directory.resolve("sim-0");
        List<Path> files;
        try (Stream<Path> all = Files.list(partition)) {
            files = all.filter(file -> file.toString().endsWith(".log") && size(file) > 0)
                    .sorted()
                    .toList();
        }
        Path victim = files.get(random.nextInt(files.size()));
        long position = random.nextInt((int) size(victim));
        disk.corrupt(victim, position, 1 << random.nextInt(8));
        note("bit flipped in " + victim + " at " + position + ", clean " + clean);
        try {
            reopen();
            boolean journaled = !clean && journalBytes > 0;
            if (journaled) {
                // The journal says nothing of the log start.
                start = Math.min(start, log().logStartOffset());
            }
            List<String> records = Batches.readAll(log());
            // A batch may begin below the log start, and nobody reads what was flipped there.
            assertThat(records)
                    .as("damage that is not reported must not be seen")
                    .isEqualTo(expected(firstReadable(), end()));
            assertThat(journaled || isBelowStart(victim))
                    .as("damage in a segment that was read is reported, unless the journal mended it")
                    .isTrue();
        } catch (LogDamagedException e) {
            damagesFound++;
        }
    }

    private boolean isBelowStart(Path victim) {
        String name = victim.getFileName() == null ? "" : victim.getFileName().toString();
        return Long.parseLong(name.substring(0, 20)) <= start;
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
