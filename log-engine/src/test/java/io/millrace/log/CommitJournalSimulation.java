package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.AppendResult.Appended;
import io.millrace.testkit.Simulation;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Many logs of one directory that share a small commit journal, on a disk that fails, in one thread, under a seed: appends, rounds, cuts, new
 * beginnings, removal and creation under the same name, closes, a disk that fills up; power cuts and kills at
 * any operation of the disk, also while the journal is replayed.
 *
 * <p>What is held for each log: nothing that was reported as synced is lost or changed; what is found is a prefix of what was appended;
 * what was removed stays removed, and what was created is there.
 */
final class CommitJournalSimulation implements Simulation {
    private static final int LOGS = 7;

    private record Batch(long first, long last, List<String> values) {}

    /** A log, and what is known of it. */
    private static final class Model {
        private final PartitionId partition;
        private final LogRole role;
        private UUID logId;
        private final List<Batch> batches = new ArrayList<>();
        private long start;
        private long synced;
        private int epoch;
        private boolean exists;

        // What the operation under way would change, if a crash leaves open whether it did.
        private @Nullable Batch batchInDoubt;
        private boolean existenceInDoubt;
        private boolean restartInDoubt;

        private @Nullable PartitionLog log;

        private Model(int number) {
            // The last one has the cursors of the one before.
            boolean cursors = number == LOGS - 1;
            partition = new PartitionId("sim" + (cursors ? number - 1 : number), 0);
            role = cursors ? LogRole.CURSORS : LogRole.DATA;
            logId = new UUID(5, cursors ? number - 1 : number);
        }

        private long end() {
            return batches.isEmpty() ? start : batches.getLast().last + 1;
        }

        private void forgetAll(long offset) {
            batches.clear();
            start = offset;
            synced = offset;
        }

        private PartitionLog log() {
            if (log == null) {
                throw new IllegalStateException(partition + " is not open");
            }
            return log;
        }

        @Override
        public String toString() {
            return partition + (role == LogRole.DATA ? "" : "/cursors");
        }
    }

    private final SimulatedNode node;
    private final Random random;
    private final FakeDisk disk;
    private final List<Model> models = new ArrayList<>();
    private final LogConfig config;
    private final long journalBytes;
    private final int maxOpenFiles;
    private int counter;
    private boolean full;

    /** Cursors are removed with their data only: a crash between the two is the end of both. */
    private @Nullable UUID goneFor;

    int replays;

    CommitJournalSimulation(long seed) {
        node = new SimulatedNode(seed);
        random = node.random;
        disk = node.disk;
        config = LogConfig.builder()
                .segmentBytes(300 + random.nextInt(4000))
                .indexIntervalBytes(random.nextInt(400))
                .flush(random.nextInt(4) == 0 ? FlushPolicy.OS : FlushPolicy.ACK)
                .maxProducers(10)
                .mayUseReserve(true)
                .build();
        journalBytes = 2 * 4096 + 512L * (1 + random.nextInt(60));
        maxOpenFiles = 4 + random.nextInt(40);
        disk.shortWrites(random.nextBoolean());
        for (int i = 0; i < LOGS; i++) {
            models.add(new Model(i));
        }
    }

    @Override
    public List<String> history() {
        return node.history();
    }

    int crashes() {
        return node.crashes();
    }

    private void note(String event) {
        node.note(event);
    }

    @Override
    public void run(int steps) throws IOException {
        open();
        for (int step = 0; step < steps; step++) {
            try {
                if (random.nextInt(30) == 0) {
                    disk.crashAfterOperations(random.nextInt(60));
                }
                step();
            } catch (StorageException | IllegalStateException e) {
                if (!disk.isDown()) {
                    throw e;
                }
                recover(true);
            }
        }
        disk.cancelPlannedCrash();
        recover(disk.isDown());
    }

