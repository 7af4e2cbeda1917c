package io.millrace.jms.internal.transport;

import io.millrace.testkit.FakeTimeSource;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A real network thread whose timers and clock stand still until the test moves them. */
public final class ManualLoop implements Loop, AutoCloseable {

    private final FakeTimeSource time = new FakeTimeSource();
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final NettyLoop netty = new NettyLoop(group.next(), time);
    private final List<Waiting> timers = new ArrayList<>();
    private long lastOrder;

    private record Waiting(long dueNs, long order, Runnable task) {}

    public FakeTimeSource time() {
        return time;
    }

    /** What sockets are opened on. */
    public NettyLoop netty() {
        return netty;
    }

    @Override
    public boolean inLoop() {
        return netty.inLoop();
    }

    @Override
    public void execute(Runnable task) {
        netty.execute(task);
    }

    @Override
    public Timer schedule(long delayNs, Runnable task) {
        synchronized (timers) {
            lastOrder++;
            Waiting waiting = new Waiting(time.nanoTime() + delayNs, lastOrder, task);
            timers.add(waiting);
            return () -> {
                synchronized (timers) {
                    timers.remove(waiting);
                }
            };
        }
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public boolean awaitDone(CompletableFuture<?> result, long deadlineNs) throws InterruptedException {
        CompletableFuture<Boolean> outcome = new CompletableFuture<>();
        Timer timer = schedule(deadlineNs - time.nanoTime(), () -> outcome.complete(false));
        if (time.nanoTime() - deadlineNs >= 0) {
            outcome.complete(result.isDone());
        }
        CompletableFuture<?> _ = result.whenComplete((value, failure) -> outcome.complete(true));
        try {
            return outcome.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            timer.cancel();
        }
    }

    /** Returns how many timers wait for their time. */
    public int openTimers() {
        synchronized (timers) {
            return timers.size();
        }
    }

    /** Lets time pass, and waits until everything that became due in it has run. */
    public void advanceMs(long ms) {
        settle();
        long endNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        Optional<Waiting> next = take(endNs);
        while (next.isPresent()) {
            time.advanceNs(Math.max(0, next.get().dueNs() - time.nanoTime()));
            netty.eventLoop().submit(next.get().task()).syncUninterruptibly();
            settle();
            next = take(endNs);
        }
        time.advanceNs(endNs - time.nanoTime());
    }

    /** Waits until everything that was handed in so far has run. */
    public void settle() {
        netty.eventLoop().submit(() -> {}).syncUninterruptibly();
    }

    private Optional<Waiting> take(long endNs) {
        synchronized (timers) {
            Optional<Waiting> next = timers.stream()
                    .filter(timer -> timer.dueNs() - endNs <= 0)
                    .min(Comparator.comparingLong(Waiting::dueNs).thenComparingLong(Waiting::order));
            next.ifPresent(timers::remove);
            return next;
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
