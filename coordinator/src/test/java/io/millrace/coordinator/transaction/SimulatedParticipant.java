package io.millrace.coordinator.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A partition with a log of writes and markers, as the broker's partitions go by them. */
final class SimulatedParticipant {

    sealed interface Event {
        record Write(ProducerIdentity by, int operation) implements Event {}

        record Marker(ProducerIdentity by, boolean commit) implements Event {}
    }

    enum Fate {
        OPEN,
        COMMITTED,
        ABORTED
    }

    final Participant name;
    private final SimulatedWorld world;
    private List<Event> log = new ArrayList<>();
    private int synced;
    private boolean syncing;
    private boolean held;
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

    SimulatedParticipant(Participant name, SimulatedWorld world) {
        this.name = name;
        this.world = world;
    }

    /** Appends, unless a newer epoch is known. What is open under an older one, nobody will end any more. */
    boolean write(ProducerIdentity by, int operation) {
        if (latestEpoch(by.id()) > by.epoch()) {
            return false;
        }
        open(by.id()).filter(open -> open.epoch() < by.epoch()).ifPresent(this::abandon);
        log.add(new Event.Write(by, operation));
        return true;
    }

    CompletionStage<Void> durable() {
        if (synced == log.size()) {
            return CompletableFuture.completedStage(null);
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        waiting.add(done);
        if (!syncing) {
            syncing = true;
            world.later(this::sync);
        }
        return done;
    }

    /** What is appended from now on stays unsynced, and the next crash takes it. */
    void hold() {
        held = true;
    }

    void release() {
        held = false;
        sync();
    }

    private void sync() {
        if (held) {
            return;
        }
        syncing = false;
        synced = log.size();
        List<CompletableFuture<Void>> done = List.copyOf(waiting);
        waiting.clear();
        done.forEach(one -> one.complete(null));
    }

    void crash() {
        int kept = held ? synced : synced + world.random.nextInt(log.size() - synced + 1);
        held = false;
        log = new ArrayList<>(log.subList(0, kept));
        synced = kept;
        syncing = false;
        waiting.clear();
    }

    private short latestEpoch(long producerId) {
        short latest = -1;
        for (Event event : log) {
            ProducerIdentity by = by(event);
            latest = by.id() == producerId ? by.epoch() : latest;
        }
        return latest;
    }

    private static ProducerIdentity by(Event event) {
        return switch (event) {
            case Event.Write(var by, var operation) -> by;
            case Event.Marker(var by, var commit) -> by;
        };
    }

    /** Returns under which identity a producer has a transaction open. */
    Optional<ProducerIdentity> open(long producerId) {
        Optional<ProducerIdentity> open = Optional.empty();
        for (Event event : log) {
            if (by(event).id() == producerId) {
                open = event instanceof Event.Write(var by, var operation) ? Optional.of(by) : Optional.empty();
            }
        }
        return open;
    }

    List<ProducerIdentity> allOpen() {
        return log.stream()
                .map(event -> by(event).id())
                .distinct()
                .flatMap(id -> open(id).stream())
                .toList();
    }

    void mark(Participants.Ending ending) {
        open(ending.marker().id())
                .filter(open -> open.epoch() <= ending.transaction().epoch())
                .ifPresent(open -> log.add(new Event.Marker(ending.marker(), ending.commit())));
    }

    /** Rolls back what no coordinator knows. */
    void abandon(ProducerIdentity unknown) {
        if (open(unknown.id()).equals(Optional.of(unknown))) {
            world.say(name + " rolls back " + unknown + ", which nobody knows");
            log.add(new Event.Marker(unknown, false));
        }
    }

    /** Returns what became of every operation. */
    Map<Integer, Fate> fates() {
        Map<Integer, Fate> fates = new HashMap<>();
        Map<Long, List<Integer>> open = new HashMap<>();
        for (Event event : log) {
            switch (event) {
                case Event.Write(var by, var operation) -> {
                    fates.put(operation, Fate.OPEN);
                    open.computeIfAbsent(by.id(), id -> new ArrayList<>()).add(operation);
                }
                case Event.Marker(var by, var commit) -> {
                    for (int operation : open.getOrDefault(by.id(), List.of())) {
                        fates.put(operation, commit ? Fate.COMMITTED : Fate.ABORTED);
                    }
                    open.remove(by.id());
                }
            }
        }
        return fates;
    }
}
