package io.millrace.coordinator.cursor;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap in which all cursors of a broker note who holds what: {@link #RUN_BYTES} for each run of records that was lent in one
 * delivery, so for each message where messages are delivered one by one. Clients that never acknowledge would let it grow with every
 * cursor.
 *
 * <p><b>Fair shares.</b> A cursor lends more while it uses less than a quarter of what is free. So one cursor alone gets a fifth of all,
 * and however many use as much as they can, something is free for the next one. Besides, {@link #RUNS_FOR_EACH} runs are always allowed:
 * a cursor whose consumers acknowledge goes on whatever the others do.
 *
 * <p>May be used from any thread.
 */
public final class LendingMemory {

    /** What a run costs: three numbers, in an array of which up to a third is spare and up to half may be empty. */
    public static final int RUN_BYTES = 48;

    /** Runs that each cursor may have out, whatever others use. */
    public static final int RUNS_FOR_EACH = 32;

    private static final int SHARE_OF_FREE = 4;

    /** With less than this part in use nobody is short: below a fifth, where one cursor alone would be, by enough not to change at every turn. */
    private static final int PLENTY_PART = 10;

    /** Those that wait are let go on each time when this part of the whole has come back. */
    private static final int WAKE_PART = 64;

    /** Hears when the memory is used up, in so far as a cursor has to wait, and when there is plenty again. */
    public interface Listener {

        /** A cursor has to wait, for the first time since there was plenty. */
        void onFull(long usedBytes, long limitBytes);

        /** Nine tenths of it are free again, so that no cursor has to wait. */
        void onRoom(long usedBytes, long limitBytes);
    }

    private final long limitBytes;
    private final Listener listener;
    private final AtomicLong usedBytes = new AtomicLong();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean full = new AtomicBoolean();
    private volatile long wakeAtBytes;

    /**
     * Creates it, unused.
     *
     * @param limitBytes how much may be used, 1 or more
     * @param listener is told on whatever thread notices
     */
    public LendingMemory(long limitBytes, Listener listener) {
        if (limitBytes < 1) {
            throw new IllegalArgumentException("cursors need memory to lend, not " + limitBytes + " bytes");
        }
        this.limitBytes = limitBytes;
        this.listener = listener;
    }

    /** Returns one without bound. */
    public static LendingMemory unlimited() {
        return new LendingMemory(Long.MAX_VALUE / 2, new Listener() {
            @Override
            public void onFull(long usedBytes, long limitBytes) {}

            @Override
            public void onRoom(long usedBytes, long limitBytes) {}
        });
    }

    /** Returns how many bytes are used. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** Returns how many bytes may be used. */
    public long limitBytes() {
        return limitBytes;
    }

    /** Returns how many wait for room. */
    public int waiting() {
        return waiting.size();
    }

    /** Returns whether a cursor that has so many runs out may lend more. */
    boolean hasRoom(long runsOfCursor) {
        if (runsOfCursor < RUNS_FOR_EACH) {
            return true;
        }
        boolean room = runsOfCursor * RUN_BYTES < (limitBytes - usedBytes.get()) / SHARE_OF_FREE;
        if (!room && !full.get() && full.compareAndSet(false, true)) {
            listener.onFull(usedBytes.get(), limitBytes);
        }
        return room;
    }

    /** Counts runs that were lent, or with a negative number that came back. */
    void add(long runs) {
        long used = usedBytes.addAndGet(runs * RUN_BYTES);
        if (runs >= 0) {
            return;
        }
        if (used <= wakeAtBytes && !waiting.isEmpty()) {
            wake();
        }
        if (used < limitBytes / PLENTY_PART && full.get() && full.compareAndSet(true, false)) {
            listener.onRoom(used, limitBytes);
        }
    }

    /** Runs a task once, on whatever thread, when others have given something back; it may find that this is not enough. */
    void whenMore(Runnable task) {
        synchronized (waiting) {
            long wakeAt = wakeAt();
            // Whoever waits already was promised to hear when less has come back than he who comes now would wait for.
            wakeAtBytes = waiting.isEmpty() ? wakeAt : Math.max(wakeAtBytes, wakeAt);
            waiting.add(task);
        }
        if (usedBytes.get() <= wakeAtBytes) {
            wake();
        }
    }

    private long wakeAt() {
        return Math.max(0, usedBytes.get() - limitBytes / WAKE_PART);
    }

    /** Takes back a task that waits, if it does. */
    void whenMoreNoLonger(Runnable task) {
        waiting.remove(task);
    }

    private void wake() {
        synchronized (waiting) {
            wakeAtBytes = wakeAt();
        }
        // Those that wait again while this goes on wait for the next time.
        for (int count = waiting.size(); count > 0; count--) {
            Runnable task = waiting.poll();
            if (task == null) {
                return;
            }
            task.run();
        }
    }
}
