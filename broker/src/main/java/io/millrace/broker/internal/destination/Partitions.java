package io.millrace.broker.internal.destination;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.log.DiskFullException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The partitions that this broker leads: open, being opened, or found damaged. May be read from any thread. */
public final class Partitions {

    private record Key(UUID logId, int partition) {}

    private final ConcurrentHashMap<Key, CompletableFuture<Partition>> partitions = new ConcurrentHashMap<>();
    /** Logs that the metadata know nothing of. */
    private final ConcurrentHashMap<UUID, LogInfo> temporary = new ConcurrentHashMap<>();

    private final ConcurrentHashMap<String, UUID> temporaryNames = new ConcurrentHashMap<>();

    /** What is known of a partition. */
    public sealed interface Lookup {

        /** It is open. */
        record Found(Partition partition) implements Lookup {}

        /** It is not led by this broker, or not yet. */
        record NotHere() implements Lookup {}

        /** It could not be opened; the reason says what to do. */
        record Offline(String why) implements Lookup {}
    }

    /** Finds a partition. */
    public Lookup find(UUID logId, int partition) {
        CompletableFuture<Partition> opened = partitions.get(new Key(logId, partition));
        if (opened == null || !opened.isDone()) {
            return new Lookup.NotHere();
        }
        try {
            return new Lookup.Found(opened.join());
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            return new Lookup.Offline(cause == null ? e.toString() : String.valueOf(cause.getMessage()));
        }
    }

    /** Completes when all partitions of a log that are led here have been opened, or found damaged. */
    public CompletableFuture<Void> whenOpened(UUID logId, int count) {
        List<CompletableFuture<Partition>> opening = new ArrayList<>();
        for (int partition = 0; partition < count; partition++) {
            CompletableFuture<Partition> opened = partitions.get(new Key(logId, partition));
            if (opened != null) {
                opening.add(opened);
            }
        }
        return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
                .handle((done, damaged) -> null);
    }

    /** Completes when all partitions that are being opened now are open, or found damaged. */
    CompletableFuture<Void> whenAllOpened() {
        return CompletableFuture.allOf(partitions.values().toArray(CompletableFuture[]::new))
                .handle((done, damaged) -> null);
    }

    /** Returns the open partitions of one log, in order. */
    public List<Partition> of(UUID logId, int count) {
        List<Partition> found = new ArrayList<>(count);
        for (int partition = 0; partition < count; partition++) {
            if (find(logId, partition) instanceof Lookup.Found(Partition open)) {
                found.add(open);
            }
        }
        return found;
    }

    /** Returns all open partitions. */
    public List<Partition> all() {
        return partitions.values().stream()
                .filter(opened -> opened.isDone() && !opened.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .toList();
    }

    /** Returns how many partitions could not be opened, or have failed since. */
    public int countOffline() {
        int offline = 0;
        for (CompletableFuture<Partition> opened : partitions.values()) {
            boolean failed = opened.isCompletedExceptionally();
            boolean serves =
                    !opened.isDone() || (!failed && opened.join().snapshot().online());
            offline += serves ? 0 : 1;
        }
        return offline;
    }

    /** Returns how many partitions are led here, whether they serve or not. */
    public int count() {
        return partitions.size();
    }

    /** Returns the logs with partitions that could not be created because the disk was full. */
    Set<UUID> withoutSpace() {
        Set<UUID> logs = new HashSet<>();
        partitions.forEach((key, opened) -> {
            if (lacksSpace(opened)) {
                logs.add(key.logId);
            }
        });
        return logs;
    }

    /** Says whether a partition could not be created because the disk was full. */
    boolean lacksSpace(UUID logId, int partition) {
        CompletableFuture<Partition> opened = partitions.get(new Key(logId, partition));
        return opened != null && lacksSpace(opened);
    }

    private static boolean lacksSpace(CompletableFuture<Partition> opened) {
        if (!opened.isCompletedExceptionally()) {
            return false;
        }
        Throwable failure = opened.exceptionNow();
        return failure instanceof DiskFullException || failure.getCause() instanceof DiskFullException;
    }

    /** Makes the partition of a temporary destination be found. */
    public void putTemporary(LogInfo log, Partition partition) {
        put(log.logId(), 0, CompletableFuture.completedFuture(partition));
        temporary.put(log.logId(), log);
        temporaryNames.put(log.name(), log.logId());
    }

    /** Takes back {@link #putTemporary}. */
    public void removeTemporary(LogInfo log) {
        temporaryNames.remove(log.name(), log.logId());
        temporary.remove(log.logId());
        partitions.remove(new Key(log.logId(), 0));
    }

    /** Returns the log with an identity: one of a temporary destination, or of the metadata. */
    public Optional<LogInfo> log(UUID logId, MetadataImage image) {
        return Optional.ofNullable(temporary.get(logId)).or(() -> image.log(logId));
    }

    /** Returns the log that has a name: one of a temporary destination, or of the metadata. */
    public Optional<UUID> logNamed(String name, MetadataImage image) {
        return Optional.ofNullable(temporaryNames.get(name))
                .or(() -> image.logNamed(name).map(LogInfo::logId));
    }

    void put(UUID logId, int partition, CompletableFuture<Partition> opening) {
        partitions.put(new Key(logId, partition), opening);
    }

    boolean contains(UUID logId, int partition) {
        return partitions.containsKey(new Key(logId, partition));
    }

    /** Completes with a partition when it is open, or fails when it cannot be opened; nothing if it is not led here. */
    Optional<CompletionStage<Partition>> whenOpen(UUID logId, int partition) {
        return Optional.ofNullable(partitions.get(new Key(logId, partition)));
    }

    CompletionStage<Partition> remove(UUID logId, int partition) {
        CompletableFuture<Partition> removed = partitions.remove(new Key(logId, partition));
        return removed == null ? CompletableFuture.failedFuture(new IllegalStateException("not open")) : removed;
    }
}
