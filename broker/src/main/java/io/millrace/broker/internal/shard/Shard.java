package io.millrace.broker.internal.shard;

import io.millrace.wire.time.TimeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The single writer of whatever was given to it: runs tasks one after another, in turns.
 *
 * <p>A turn is: up to {@value #MAX_TASKS_PER_TURN} queued tasks (fewer once they have written {@value #MAX_WRITTEN_BYTES_PER_TURN}
 * bytes to the page cache), then the timers that are due, then what was given to {@link #beforeTurnEnd}, then everybody who asked for
 * {@link #atTurnEnd}. What many tasks of a turn have in common, such as one batch for the cursor log and one request for a sync, is done
 * once at its end.
 *
 * <p>{@link #execute} and {@link #offer} may be called from any thread; all other methods only from inside a task, or by whoever steps
 * the shard. The shard has no thread of its own: {@link ShardLoop} and {@link ShardThread} run it in production, tests call
 * {@link #runTurn()}.
 */
public final class Shard implements Executor {

    /** Tasks of one turn. Bounds how long a timer or the end of the turn waits behind a full queue. */
    static final int MAX_TASKS_PER_TURN = 256;

    /** Bytes of one turn: writing more to the page cache would hold up the other partitions of this shard for too long. */
    static final int MAX_WRITTEN_BYTES_PER_TURN = 256 * 1024;

    private final String name;
    private final TimeSource time;
    private final int capacity;
    private final FaultHandler faultHandler;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final PriorityQueue<ShardTimer> timers = new PriorityQueue<>();
    private final ArrayDeque<Runnable> beforeTurnEnd = new ArrayDeque<>();
    private List<TurnEnd> turnEnds = new ArrayList<>();
    private List<TurnEnd> spareTurnEnds = new ArrayList<>();
    private int writtenBytes;
    private long timerSequence;
    private volatile @Nullable Runnable waker;

    /**
     * Creates a shard that nobody runs yet.
     *
     * @param name for logs and thread names
     * @param time decides when timers are due
     * @param capacity tasks that may wait before {@link #offer} refuses more, at least 1
     * @param faultHandler told of everything that a task throws
     */
    public Shard(String name, TimeSource time, int capacity, FaultHandler faultHandler) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + " of shard " + name + " is below 1");
        }
        this.name = name;
        this.time = time;
        this.capacity = capacity;
        this.faultHandler = faultHandler;
    }

    /** Returns the name given at construction. */
    public String name() {
        return name;
    }

    /** Returns the clock that the timers of this shard follow. */
    public TimeSource time() {
        return time;
    }

    /**
     * Queues a task of the broker itself. It is never refused: such tasks (results of syncs, ends of connections, timers of others) are
     * bounded by what they report about, and losing one would leave state behind for ever.
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        queued.incrementAndGet();
        Runnable wake = waker;
        if (wake != null) {
            wake.run();
        }
    }

    /**
     * Queues a task that a client caused.
     *
     * @return false if the shard has too much to do already and the client must be told to come back later
     */
    public boolean offer(Runnable task) {
        if (queued.get() >= capacity) {
            return false;
        }
        execute(task);
        return true;
    }

    /** Returns how many tasks wait; may be read from any thread. */
    public int queuedTasks() {
        return queued.get();
    }

    /**
     * Runs a task once after a while. On the shard only.
     *
     * @param delayNs 0 or more
     * @return a handle that can take it back
     */
    public ShardTimer schedule(long delayNs, Runnable task) {
        if (delayNs < 0) {
            throw new IllegalArgumentException("delay of " + delayNs + " ns on shard " + name);
        }
        ShardTimer timer = new ShardTimer(time.nanoTime() + delayNs, timerSequence++, task);
        timers.add(timer);
        return timer;
    }

    /** Has somebody called when this turn ends. Callers see to it that they ask once per turn. On the shard only. */
    public void atTurnEnd(TurnEnd participant) {
        turnEnds.add(participant);
    }

    /**
     * Runs a task after all tasks and timers of this turn, such as one that writes what they have gathered: whoever it has ask for {@link
     * #atTurnEnd} is called in this turn. On the shard only.
     */
    public void beforeTurnEnd(Runnable task) {
        beforeTurnEnd.add(task);
    }

    /** Counts bytes that a task wrote to the page cache, so that a turn does not grow without bound. On the shard only. */
    public void wroteBytes(int bytes) {
        writtenBytes += bytes;
    }

    /**
     * Runs one turn. To be called by one thread at a time.
     *
     * @return true if anything ran, so that calling again at once makes sense
     */
    public boolean runTurn() {
        writtenBytes = 0;
        boolean worked = runTasks();
        worked |= runDueTimers();
        worked |= endTurn();
        return worked;
    }

    /**
     * Returns how long nothing will happen here unless somebody queues a task.
     *
     * @param maxNs upper bound of the answer
     * @return nanoseconds, 0 when there is work
     */
    public long idleNs(long maxNs) {
        if (!tasks.isEmpty() || !turnEnds.isEmpty() || !beforeTurnEnd.isEmpty()) {
            return 0;
        }
        ShardTimer next = timers.peek();
        return next == null ? maxNs : Math.clamp(next.deadlineNs() - time.nanoTime(), 0, maxNs);
    }

    /** Returns whether a timer waits for its time. */
    boolean hasTimers() {
        return !timers.isEmpty();
    }

    /** Names who is to be called after each queued task, to wake up the thread that runs this shard. */
    void wakeBy(@Nullable Runnable newWaker) {
        this.waker = newWaker;
    }

    private boolean runTasks() {
        int count = 0;
        while (count < MAX_TASKS_PER_TURN && writtenBytes < MAX_WRITTEN_BYTES_PER_TURN) {
            Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            queued.decrementAndGet();
            guard(task);
            count++;
        }
        return count > 0;
    }

    private boolean runDueTimers() {
        boolean worked = false;
        long nowNs = time.nanoTime();
        for (ShardTimer next = timers.peek(); next != null && next.isDue(nowNs); next = timers.peek()) {
            timers.poll();
            if (!next.isCancelled()) {
                guard(next.task());
                worked = true;
            }
        }
        return worked;
    }

    private boolean endTurn() {
        boolean worked = !beforeTurnEnd.isEmpty();
        for (int left = beforeTurnEnd.size(); left > 0; left--) {
            guard(beforeTurnEnd.remove());
        }
        List<TurnEnd> ending = turnEnds;
        turnEnds = spareTurnEnds;
        spareTurnEnds = ending;
        for (TurnEnd participant : ending) {
            guard(participant::askForSyncs);
        }
        for (TurnEnd participant : ending) {
            guard(participant::onTurnEnd);
        }
        worked |= !ending.isEmpty();
        ending.clear();
        return worked;
    }

    /** The edge where whatever a task throws is caught: one broken partition must not stop the others of its shard. */
    private void guard(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error fault) {
            faultHandler.onFault(name, fault);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
