package io.millrace.coordinator.cursor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Which records of a cursor are lent, to whom, under which acquisition. In memory only: acquisitions end with the leader's term. */
final class Holdings {

    /** One consumer, attached or still holding records after it was closed. */
    private static final class Holder {
        private final Map<Long, OffsetRuns> acquisitions = new HashMap<>();
        private boolean attached;
    }

    private final Map<ConsumerKey, Holder> holders = new HashMap<>();
    private long acquired;
    private int attached;

    /** Returns how many records are lent. */
    long acquired() {
        return acquired;
    }

    /** Returns how many records a consumer holds. */
    long acquiredBy(ConsumerKey consumer) {
        Holder holder = holders.get(consumer);
        return holder == null
                ? 0
                : holder.acquisitions.values().stream()
                        .mapToLong(OffsetRuns::count)
                        .sum();
    }

    int attached() {
        return attached;
    }

    boolean isAttached(ConsumerKey consumer) {
        Holder holder = holders.get(consumer);
        return holder != null && holder.attached;
    }

    void attach(ConsumerKey consumer) {
        Holder holder = holders.computeIfAbsent(consumer, key -> new Holder());
        if (!holder.attached) {
            holder.attached = true;
            attached++;
        }
    }

    void detach(ConsumerKey consumer) {
        Holder holder = holders.get(consumer);
        if (holder != null && holder.attached) {
            holder.attached = false;
            attached--;
            forgetIfDone(consumer, holder);
        }
    }

    /** Returns the consumers of a session, attached or not. */
    List<ConsumerKey> consumersOf(UUID sessionId) {
        List<ConsumerKey> consumers = new ArrayList<>();
        for (ConsumerKey consumer : holders.keySet()) {
            if (consumer.sessionId().equals(sessionId)) {
                consumers.add(consumer);
            }
        }
        return consumers;
    }

    /** Lends the records of {@code runs}, at least one, to an attached consumer. */
    void lend(ConsumerKey consumer, long acquisition, OffsetRuns runs) {
        Holder holder = holders.get(consumer);
        if (holder == null || !holder.attached) {
            throw new IllegalArgumentException(consumer + " is not attached to the cursor");
        }
        holder.acquisitions.put(acquisition, runs);
        acquired += runs.count();
    }

    /** Returns what is left of an acquisition, or null when it is not current. Only {@link #take} may change it. */
    @Nullable
    OffsetRuns find(ConsumerKey consumer, long acquisition) {
        Holder holder = holders.get(consumer);
        return holder == null ? null : holder.acquisitions.get(acquisition);
    }

    /** Takes records, all of which the acquisition holds, out of it. */
    void take(ConsumerKey consumer, long acquisition, OffsetRuns held, long first, long end) {
        held.remove(first, end);
        acquired -= end - first;
        if (held.isEmpty()) {
            Holder holder = holders.get(consumer);
            if (holder != null) {
                holder.acquisitions.remove(acquisition);
                forgetIfDone(consumer, holder);
            }
        }
    }

    /** Returns the numbers of the acquisitions that a consumer has. */
    List<Long> acquisitionsOf(ConsumerKey consumer) {
        Holder holder = holders.get(consumer);
        return holder == null ? List.of() : List.copyOf(holder.acquisitions.keySet());
    }

    /** Takes away what is lent from {@code first} up to, without, {@code end}, from whoever has it. */
    void cancel(long first, long end) {
        for (ConsumerKey consumer : List.copyOf(holders.keySet())) {
            for (long acquisition : acquisitionsOf(consumer)) {
                cancel(consumer, acquisition, first, end);
            }
        }
    }

    private void cancel(ConsumerKey consumer, long acquisition, long first, long end) {
        OffsetRuns held = find(consumer, acquisition);
        if (held == null) {
            return;
        }
        int run = held.runEndingAfter(first);
        while (run < held.runs() && held.first(run) < end) {
            long cancelFirst = Math.max(first, held.first(run));
            take(consumer, acquisition, held, cancelFirst, Math.min(end, held.end(run)));
            run = held.runEndingAfter(cancelFirst);
        }
    }

    /** Calls {@code visitor} with what is left of each acquisition. */
    void forEach(Consumer<OffsetRuns> visitor) {
        holders.values().forEach(holder -> holder.acquisitions.values().forEach(visitor));
    }

    private void forgetIfDone(ConsumerKey consumer, Holder holder) {
        if (!holder.attached && holder.acquisitions.isEmpty()) {
            holders.remove(consumer);
        }
    }
}
