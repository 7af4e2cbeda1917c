package io.millrace.broker.internal.network;

import io.millrace.wire.time.TimeSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is logged of connections: one line for each change of state, but of each kind at most {@value #MAX_LINES} in a second. Whoever
 * connects thousands of times must not fill the disk with lines, nor hide others' lines behind its own; how many were left out is
 * said in a line of its own. May be used from any thread.
 */
final class ConnectionLog {

    /** Lines of one kind in one second. */
    static final int MAX_LINES = 20;

    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(1);

    /** What happened to a connection. */
    enum Kind {
        /** A client logged in. */
        CONNECTED("clients that connected"),
        /** A client that was logged in is gone. */
        DISCONNECTED("clients that disconnected"),
        /** A connection was not let in. */
        REFUSED("connections that were refused"),
        /** A login was not let in. */
        LOGIN_REFUSED("logins that were refused"),
        /** The broker closes a connection for something that its client did. */
        CLOSED("connections that were closed"),
        /** No connection could be accepted. */
        ACCEPT_FAILED("connections that could not be accepted"),
        /** The broker failed. */
        FAULT("faults");

        private final String plural;

        Kind(String plural) {
            this.plural = plural;
        }
    }

    private static final class Window {
        private long startedNs;
        private int lines;
        private long leftOut;
    }

    private final Logger log;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Kind, Window> windows = new EnumMap<>(Kind.class);

    ConnectionLog(TimeSource time) {
        this(time, LoggerFactory.getLogger(ConnectionLog.class));
    }

    /** The same with a log of one's own. */
    ConnectionLog(TimeSource time, Logger log) {
        this.time = time;
        this.log = log;
    }

    void info(Kind kind, Supplier<String> line) {
        if (mayLog(kind)) {
            log.info(line.get());
        }
    }

    void warn(Kind kind, Supplier<String> line) {
        if (mayLog(kind)) {
            log.warn(line.get());
        }
    }

    void error(Kind kind, Supplier<String> line, @Nullable Throwable cause) {
        if (mayLog(kind)) {
            log.error(line.get(), cause);
        }
    }

    /** Says what was left out in seconds that are over; to be called now and then. */
    void flush() {
        for (Kind kind : Kind.values()) {
            long leftOut;
            lock.lock();
            try {
                Window window = windows.get(kind);
                leftOut = window == null || time.nanoTime() - window.startedNs < WINDOW_NS ? 0 : take(window);
            } finally {
                lock.unlock();
            }
            sayLeftOut(kind, leftOut);
        }
    }

    private boolean mayLog(Kind kind) {
        long leftOut = 0;
        boolean may;
        lock.lock();
        try {
            long nowNs = time.nanoTime();
            Window window = windows.get(kind);
            if (window == null) {
                window = new Window();
                window.startedNs = nowNs;
                windows.put(kind, window);
            } else if (nowNs - window.startedNs >= WINDOW_NS) {
                leftOut = take(window);
                window.startedNs = nowNs;
                window.lines = 0;
            }
            may = window.lines < MAX_LINES;
            if (may) {
                window.lines++;
            } else {
                window.leftOut++;
            }
        } finally {
            lock.unlock();
        }
        sayLeftOut(kind, leftOut);
        return may;
    }

    private static long take(Window window) {
        long leftOut = window.leftOut;
        window.leftOut = 0;
        return leftOut;
    }

    private void sayLeftOut(Kind kind, long leftOut) {
        if (leftOut > 0) {
            log.info("{} further lines about {} were left out", leftOut, kind.plural);
        }
    }
}
