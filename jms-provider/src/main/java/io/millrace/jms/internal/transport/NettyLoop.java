package io.millrace.jms.internal.transport;

import io.millrace.wire.time.TimeSource;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A thread of Netty's, which also serves the sockets of its connections. */
public final class NettyLoop implements Loop {

    private final EventLoop eventLoop;
    private final TimeSource time;

    /** Wraps a thread. */
    public NettyLoop(EventLoop eventLoop, TimeSource time) {
        this.eventLoop = eventLoop;
        this.time = time;
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public boolean inLoop() {
        return eventLoop.inEventLoop();
    }

    @Override
    public void execute(Runnable task) {
        eventLoop.execute(task);
    }

    @Override
    public Timer schedule(long delayNs, Runnable task) {
        ScheduledFuture<?> scheduled = eventLoop.schedule(task, delayNs, TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public boolean awaitDone(CompletableFuture<?> result, long deadlineNs) throws InterruptedException {
        try {
            result.get(deadlineNs - time.nanoTime(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException | CancellationException failed) {
            return true;
        }
    }
}
