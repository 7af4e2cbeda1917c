package io.millrace.systemtests.verify;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Where a program with a transaction manager ends itself, without a word: between two steps of a transaction over a broker and a database.
 *
 * @param first which of both takes each step first
 */
record CrashPoint(Step step, First first) {

    /** The steps, in their order. */
    enum Step {
        /** Received, sent, and inserted. */
        WORKED,
        /** Both have ended their work: the first phase comes next. */
        ENDED,
        FIRST_PREPARED,
        /** The transaction manager writes its decision next. */
        BOTH_PREPARED,
        /** The decision is in the transaction manager's log: the second phase comes next. */
        DECIDED,
        FIRST_COMMITTED,
        /** The decision is removed from the log next. */
        BOTH_COMMITTED,
        /** Nothing is left to do. */
        FORGOTTEN,
        /** Both have ended their work, and are to be rolled back. */
        ENDED_TO_ROLL_BACK,
        FIRST_ROLLED_BACK,
        BOTH_ROLLED_BACK;

        boolean isOfRollback() {
            return this == ENDED_TO_ROLL_BACK || this == FIRST_ROLLED_BACK || this == BOTH_ROLLED_BACK;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Who was enlisted first. */
    enum First {
        BROKER,
        DATABASE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static List<CrashPoint> all() {
        return Arrays.stream(Step.values())
                .flatMap(step -> Stream.of(First.values()).map(first -> new CrashPoint(step, first)))
                .toList();
    }

    static CrashPoint parse(String line) {
        String[] words = line.split(" ", -1);
        return new CrashPoint(Step.valueOf(words[0]), First.valueOf(words[1]));
    }

    /** Returns it as a line for {@link #parse}. */
    String toLine() {
        return step.name() + " " + first.name();
    }

    @Override
    public String toString() {
        return step + ", " + first + " first";
    }
}
