package io.millrace.server.internal.startup;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the startup cache of a running server when it lacks a good one: a while after its start, when its clients have found it again.
 * Whatever goes wrong is one line in the log and costs the server nothing.
 */
public final class BackgroundMaking implements AutoCloseable {
    /** How long a server is left alone after its start. */
    public static final Duration DELAY = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundMaking.class);

    private final StartupCache cache;
    private final CacheMaker maker;
    private final Duration delay;
    private final CountDownLatch closed = new CountDownLatch(1);

    private BackgroundMaking(StartupCache cache, Duration delay) {
        this.cache = cache;
        this.maker = new CacheMaker(cache, true);
        this.delay = delay;
    }

    /** Begins, and returns at once. */
    public static BackgroundMaking start(StartupCache cache, Duration delay) {
        BackgroundMaking making = new BackgroundMaking(cache, delay);
        Thread.ofVirtual().name("startup-cache").start(making::run);
        return making;
    }

    private void run() {
        try {
            if (closed.await(delay.toMillis(), TimeUnit.MILLISECONDS) || cache.isInUse()) {
                return;
            }
            if (cache.exists() && maker.isUsable()) {
                LOG.info("The startup cache {} is in order but not for the options of this JVM", cache.file());
            } else if (maker.make()) {
                LOG.info("The startup cache was made: {}; the next start takes half the time", cache.file());
            }
        } catch (StartupCacheException failed) {
            if (closed.getCount() > 0) {
                LOG.warn(
                        "{}. Nothing depends on it; MILLRACE_STARTUP_CACHE=off stops the attempts",
                        failed.getMessage());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        maker.close();
    }
}
