package io.millrace.testkit;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Something that goes its way by chance under a seed, and checks itself at every step. */
public interface Simulation {
    /** Goes so many steps; an {@link AssertionError} says which promise was broken. */
    void run(int steps) throws IOException;

    /** What happened, oldest first, for the one who looks for the reason of a failure. */
    List<String> history();

    /** Returns under how many seeds a long test runs: as many as were asked for by {@code millrace.seeds}, or the usual number. */
    static int seeds(int usual) {
        return Integer.getInteger("millrace.seeds", usual);
    }

    /** Returns the first of them: the one that was asked for by {@code millrace.first.seed}, or the usual one. */
    static long firstSeed(long usual) {
        return Long.getLong("millrace.first.seed", usual);
    }

    /**
     * Runs one simulation for each of many seeds. A failure names its seed, with which it happens again, and what happened last.
     *
     * @param ended gets each simulation that came through
     */
    static <S extends Simulation> void underSeeds(
            long firstSeed, int seeds, int steps, LongFunction<S> simulation, Consumer<S> ended) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            S one = simulation.apply(seed);
            try {
                one.run(steps);
            } catch (AssertionError | RuntimeException | IOException e) {
                List<String> history = one.history();
                List<String> last = history.subList(Math.max(0, history.size() - 1000), history.size());
                throw new AssertionError("seed " + seed + ", " + steps + " steps:\n" + String.join("\n", last), e);
            }
            ended.accept(one);
        }
    }
}
