package io.millrace.broker.internal.security;

import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.wire.time.TimeSource;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log what was forbidden to whom: at most {@value #MAX_LINES} lines in a second, with a count of those that were left out, since
 * a client that tries again and again must not fill the disk. From any thread.
 */
public final class DenialLog {

    static final int MAX_LINES = 20;

    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(1);

    private final Logger log;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private long windowNs;
    private int lines;
    private long leftOut;

    public DenialLog(TimeSource time) {
        this(time, LoggerFactory.getLogger(DenialLog.class));
    }

    /** The same with a log of one's own. */
    DenialLog(TimeSource time, Logger log) {
        this.time = time;
        this.log = log;
        this.windowNs = time.nanoTime();
    }

    void denied(String principal, InetAddress host, AclOperation operation, AclResourceType type, String resource) {
        long unsaid = 0;
        lock.lock();
        try {
            long nowNs = time.nanoTime();
            if (nowNs - windowNs >= WINDOW_NS) {
                windowNs = nowNs;
                lines = 0;
            }
            if (lines == MAX_LINES) {
                leftOut++;
                return;
            }
            lines++;
            unsaid = leftOut;
            leftOut = 0;
        } finally {
            lock.unlock();
        }
        log.atWarn()
                .addKeyValue("event", "authorization_denied")
                .addKeyValue("principal", LogText.printable(principal))
                .addKeyValue("host", host.getHostAddress())
                .addKeyValue("operation", operation)
                .addKeyValue("resourceType", type)
                .addKeyValue("resource", LogText.printable(resource))
                .addKeyValue("leftOut", unsaid)
                .log("No access control list allows it");
    }
}
