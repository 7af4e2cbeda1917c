package io.millrace.broker.internal.kafka.quota;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How much of something happened in the last while, in samples of equal length, as Kafka's clients and brokers measure rates: the time is never
 * taken for shorter than all samples but one, so that a burst after silence is not mistaken for a rate. From any thread.
 */
final class RateWindow {

    private final ReentrantLock lock = new ReentrantLock();
    private final double[] amounts;
    private final long[] numbers;
    private final long sampleNs;
    private long lastUsedNs;

    /**
     * Creates an empty window.
     *
     * @param samples how many, at least 1
     * @param sampleNs length of each
     */
    RateWindow(int samples, long sampleNs, long nowNs) {
        this.amounts = new double[samples];
        this.numbers = new long[samples];
        this.sampleNs = sampleNs;
        this.lastUsedNs = nowNs;
        Arrays.fill(numbers, Long.MIN_VALUE);
    }

    /** Adds an amount, and returns the rate with it, per second. */
    double add(double amount, long nowNs) {
        lock.lock();
        try {
            lastUsedNs = nowNs;
            long number = Math.floorDiv(nowNs, sampleNs);
            int slot = Math.floorMod(number, amounts.length);
            if (numbers[slot] != number) {
                numbers[slot] = number;
                amounts[slot] = 0;
            }
            amounts[slot] += amount;
            return rate(nowNs);
        } finally {
            lock.unlock();
        }
    }

    private double rate(long nowNs) {
        long newest = Math.floorDiv(nowNs, sampleNs);
        long oldest = newest;
        double total = 0;
        for (int i = 0; i < amounts.length; i++) {
            if (numbers[i] > newest - amounts.length && numbers[i] <= newest) {
                total += amounts[i];
                oldest = Math.min(oldest, numbers[i]);
            }
        }
        long elapsedNs = nowNs - oldest * sampleNs;
        long leastNs = (amounts.length - 1) * sampleNs;
        return total / (Math.max(Math.max(elapsedNs, leastNs), sampleNs) / 1e9);
    }

    /** Returns when something was added last. */
    long lastUsedNs() {
        lock.lock();
        try {
            return lastUsedNs;
        } finally {
            lock.unlock();
        }
    }
}
