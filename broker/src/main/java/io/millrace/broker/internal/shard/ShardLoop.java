package io.millrace.broker.internal.shard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link Shard} on a socket loop, between its reads and its writes. A request that came in by that loop needs no other thread, what
 * was read from all sockets of the loop is one turn, and answers to those sockets wake up nobody.
 *
 * <p>While timers wait it looks at the clock at least every {@value #MAX_TICK_MS} ms, so that they also fire when the injected clock moves by
 * other means than waiting.
 */
public final class ShardLoop implements ShardRunner {

    private static final Logger LOG = LoggerFactory.getLogger(ShardLoop.class);

    private static final long MAX_TICK_MS = 50;
    private static final long MAX_TICK_NS = TimeUnit.MILLISECONDS.toNanos(MAX_TICK_MS);

    private final Shard shard;
    private final ScheduledExecutorService loop;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean stopped;

    // The loop's own.
    private boolean ticking;
    private long tickAtNs;

    private ShardLoop(Shard shard, ScheduledExecutorService loop) {
        this.shard = shard;
        this.loop = loop;
    }

    /**
     * Has a loop run the shard until {@link #stop()}.
     *
     * @param loop runs what it is given on one thread, in the order given
     */
    public static ShardLoop start(Shard shard, ScheduledExecutorService loop) {
        ShardLoop started = new ShardLoop(shard, loop);
        shard.wakeBy(started::wake);
        started.wake();
        return started;
    }

    private void wake() {
        // Most calls find that somebody has called before: a plain read is enough for them.
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            try {
                loop.execute(this::run);
            } catch (RejectedExecutionException ended) {
                stopped = true;
            }
        }
    }

    private void run() {
        // Before the turn: whoever queues a task from here on asks for another one, unless this one has found it.
        scheduled.set(false);
        if (stopped) {
            return;
        }
        if (shard.runTurn() && shard.idleNs(1) == 0) {
            wake();
        } else if (shard.hasTimers()) {
            tickBy(shard.idleNs(MAX_TICK_NS));
        }
    }

    /** An earlier tick than this one is left to come, a later one too: it then finds nothing to do. */
    @SuppressWarnings("FutureReturnValueIgnored") // A tick throws nothing: the shard guards what it runs
    private void tickBy(long delayNs) {
        long atNs = shard.time().nanoTime() + delayNs;
        if (ticking && tickAtNs - atNs <= 0) {
            return;
        }
        ticking = true;
        tickAtNs = atNs;
        loop.schedule(() -> tick(atNs), delayNs, TimeUnit.NANOSECONDS);
    }

    private void tick(long atNs) {
        if (tickAtNs == atNs) {
            ticking = false;
        }
        run();
    }

    @Override
    public void stop() {
        stopped = true;
        try {
            CompletableFuture.runAsync(() -> {}, loop).join();
        } catch (RejectedExecutionException ended) {
            LOG.debug("the loop of {} has ended before it", shard);
        }
    }
}
