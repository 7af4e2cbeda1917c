package io.millrace.jms.internal.transport;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A share in the network threads of this class loader. They start with the first lease and end with the last one, so that an application
 * that closed its connections can be unloaded, and one that did not stays alive.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // Netty returns a future from everything; failures arrive as the end of the channel
public final class LoopLease implements AutoCloseable {

    private static final int MAX_THREADS = 4;
    private static final long SHUTDOWN_TIMEOUT_S = 5;

    private static final Object LOCK = new Object();
    private static @Nullable EventLoopGroup group;
    private static int leases;

    private final EventLoop eventLoop;
    private boolean closed;

    private LoopLease(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    /** Takes a share. Threads are given out in turn. */
    public static LoopLease take() {
        synchronized (LOCK) {
            if (group == null) {
                // The application needs processors too, and a thread that serves many sockets at once wakes up less
                // often.
                int threads =
                        Math.min(MAX_THREADS, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
                group = new MultiThreadIoEventLoopGroup(
                        threads, new DefaultThreadFactory("millrace-client", false), NioIoHandler.newFactory());
            }
            leases++;
            return new LoopLease(group.next());
        }
    }

    /** Returns the thread, which stays the same for this lease. */
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public void close() {
        synchronized (LOCK) {
            if (closed || group == null) {
                return;
            }
            closed = true;
            leases--;
            if (leases == 0) {
                // Not waited for: the caller may be one of these threads. No quiet period, since nobody can hand in
                // tasks any more.
                group.shutdownGracefully(0, SHUTDOWN_TIMEOUT_S, TimeUnit.SECONDS);
                group = null;
            }
        }
    }
}
