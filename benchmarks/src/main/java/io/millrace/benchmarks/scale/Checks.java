package io.millrace.benchmarks.scale;

import java.util.ArrayList;
import java.util.List;

/** Prints figures beside what they have to reach, and remembers what was missed. */
@SuppressWarnings("AnnotateFormatMethod") // the annotation is in a library of Error Prone that nothing else here needs
final class Checks {
    private final List<String> missed = new ArrayList<>();

    /** Prints a figure that has no target. */
    void note(String format, Object... arguments) {
        System.out.println(format.formatted(arguments));
    }

    /** Prints a figure and whether it is what it has to be. */
    void check(boolean reached, String target, String format, Object... arguments) {
        String figure = format.formatted(arguments);
        System.out.println(figure + ", target " + target + ": " + (reached ? "reached" : "MISSED"));
        if (!reached) {
            missed.add(figure);
        }
    }

    /** Prints a sum and returns the exit code: a missed target is no failure of the benchmark. */
    int finish() {
        System.out.println(missed.isEmpty() ? "all targets reached" : "missed: " + String.join("; ", missed));
        return 0;
    }

    static double megabytes(long bytes) {
        return bytes / 1048576.0;
    }
}
