package io.millrace.log.internal.disk;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.LogClosedException;
import io.millrace.log.LogRole;
import io.millrace.log.PartitionId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which logs there are, where, and which of them are open. Creating, opening and deleting take long, so a log's place is reserved meanwhile:
 * {@link #begin}, then the work, then {@link #end}. From any thread.
 */
public final class LogRegistry {
    /** A log's name in the registry. */
    public record Place(PartitionId partition, LogRole role) {
        @Override
        public String toString() {
            return "log " + partition + (role == LogRole.DATA ? "" : " (cursors)");
        }
    }

    /** A log on disk. What changes is guarded by the registry's lock. */
    public static final class Stored {
        private final LogIdentity identity;
        private final LogContext context;
        private @Nullable DiskPartitionLog open;

        /** Whether it was opened, and so recovered, since the start. */
        private boolean recovered;

        /** Whether its user has not yet said that it wrote what follows from the way the log was found. */
        private boolean inconclusive;

        public Stored(LogIdentity identity, LogContext context) {
            this.identity = identity;
            this.context = context;
        }

        public LogIdentity identity() {
            return identity;
        }

        public LogContext context() {
            return context;
        }

        private Place place() {
            return new Place(identity.partition(), identity.role());
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Place, Stored> logs =
            new TreeMap<>(Comparator.comparing(Place::partition).thenComparing(Place::role));

    /** Places that somebody works at. */
    private final Set<Place> busy = new HashSet<>();

    private boolean closed;

    /**
     * Adds a log that was found on disk.
     *
     * @throws DataDirectoryException if another directory has it too
     */
    public void found(Stored stored) {
        Stored other = locked(() -> {
            stored.inconclusive = stored.identity.role() == LogRole.CURSORS;
            return logs.putIfAbsent(stored.place(), stored);
        });
        if (other != null) {
            throw new DataDirectoryException(stored.place() + " is in " + other.identity.path() + " and in "
                    + stored.identity.path() + "; remove the one that is out of date");
        }
    }

    /** All logs, by name, each partition's cursors after its data. */
    public List<Stored> all() {
        return locked(() -> List.copyOf(logs.values()));
    }

    public Optional<Stored> find(Place place) {
        return locked(() -> Optional.ofNullable(logs.get(place)));
    }

    public int countIn(LogContext context) {
        return (int)
                all().stream().filter(stored -> stored.context.equals(context)).count();
    }

    /** Reserves the place of a log that does not exist. */
    public void beginCreate(Place place) {
        begin(place, () -> require(!logs.containsKey(place), place + " exists"));
    }

    /** Reserves a log that exists and is not open, to open or delete it. */
    public Stored begin(Place place) {
        return begin(place, () -> {
            Stored stored = logs.get(place);
            require(stored != null, place + " does not exist");
            require(stored == null || stored.open == null, place + " is open");
        });
    }

    private Stored begin(Place place, Runnable check) {
        return locked(() -> {
            if (closed) {
                throw new LogClosedException("the log storage is closed");
            }
            require(!busy.contains(place), place + " is being created, opened or deleted already");
            check.run();
            busy.add(place);
            return logs.get(place);
        });
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }

    public void end(Place place) {
        locked(() -> busy.remove(place));
    }

    /** A log was created. */
    public void created(Stored stored) {
        locked(() -> logs.put(stored.place(), stored));
    }

    public void opened(Stored stored, DiskPartitionLog log) {
        locked(() -> {
            stored.open = log;
            stored.recovered = true;
            return stored;
        });
    }

    public void closed(Stored stored) {
        locked(() -> {
            stored.open = null;
            return stored;
        });
    }

    /** A log was deleted, and the cursors with it if it was the data of a partition. */
    public void deleted(Place place) {
        locked(() -> {
            logs.remove(place);
            if (place.role == LogRole.DATA) {
                logs.remove(new Place(place.partition, LogRole.CURSORS));
            }
            return place;
        });
    }

    /**
     * Lets nothing begin any more.
     *
     * @return the logs that are open, or empty if this was said before
     */
    public Optional<List<DiskPartitionLog>> close() {
        return locked(() -> {
            if (closed) {
                return Optional.empty();
            }
            closed = true;
            return Optional.of(logs.values().stream()
                    .flatMap(stored -> Optional.ofNullable(stored.open).stream())
                    .toList());
        });
    }

    /** The logs of partitions' data that are open. */
    public List<DiskPartitionLog> openData() {
        return locked(() -> logs.values().stream()
                .flatMap(stored -> Optional.ofNullable(stored.open).stream())
                .filter(log -> log.role() == LogRole.DATA)
                .toList());
    }

    /** Whether every log of a directory was recovered since the start. */
    public boolean isRecovered(LogContext context) {
        return locked(() -> logs.values().stream()
                .filter(stored -> stored.context.equals(context))
                .allMatch(stored -> stored.recovered));
    }

    /** The user of a log has written what follows from the way it was found; nothing happens if there is none. */
    public void concluded(Place place) {
        locked(() -> {
            Stored stored = logs.get(place);
            if (stored != null) {
                stored.inconclusive = false;
            }
            return place;
        });
    }

    /** Whether that was said of every log with cursors that was found in a directory. */
    public boolean isConcluded(LogContext context) {
        return locked(() -> logs.values().stream()
                .filter(stored -> stored.context.equals(context))
                .noneMatch(stored -> stored.inconclusive));
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
