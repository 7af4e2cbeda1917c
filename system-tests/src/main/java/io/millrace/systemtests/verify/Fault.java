package io.millrace.systemtests.verify;

import io.millrace.testkit.process.BrokerProcess.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One way to hurt a broker or its clients. An object serves one {@link Trial}, on its thread: first {@link #prepare}, then {@link #hurt}
 * once for each round while the clients are at work, then {@link #close}.
 */
interface Fault extends AutoCloseable {

    /** What hurts, and whom. */
    record Stage(BrokerUnderTest broker, Load load, RandomGenerator random, int round) {}

    /** What of what the fault needs this machine does not have, if anything; as the end of a sentence: "needs ...". */
    default Optional<String> missing() {
        return Optional.empty();
    }

    /**
     * Makes what the broker's data lie on.
     *
     * @return the broker's data directory
     */
    default Path prepare(Scratch scratch) throws IOException {
        return scratch.resolve("data");
    }

    /** What the broker is started with, as {@code key=value}. */
    default List<String> settings() {
        return List.of();
    }

    /** What the first broker is started under. */
    default Surroundings surroundings() throws IOException {
        return Surroundings.USUAL;
    }

    /** What follows the address in the clients' URL. */
    default String clientOptions() {
        return "";
    }

    /** Whether the broker closes consumers, as when it can no longer use its disk: they are opened again then. */
    default boolean closesConsumers() {
        return false;
    }

    /**
     * Hurts once. The clients are at work; when it returns, the broker is running and whole again.
     *
     * @return what happened, for a line of progress
     * @throws ScenarioFailedException if a promise was broken that the history does not show
     * @throws IOException if the broker does not start again
     */
    String hurt(Stage stage) throws IOException, InterruptedException;

    /** What {@link #prepare} made; it is called first. */
    static <T> T prepared(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the fault was not prepared");
        }
        return part;
    }

    /** Takes down what was made. */
    @Override
    default void close() throws IOException {}
}
