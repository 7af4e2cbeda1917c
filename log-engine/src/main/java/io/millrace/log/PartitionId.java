package io.millrace.log;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One partition of a named log.
 *
 * @param logName the log's name in Kafka's alphabet: 1 to 249 of {@code a-z A-Z 0-9 . _ -}, neither {@code .} nor {@code ..}
 * @param partition its number, from 0
 */
public record PartitionId(String logName, int partition) implements Comparable<PartitionId> {
    /** Longest name, so that the directory's name with its suffixes stays below the 255 bytes of common file systems. */
    public static final int MAX_NAME_LENGTH = 249;

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1," + MAX_NAME_LENGTH + "}");

    public PartitionId {
        if (!NAME.matcher(logName).matches() || logName.equals(".") || logName.equals("..")) {
            throw new IllegalArgumentException("no log name: \"" + logName + "\"; a name has 1 to " + MAX_NAME_LENGTH
                    + " of the characters a-z A-Z 0-9 . _ - and is neither . nor ..");
        }
        if (partition < 0) {
            throw new IllegalArgumentException("partition must not be negative, is " + partition);
        }
    }

    /** Name of the partition's directory, {@code <name>-<partition>}, as Kafka has it. */
    public String directoryName() {
        return logName + "-" + partition;
    }

    /** The partition whose directory has this name, or empty if it is not the name of one. */
    public static Optional<PartitionId> fromDirectoryName(String directoryName) {
        int dash = directoryName.lastIndexOf('-');
        String digits = directoryName.substring(dash + 1);
        // Ten digits and more are no int; a leading zero would make two names for one partition.
        if (dash < 1 || !digits.matches("0|[1-9][0-9]{0,8}")) {
            return Optional.empty();
        }
        String name = directoryName.substring(0, dash);
        if (!NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            return Optional.empty();
        }
        return Optional.of(new PartitionId(name, Integer.parseInt(digits)));
    }

    @Override
    public int compareTo(PartitionId other) {
        int byName = logName.compareTo(other.logName);
        return byName != 0 ? byName : Integer.compare(partition, other.partition);
    }

    @Override
    public String toString() {
        return directoryName();
    }
}