    private void step() throws IOException {
        int choice = random.nextInt(100);
        Model model = models.get(random.nextInt(LOGS));
        if (model.log == null) {
            create(model);
        } else if (choice < 45) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                append(models.get(random.nextInt(LOGS)));
            }
        } else if (choice < 70) {
            requestSyncs();
            node.syncRound();
        } else if (choice < 76) {
            node.syncRound();
        } else if (choice < 80) {
            cut(model);
        } else if (choice < 82) {
            restart(model);
        } else if (choice < 84) {
            if (!full) {
                note("roll " + model);
                model.log().roll();
            }
        } else if (choice < 87) {
            advanceStart(model);
        } else if (choice < 89) {
            model.epoch++;
            note("epoch " + model.epoch + " of " + model);
            model.log().beginEpoch(model.epoch);
        } else if (choice < 91) {
            closeAndOpen(model);
        } else if (choice < 94) {
            if (model.role == LogRole.DATA) {
                delete(model);
            }
        } else if (choice < 96) {
            node.time.advanceMs(random.nextInt(3000));
            node.syncRound();
        } else if (choice < 97) {
            full = !full;
            note("disk full: " + full);
            disk.capacityBytes(full ? 0 : Long.MAX_VALUE);
        } else {
            stop(choice);
        }
    }

    // ---- what is done to the logs -------------------------------------------------------------------------------

    private void create(Model model) {
        if (model.role == LogRole.CURSORS) {
            Model data = models.get(LOGS - 2);
            if (data.log == null || data.logId.equals(goneFor)) {
                return;
            }
            model.logId = data.logId;
        }
        note("create " + model + " " + model.logId);
        model.existenceInDoubt = true;
        try {
            model.log = node.storage()
                    .create(model.partition, model.role, model.logId, config, node.shard, listener(model));
            model.exists = true;
            model.forgetAll(0);
        } catch (DiskFullException e) {
            note("no space");
        }
        model.existenceInDoubt = false;
    }

    private SyncListener listener(Model model) {
        UUID of = model.logId;
        return node.listener(syncedOffset -> {
            assertThat(model.logId).isEqualTo(of);
            model.synced = Math.max(model.synced, syncedOffset);
            note("synced " + syncedOffset + " of " + model);
        });
    }

    private void append(Model model) {
        if (model.log == null) {
            return;
        }
        List<String> values = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            values.add("v" + counter++ + "x".repeat(random.nextInt(80)));
        }
        long end = model.end();
        Batch batch = new Batch(end, end + values.size() - 1, values);
        note("append to " + model + " " + batch.first + ".." + batch.last);
        model.batchInDoubt = batch;
        try {
            AppendResult result =
                    model.log().append(Batches.of(values.toArray(new String[0])), model.epoch, AppendOrigin.CLIENT);
            assertThat(((Appended) result).firstOffset()).isEqualTo(batch.first);
            model.batches.add(batch);
        } catch (DiskFullException e) {
            note("no space");
        }
        model.batchInDoubt = null;
    }

    private void requestSyncs() {
        for (Model model : models) {
            if (model.log != null && random.nextInt(3) > 0) {
                model.log().requestSync();
            }
        }
    }

    private void cut(Model model) {
        long end = model.end();
        if (end == model.start || full) {
            return;
        }
        long offset = model.start + random.nextInt((int) (end - model.start) + 1);
        note("cut " + model + " at " + offset);
        long at = end;
        for (Batch batch : model.batches) {
            if (batch.last >= offset) {
                at = batch.first;
                break;
            }
        }
        model.synced = Math.min(model.synced, at);
        long cutAt = at;
        model.log().truncateTo(offset);
        model.batches.removeIf(batch -> batch.first >= cutAt);
        model.start = Math.min(model.start, at);
        assertThat(model.log().logEndOffset()).isEqualTo(at);
    }

    private void restart(Model model) {
        if (random.nextBoolean() || full) {
            return;
        }
        long offset = random.nextInt(50);
        note("restart " + model + " at " + offset);
        model.synced = 0;
        model.restartInDoubt = true;
        model.log().restartAt(offset);
        model.restartInDoubt = false;
        model.forgetAll(offset);
    }

    private void advanceStart(Model model) {
        long offset = model.start + random.nextInt((int) (model.end() - model.start) + 1);
        note("start of " + model + " at " + offset);
        model.log().advanceLogStart(offset);
        model.start = offset;
    }

    private void closeAndOpen(Model model) {
        if (full) {
            return;
        }
        note("close and open " + model);
        long end = model.end();
        model.log().close();
        if (disk.isDown()) {
            return;
        }
        model.synced = end;
        model.log = node.storage().open(model.partition, model.role, model.logId, config, node.shard, listener(model));
        assertThat(model.log().logEndOffset()).isEqualTo(end);
        check(model);
    }

    private void delete(Model model) {
        if (full) {
            return;
        }
        if (model == models.get(LOGS - 2)) {
            Model cursors = models.get(LOGS - 1);
            if (cursors.log != null) {
                delete(cursors);
            }
        }
        note("delete " + model);
        model.existenceInDoubt = true;
        model.synced = 0;
        model.log().delete();
        model.existenceInDoubt = false;
        model.exists = false;
        model.log = null;
        // Events of the one that was removed say nothing of the next.
        node.shard.runAll();
        model.forgetAll(0);
        if (model.role == LogRole.CURSORS) {
            goneFor = model.logId;
        }
        model.logId = new UUID(6, counter++);
    }

    // ---- stops and starts ---------------------------------------------------------------------------------------

    private void stop(int choice) throws IOException {
        if (disk.isDown()) {
            recover(true);
        } else if (choice == 97) {
            note("clean close");
            noLongerFull();
            node.storage().close();
            if (disk.isDown()) {
                recover(true);
                return;
            }
            node.shard.runAll();
            assertThat(Files.exists(node.directory.resolve("commit-journal-0"))).isFalse();
            models.forEach(model -> model.synced = model.end());
            if (random.nextInt(3) == 0) {
                node.powerCutAtRest();
            }
            open();
            assertThat(node.storage().startKind()).isEqualTo(StartKind.CLEAN);
            models.forEach(this::check);
        } else if (choice == 98) {
            note("kill");
            disk.kill();
            recover(false);
        } else {
            note("power cut");
            disk.crash();
            recover(true);
        }
    }

    private void noLongerFull() {
        full = false;
        disk.capacityBytes(Long.MAX_VALUE);
    }

    private void recover(boolean powerLoss) throws IOException {
        node.crashed(powerLoss);
        if (!disk.isDown()) {
            disk.kill();
        }
        noLongerFull();
        disk.restart();
        if (Files.exists(node.directory.resolve("commit-journal-0"))) {
            replays++;
        }
        if (random.nextInt(3) == 0) {
            disk.crashAfterOperations(random.nextInt(60));
        }
        boolean exact = node.startUntilUp(this::open) && !powerLoss;
        for (Model model : models) {
            long before = model.end();
            boolean inDoubt = model.batchInDoubt != null || model.restartInDoubt || model.existenceInDoubt;
            check(model);
            if (exact && !inDoubt && model.log != null) {
                assertThat(model.log().logEndOffset())
                        .as(model + ": everything written is there after a kill")
                        .isEqualTo(before);
            }
        }
    }

    private void open() throws IOException {
        models.forEach(model -> model.log = null);
        DiskLogStorage opened = node.open(maxOpenFiles, journalBytes);
        for (Model model : models) {
            Optional<UUID> found = opened.find(model.partition, model.role);
            if (!model.existenceInDoubt) {
                assertThat(found.isPresent()).as(model + " exists").isEqualTo(model.exists);
            }
            if (found.isPresent()) {
                assertThat(found).contains(model.logId);
                model.log = opened.open(model.partition, model.role, model.logId, config, node.shard, listener(model));
                opened.concluded(model.partition);
            }
        }
    }

    /** Compares a log after a start with the model, and makes the model what was found. */
    private void check(Model model) {
        PartitionLog found = model.log;
        boolean removed = found == null && (model.exists || model.existenceInDoubt);
        if (removed && model.role == LogRole.CURSORS) {
            goneFor = model.logId;
        }
        model.exists = found != null;
        model.existenceInDoubt = false;
        if (found == null) {
            model.forgetAll(0);
            model.logId = new UUID(6, counter++);
            return;
        }
        note("found " + model + " " + found.offsets() + ", synced before " + model.synced);
        long end = found.logEndOffset();
        if (model.restartInDoubt && found.logStartOffset() == end) {
            model.forgetAll(end);
        }
        model.restartInDoubt = false;
        assertThat(end).as(model + ": synced records are there").isGreaterThanOrEqualTo(model.synced);
        if (model.batchInDoubt != null && model.batchInDoubt.first < end) {
            model.batches.add(model.batchInDoubt);
        }
        model.batchInDoubt = null;
        assertThat(end).as(model + ": nothing was made up").isLessThanOrEqualTo(model.end());
        assertThat(found.logStartOffset())
                .as(model + ": a start is never found higher")
                .isLessThanOrEqualTo(Math.min(model.start, end));
        model.start = found.logStartOffset();
        model.batches.removeIf(batch -> batch.first >= end);
        List<String> expected = new ArrayList<>();
        for (Batch batch : model.batches) {
            if (batch.last >= model.start) {
                for (int i = 0; i < batch.values.size(); i++) {
                    expected.add(batch.first + i + "=" + batch.values.get(i));
                }
            }
        }
        assertThat(Batches.readAll(found)).as(model.toString()).isEqualTo(expected);
        model.epoch = Math.max(model.epoch, found.latestEpoch()) + 1;
        model.synced = Math.min(model.synced, end);
    }
}
