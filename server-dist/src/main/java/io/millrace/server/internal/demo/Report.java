package io.millrace.server.internal.demo;

import io.millrace.wire.time.TimeSource;
import java.io.PrintWriter;
import java.util.Locale;

/** Tells the demo's watcher what happens, line by line, and measures rates. */
final class Report {
    private final PrintWriter out;
    private final TimeSource time;

    Report(PrintWriter out, TimeSource time) {
        this.out = out;
        this.time = time;
    }

    void title(String text) {
        out.printf("%n== %s%n", text);
        out.flush();
    }

    void line(String text) {
        out.println("   " + text);
        out.flush();
    }

    /** Starts a watch. */
    Watch watch() {
        return new Watch(time.nanoTime());
    }

    final class Watch {
        private final long startNs;

        private Watch(long startNs) {
            this.startNs = startNs;
        }

        long elapsedMs() {
            return (time.nanoTime() - startNs) / 1_000_000;
        }

        /** Says how many of something happened since the watch was started. */
        void rate(String what, long count) {
            double seconds = Math.max(1, time.nanoTime() - startNs) / 1e9;
            line(String.format(Locale.ROOT, "%-46s %,9d in %6.2f s = %,9.0f/s", what, count, seconds, count / seconds));
        }
    }
}
