package io.millrace.coordinator.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A log that syncs when chance has it, refuses when its disk is full, and loses in a crash what was not synced. */
final class SimulatedTransactionLog implements TransactionLog {

    private record Entry(String id, @Nullable TransactionRecord record, CompletableFuture<Void> durable) {}

    private final SimulatedWorld world;
    private List<Entry> entries = new ArrayList<>();
    private int synced;
    private boolean syncing;

    SimulatedTransactionLog(SimulatedWorld world) {
        this.world = world;
    }

    @Override
    public CompletionStage<Void> append(TransactionRecord record) {
        return add(record.id(), record, true);
    }

    @Override
    public CompletionStage<Void> remove(String id) {
        return add(id, null, true);
    }

    @Override
    public void note(TransactionRecord record) {
        var _ = add(record.id(), record, false);
    }

    @Override
    public void noteRemoved(String id) {
        var _ = add(id, null, false);
    }

    private CompletionStage<Void> add(String id, @Nullable TransactionRecord record, boolean awaited) {
        CompletableFuture<Void> durable = new CompletableFuture<>();
        if (world.chance(3)) {
            world.later(() -> durable.completeExceptionally(
                    new TransactionException(TransactionError.NOT_AVAILABLE, "the disk is full")));
            return durable;
        }
        entries.add(new Entry(id, record, durable));
        if (awaited && !syncing) {
            syncing = true;
            world.later(this::sync);
        }
        return durable;
    }

    private void sync() {
        syncing = false;
        List<Entry> done = List.copyOf(entries.subList(synced, entries.size()));
        synced = entries.size();
        done.forEach(entry -> entry.durable.complete(null));
    }

    void crash() {
        // Some of what was not synced is there all the same.
        int kept = synced + world.random.nextInt(entries.size() - synced + 1);
        entries = new ArrayList<>(entries.subList(0, kept));
        synced = kept;
        syncing = false;
    }

    void replayInto(TransactionCoordinator coordinator) {
        for (Entry entry : entries) {
            TransactionRecord record = entry.record;
            if (record == null) {
                coordinator.replayRemoved(entry.id);
            } else {
                coordinator.replay(record);
            }
        }
    }
}
