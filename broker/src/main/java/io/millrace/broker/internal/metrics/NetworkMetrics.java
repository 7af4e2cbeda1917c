package io.millrace.broker.internal.metrics;

import java.util.concurrent.atomic.LongAdder;

/** What passes the sockets. From any thread. */
public final class NetworkMetrics {

    private final RequestMetrics requests = new RequestMetrics();

    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder framesRefused = new LongAdder();
    private final LongAdder connectionsRefused = new LongAdder();
    private final LongAdder requestsHeldBack = new LongAdder();
    private final LongAdder requestsThrottled = new LongAdder();

    /** Bytes were read from a client. */
    public void onRead(long bytes) {
        bytesIn.add(bytes);
    }

    /** Returns the counters of requests of Kafka clients. */
    public RequestMetrics requests() {
        return requests;
    }

    /** Bytes were queued for a client. */
    public void onQueued(long bytes) {
        bytesOut.add(bytes);
    }

    /** A frame was not let in: malformed, out of place, or over a limit. */
    public void onFrameRefused() {
        framesRefused.increment();
    }

    /** A connection was not let in. */
    public void onConnectionRefused() {
        connectionsRefused.increment();
    }

    /** A client had to wait with its next request, or the rest of it, until requests in work had left memory for it. */
    public void onRequestHeldBack() {
        requestsHeldBack.increment();
    }

    /** A client was over a quota, and is not read for a while. */
    public void onThrottled() {
        requestsThrottled.increment();
    }

    long requestsThrottled() {
        return requestsThrottled.sum();
    }

    long bytesIn() {
        return bytesIn.sum();
    }

    long bytesOut() {
        return bytesOut.sum();
    }

    long framesRefused() {
        return framesRefused.sum();
    }

    long requestsHeldBack() {
        return requestsHeldBack.sum();
    }

    long connectionsRefused() {
        return connectionsRefused.sum();
    }
}
