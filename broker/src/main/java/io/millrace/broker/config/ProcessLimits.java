package io.millrace.broker.config;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process may use at most; the defaults of some settings are shares of it.
 *
 * @param heapBytes largest heap, as given with -Xmx
 * @param openFiles most open files and sockets, as by {@code ulimit -n}
 */
public record ProcessLimits(long heapBytes, long openFiles) {

    /** Files that a JVM holds open for itself: its jars, its loops, its libraries. */
    private static final int OPEN_FILES_OF_THE_JVM = 100;

    private static final int FEWEST = 16;
    private static final int USUAL_LOG_FILES = 4_000;

    /** Checks the values. */
    public ProcessLimits {
        if (heapBytes < 1 || openFiles < 1) {
            throw new IllegalArgumentException("limits of " + heapBytes + " bytes and " + openFiles + " files");
        }
    }

    /** Returns the limits of the process that this runs in; without bound where the system does not tell. */
    public static ProcessLimits current() {
        long openFiles = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Integer.MAX_VALUE;
        return new ProcessLimits(Runtime.getRuntime().maxMemory(), openFiles < 1 ? Integer.MAX_VALUE : openFiles);
    }

    /** Returns a share of the heap, at most {@code mostBytes}. */
    long heapShare(int divisor, long mostBytes) {
        return Math.min(heapBytes / divisor, mostBytes);
    }

    /** Returns how many files of logs to hold open where nobody says it: a quarter of what the process may. */
    int logFiles() {
        return Math.clamp(openFiles / 4, FEWEST, USUAL_LOG_FILES);
    }

    /** Returns how many connections there may be beside so many files of logs. */
    int connections(int logFiles) {
        return Math.clamp(openFiles - logFiles - OPEN_FILES_OF_THE_JVM, FEWEST, Integer.MAX_VALUE);
    }
}
