package io.millrace.jms.internal.transport;

import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * When to try again: the first time soon, then after doubled delays, each between half and the whole of it so that clients of one broker do
 * not come all at once, until the time is up. Confined to the loop.
 */
final class ReconnectPolicy {

    private static final long NANOS_PER_MS = 1_000_000;

    private final LinkSettings settings;
    private final RandomGenerator random;
    private long lostAtNs;
    private long delayMs;

    ReconnectPolicy(LinkSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
        this.delayMs = settings.reconnectDelayMs();
    }

    /** The connection is gone. */
    void onLost(long nowNs) {
        lostAtNs = nowNs;
        delayMs = settings.reconnectDelayMs();
    }

    /** Returns how long to wait for the next attempt, in ns; empty if it is time to give up. */
    OptionalLong nextDelayNs(long nowNs) {
        long leftNs = settings.reconnectTimeoutMs() * NANOS_PER_MS - (nowNs - lostAtNs);
        if (leftNs <= 0) {
            return OptionalLong.empty();
        }
        long wholeNs = delayMs * NANOS_PER_MS;
        long waitNs = wholeNs / 2 + random.nextLong(wholeNs / 2 + 1);
        delayMs = Math.min(delayMs * 2, settings.reconnectMaxDelayMs());
        return OptionalLong.of(Math.min(waitNs, leftNs));
    }
}
