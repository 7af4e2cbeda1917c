package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Recorder;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import java.util.random.RandomGenerator;

/** What one client does. It can be told to another process in one word. */
sealed interface Task {

    /** How a client sends. */
    enum Style {
        /** PERSISTENT, one after the other. */
        SYNC,
        /** PERSISTENT, many on their way, with a CompletionListener. */
        ASYNC,
        /** NON_PERSISTENT: nobody says whether it arrived. */
        UNPROMISED
    }

    /**
     * A producer.
     *
     * @param name unique in the trial: its messages keep their order
     */
    record Send(Place place, String name, Style style) implements Task {}

    /**
     * A consumer.
     *
     * @param durable name of the durable subscription, or empty
     * @param mode the session's acknowledge mode
     * @param stubborn whether it opens everything anew when the broker closes it, instead of giving up
     */
    record Receive(Place place, String durable, int mode, boolean stubborn) implements Task {
        Receive withStubborn(boolean opensAnew) {
            return new Receive(place, durable, mode, opensAnew);
        }
    }

    static Send send(Place place, String name, Style style) {
        return new Send(place, name, style);
    }

    /** Takes from a queue or, without a durable subscription, from a topic. */
    static Receive receive(Place place, int mode) {
        return new Receive(place, "", mode, false);
    }

    /** Takes from a durable subscription, in CLIENT_ACKNOWLEDGE. */
    static Receive receiveDurable(Place place, String durable) {
        return new Receive(place, durable, Session.CLIENT_ACKNOWLEDGE, false);
    }

    default Runnable in(ConnectionFactory factory, Recorder recorder, RandomGenerator random, Stop stop) {
        return switch (this) {
            case Send send -> new Sending(factory, send, recorder, stop);
            case Receive receive -> new Receiving(factory, receive, recorder, random, stop);
        };
    }

    /** In one word, for {@link #parse}. */
    default String toWord() {
        return switch (this) {
            case Send(Place place, String name, Style style) ->
                String.join(",", "send", place.kind().name(), place.name(), name, style.name());
            case Receive(Place place, String durable, int mode, boolean stubborn) ->
                String.join(
                        ",",
                        stubborn ? "receive-stubbornly" : "receive",
                        place.kind().name(),
                        place.name(),
                        durable,
                        Integer.toString(mode));
        };
    }

    /** The task that a word names; throws {@link IllegalArgumentException} if it names none. */
    static Task parse(String word) {
        String[] parts = word.split(",", -1);
        if (parts.length != 5) {
            throw new IllegalArgumentException("no task: " + word);
        }
        Place place = new Place(Place.Kind.valueOf(parts[1]), parts[2]);
        return switch (parts[0]) {
            case "send" -> new Send(place, parts[3], Style.valueOf(parts[4]));
            case "receive" -> new Receive(place, parts[3], Integer.parseInt(parts[4]), false);
            case "receive-stubbornly" -> new Receive(place, parts[3], Integer.parseInt(parts[4]), true);
            default -> throw new IllegalArgumentException("no task: " + word);
        };
    }
}
