package io.millrace.broker.internal.kafka.quota;

import java.util.concurrent.locks.ReentrantLock;

/** Room for changes that comes back with time (KIP-599): a burst may use it up, and even go below, if it begins above. From any thread. */
final class TokenBucket {

    private final ReentrantLock lock = new ReentrantLock();
    private final double burstSeconds;
    private double tokens;
    private double perSecond;
    private long lastNs;

    /** @param burstSeconds how many seconds' worth of tokens it holds */
    TokenBucket(double perSecond, double burstSeconds, long nowNs) {
        this.perSecond = perSecond;
        this.burstSeconds = burstSeconds;
        this.tokens = perSecond * burstSeconds;
        this.lastNs = nowNs;
    }

    /** Takes tokens, if there are any at all; returns whether there were. */
    boolean take(double count, double quotaPerSecond, long nowNs) {
        lock.lock();
        try {
            refill(quotaPerSecond, nowNs);
            if (tokens < 0) {
                return false;
            }
            tokens -= count;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes tokens, also if there are none. */
    void force(double count, double quotaPerSecond, long nowNs) {
        lock.lock();
        try {
            refill(quotaPerSecond, nowNs);
            tokens -= count;
        } finally {
            lock.unlock();
        }
    }

    /** Returns after how long there are tokens again, 0 if there are some. */
    long waitMs(double quotaPerSecond, long nowNs) {
        lock.lock();
        try {
            refill(quotaPerSecond, nowNs);
            return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / perSecond * 1000);
        } finally {
            lock.unlock();
        }
    }

    private void refill(double quotaPerSecond, long nowNs) {
        perSecond = quotaPerSecond;
        tokens = Math.min(perSecond * burstSeconds, tokens + (nowNs - lastNs) / 1e9 * perSecond);
        lastNs = nowNs;
    }

    /** Returns when it was used last. */
    long lastUsedNs() {
        lock.lock();
        try {
            return lastNs;
        } finally {
            lock.unlock();
        }
    }
}
