package io.millrace.jms.internal.transport;

import io.millrace.wire.time.TimeSource;

/**
 * The broker's clock as seen from here: what it said, plus the monotonic time since. The estimate with the shortest round trip is kept; it
 * is replaced by any newer one after a while, since clocks drift. Written on the loop, read from any thread.
 */
public final class ServerClock {

    /** 50 parts in a million, a bad quartz, are 30 ms in ten minutes. */
    private static final long ESTIMATE_LIFE_NS = 600_000_000_000L;

    private static final long NANOS_PER_MS = 1_000_000;

    private record Estimate(long serverMs, long atNs, long roundTripNs) {}

    private final TimeSource time;
    private volatile Estimate estimate;

    /** Starts with this machine's own clock, until the server is heard. */
    public ServerClock(TimeSource time) {
        this.time = time;
        this.estimate = new Estimate(time.wallClockMs(), time.nanoTime(), Long.MAX_VALUE);
    }

    /** Returns the broker's time, in milliseconds since 1970. */
    public long nowMs() {
        Estimate latest = estimate;
        return latest.serverMs + (time.nanoTime() - latest.atNs) / NANOS_PER_MS;
    }

    /**
     * Takes what the server said.
     *
     * @param serverMs its time when it answered
     * @param askedNs monotonic time when it was asked
     */
    void onAnswer(long serverMs, long askedNs) {
        long nowNs = time.nanoTime();
        long roundTripNs = nowNs - askedNs;
        Estimate latest = estimate;
        if (roundTripNs <= latest.roundTripNs || nowNs - latest.atNs > ESTIMATE_LIFE_NS) {
            // The server read its clock somewhere between question and answer: the middle errs by half the round trip
            // at most.
            estimate = new Estimate(serverMs, nowNs - roundTripNs / 2, roundTripNs);
        }
    }

    /** Another broker has another clock. */
    void onNewServer() {
        Estimate latest = estimate;
        estimate = new Estimate(latest.serverMs, latest.atNs, Long.MAX_VALUE);
    }
}
