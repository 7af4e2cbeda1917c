package io.millrace.coordinator.quorum;

import io.millrace.wire.time.TimeSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Events of a simulation in the order of their time, and its randomness.
 *
 * <p>The Raft core iterates over sets whose order differs between processes, so what is random on one link or at one member comes from a
 * generator of its own, simultaneous events are ordered by what they belong to, and the trace is a sum that does not depend on order.
 */
final class SimulatedTime implements TimeSource {
    private record Event(long atMs, long key, long number, Runnable action) {}

    private final long seed;
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingLong(Event::atMs).thenComparingLong(Event::key).thenComparingLong(Event::number));
    private final Map<String, Random> randoms = new HashMap<>();
    private long nowMs = 1_000_000;
    private long scheduled;
    private long executed;
    private long trace;

    SimulatedTime(long seed) {
        this.seed = seed;
    }

    Random random(String purpose) {
        return randoms.computeIfAbsent(purpose, p -> new Random(seed * 1_000_003 + p.hashCode()));
    }

    void at(long delayMs, long key, Runnable action) {
        events.add(new Event(nowMs + delayMs, key, scheduled++, action));
    }

    /** Runs what is due within a time, or until {@code stop}. */
    void runFor(long durationMs, BooleanSupplier stop) {
        long until = nowMs + durationMs;
        for (Event next = events.peek();
                next != null && next.atMs <= until && !stop.getAsBoolean();
                next = events.peek()) {
            events.remove();
            nowMs = next.atMs;
            next.action.run();
            executed++;
        }
        nowMs = until;
    }

    void note(String what) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < what.length(); i++) {
            hash = (hash ^ what.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ nowMs) * 0x100000001b3L;
        trace += hash ^ (hash >>> 29);
        if (Boolean.getBoolean("millrace.simulation.verbose")) {
            System.out.println(nowMs + " " + what);
        }
    }

    long nowMs() {
        return nowMs;
    }

    long executed() {
        return executed;
    }

    long trace() {
        return trace;
    }

    @Override
    public long nanoTime() {
        return TimeUnit.MILLISECONDS.toNanos(nowMs);
    }

    @Override
    public long wallClockMs() {
        return nowMs;
    }
}
