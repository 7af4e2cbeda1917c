package io.millrace.server.internal.perf;

import io.millrace.wire.name.DestinationKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * What a load run is to do.
 *
 * @param kind of all destinations
 * @param destinations their names; the workers are spread over them, or they over the workers, whichever are more
 * @param producers how many send, 0 for none
 * @param consumers how many receive, 0 for none
 * @param sizeBytes of each message's body, at least {@link Stamp#SIZE_BYTES}
 * @param limit when it ends
 * @param warmup how long to run before anything is measured
 * @param ratePerSecond of all producers together; empty for as fast as they can
 */
public record LoadPlan(
        DestinationKind kind,
        List<String> destinations,
        int producers,
        int consumers,
        int sizeBytes,
        Limit limit,
        Duration warmup,
        OptionalInt ratePerSecond,
        Sending sending,
        Receiving receiving) {

    public static final int MOST_BYTES = 64 << 20;
    private static final int MOST_WORKERS = 10_000;

    /**
     * When a run ends.
     *
     * @param count after so many messages were sent, or received where nothing is sent, after the warm-up
     * @param duration after so long, without the warm-up
     * @param silence how long to wait for messages that do not come
     */
    public record Limit(OptionalLong count, Optional<Duration> duration, Duration silence) {
        public Limit {
            if (count.isPresent() == duration.isPresent()) {
                throw new IllegalArgumentException("either a number of messages or a duration ends a run");
            }
            if (count.orElse(1) < 1) {
                throw new IllegalArgumentException(
                        "the number of messages must be at least 1, is " + count.getAsLong());
            }
        }
    }

    /**
     * How producers send.
     *
     * @param persistent the delivery mode
     * @param outstanding how many sends of one producer may be unanswered; 0 for waiting for each
     */
    public record Sending(boolean persistent, int outstanding) {
        public Sending {
            if (outstanding < 0) {
                throw new IllegalArgumentException("outstanding sends must not be negative: " + outstanding);
            }
        }
    }

    /**
     * How consumers receive.
     *
     * @param listener whether a MessageListener is called; else a thread calls receive
     * @param acknowledgeMode a constant of {@code jakarta.jms.Session}
     * @param acknowledgeEvery in CLIENT_ACKNOWLEDGE, after how many messages of a session
     */
    public record Receiving(boolean listener, int acknowledgeMode, int acknowledgeEvery) {
        public Receiving {
            if (acknowledgeEvery < 1) {
                throw new IllegalArgumentException("acknowledge every 1 or more messages, not " + acknowledgeEvery);
            }
        }
    }

    public LoadPlan {
        destinations = List.copyOf(destinations);
        if (destinations.isEmpty()) {
            throw new IllegalArgumentException("no destination");
        }
        if (producers < 0 || consumers < 0 || producers + consumers < 1 || producers + consumers > MOST_WORKERS) {
            throw new IllegalArgumentException(
                    "1 to " + MOST_WORKERS + " producers and consumers, not " + producers + " and " + consumers);
        }
        if (sizeBytes < Stamp.SIZE_BYTES || sizeBytes > MOST_BYTES) {
            throw new IllegalArgumentException("the size of a message must be " + Stamp.SIZE_BYTES + " to " + MOST_BYTES
                    + " bytes (each carries the time at which it was to be sent), is " + sizeBytes);
        }
        if (ratePerSecond.orElse(1) < 1) {
            throw new IllegalArgumentException("the rate must be at least 1 message a second");
        }
        if (!receiving.listener() && consumers > 0 && consumers < destinations.size()) {
            throw new IllegalArgumentException("a consumer that calls receive() reads one destination: "
                    + destinations.size() + " destinations need as many consumers, or listeners");
        }
        if (kind == DestinationKind.TOPIC && consumers > destinations.size() && consumers % destinations.size() != 0) {
            throw new IllegalArgumentException(consumers + " consumers cannot be spread evenly over "
                    + destinations.size() + " topics; take a multiple");
        }
        if (receiving.listener() && producers == 0 && limit.count().isPresent()) {
            throw new IllegalArgumentException(
                    "listeners cannot stop at a number of messages that others send: limit the run by a duration");
        }
    }

    public boolean sends() {
        return producers > 0;
    }

    public boolean receives() {
        return consumers > 0;
    }

    /** How many consumers get each message. */
    int copies() {
        return switch (kind) {
            case QUEUE -> 1;
            case TOPIC -> Math.ceilDiv(consumers, destinations.size());
        };
    }

    /** The destinations of one of so many workers. */
    List<String> destinationsOf(int worker, int workers) {
        int count = destinations.size();
        if (count <= workers) {
            return List.of(destinations.get(worker % count));
        }
        return IntStream.range(0, count)
                .filter(i -> i % workers == worker)
                .mapToObj(destinations::get)
                .toList();
    }
}
