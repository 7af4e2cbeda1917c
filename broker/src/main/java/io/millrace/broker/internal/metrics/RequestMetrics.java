package io.millrace.broker.internal.metrics;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of Kafka clients, by their kind: how many were answered, how long that took, and with which errors. From any thread. */
public final class RequestMetrics {

    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    /** The requests of one kind. */
    public static final class Kind {

        private final String name;
        private final Histogram latencyNs = new Histogram();
        private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();

        private Kind(String name) {
            this.name = name;
        }

        /** A request was answered, or done without an answer. */
        public void onAnswered(long latency) {
            latencyNs.record(latency);
        }

        /** An answer said so often that something failed. */
        public void onErrors(String error, long count) {
            errors.computeIfAbsent(error, first -> new LongAdder()).add(count);
        }

        String name() {
            return name;
        }

        Histogram latencyNs() {
            return latencyNs;
        }

        Map<String, LongAdder> errors() {
            return errors;
        }
    }

    /** Returns the counters of a kind. */
    public Kind of(String kind) {
        Kind present = kinds.get(kind);
        return present != null ? present : kinds.computeIfAbsent(kind, Kind::new);
    }

    Collection<Kind> kinds() {
        return kinds.values();
    }
}
