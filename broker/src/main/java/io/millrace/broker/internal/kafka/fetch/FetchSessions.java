package io.millrace.broker.internal.kafka.fetch;

import io.millrace.wire.time.TimeSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The fetch sessions of all consumers, so many as there are slots for. When all are taken, a new one takes the place of the one that was
 * unused for longest, if that is long enough; else the client is served without a session. From any thread.
 */
public final class FetchSessions {

    private static final long EVICTABLE_AFTER_NS = TimeUnit.MINUTES.toNanos(2);

    /** Partitions that all sessions remember together: about 200 bytes each. */
    static final int MAX_PARTITIONS = 200_000;

    private final int slots;
    private final TimeSource time;
    private final RandomGenerator random;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, FetchSession> sessions = new HashMap<>();

    /**
     * Creates an empty cache.
     *
     * @param slots most sessions, 0 or more
     * @param random source of session ids; used under a lock
     */
    public FetchSessions(int slots, TimeSource time, RandomGenerator random) {
        this.slots = slots;
        this.time = time;
        this.random = random;
    }

    /** Begins a session, if there is room for one. */
    Optional<FetchSession> create(boolean topicIds, List<FetchedPartition> wanted) {
        long nowNs = time.nanoTime();
        lock.lock();
        try {
            if ((sessions.size() >= slots && !evictOne(nowNs)) || partitions() + wanted.size() > MAX_PARTITIONS) {
                return Optional.empty();
            }
            int id;
            do {
                id = random.nextInt(1, Integer.MAX_VALUE);
            } while (sessions.containsKey(id));
            FetchSession session = new FetchSession(id, topicIds, wanted, nowNs);
            sessions.put(id, session);
            return Optional.of(session);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether sessions have grown to remember more than there is room for: the one that grew has to end. */
    boolean isOver() {
        lock.lock();
        try {
            return partitions() > MAX_PARTITIONS;
        } finally {
            lock.unlock();
        }
    }

    private long partitions() {
        return sessions.values().stream().mapToLong(FetchSession::size).sum();
    }

    private boolean evictOne(long nowNs) {
        @Nullable FetchSession oldest = null;
        for (FetchSession session : sessions.values()) {
            if (oldest == null || session.lastUsedNs() - oldest.lastUsedNs() < 0) {
                oldest = session;
            }
        }
        if (oldest == null || nowNs - oldest.lastUsedNs() < EVICTABLE_AFTER_NS) {
            return false;
        }
        sessions.remove(oldest.id());
        return true;
    }

    Optional<FetchSession> find(int id) {
        lock.lock();
        try {
            return Optional.ofNullable(sessions.get(id));
        } finally {
            lock.unlock();
        }
    }

    /** Ends a session; without effect if there is none. */
    void remove(int id) {
        lock.lock();
        try {
            sessions.remove(id);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many sessions there are. */
    public int count() {
        lock.lock();
        try {
            return sessions.size();
        } finally {
            lock.unlock();
        }
    }
}
