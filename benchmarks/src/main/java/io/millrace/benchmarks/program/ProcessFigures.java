package io.millrace.benchmarks.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What Linux tells about a process and the machine under {@code /proc}. Usable from any thread. */
public final class ProcessFigures {
    /** Of a process's times: Linux shows them in hundredths of a second, whatever it counts in. */
    private static final int TICK_MS = 10;

    private static final int USER_TIME_FIELD = 11; // counted after the command's closing bracket
    private static final int CHILDREN_TIME_FIELD = 13;
    private static final int IDLE_FIELD = 4;
    private static final int WAIT_FIELD = 5;

    private ProcessFigures() {}

    /** Returns the processor time of a process so far, in milliseconds. */
    public static long cpuMs(long pid) {
        String stat = read(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_TIME_FIELD]) + Long.parseLong(fields[USER_TIME_FIELD + 1])) * TICK_MS;
    }

    /** Returns the processor time of all processes that this one started and that have ended, in milliseconds. */
    public static long childrenCpuMs() {
        String stat = read(Path.of("/proc/self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[CHILDREN_TIME_FIELD]) + Long.parseLong(fields[CHILDREN_TIME_FIELD + 1]))
                * TICK_MS;
    }

    /** Returns the resident memory of a process in bytes. */
    public static long residentBytes(long pid) {
        return kibibytes(pid, "VmRSS:") << 10;
    }

    /** Returns how many bytes a process has had read from the disk itself, not from the page cache. */
    public static long readFromDiskBytes(long pid) {
        for (String line : read(Path.of("/proc/" + pid + "/io")).split("\n", -1)) {
            if (line.startsWith("read_bytes:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new BenchmarkException("no read_bytes of process " + pid);
    }

    /** Returns the processor time of all processes so far, in milliseconds. */
    public static long machineCpuMs() {
        String line = read(Path.of("/proc/stat")).lines().findFirst().orElseThrow();
        List<String> fields = List.of(line.split(" +", -1));
        long ticks = 0;
        for (int field = 1; field <= 8; field++) {
            if (field != IDLE_FIELD && field != WAIT_FIELD) {
                ticks += Long.parseLong(fields.get(field));
            }
        }
        return ticks * TICK_MS;
    }

    /** Returns the load average of the last minute. */
    public static double loadAverage() {
        String line = read(Path.of("/proc/loadavg"));
        return Double.parseDouble(line.substring(0, line.indexOf(' ')));
    }

    private static long kibibytes(long pid, String name) {
        for (String line : read(Path.of("/proc/" + pid + "/status")).split("\n", -1)) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new BenchmarkException("no " + name + " in the status of process " + pid);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file + "; benchmarks run on Linux", unreadable);
        }
    }
}
