package io.millrace.log.internal.epoch;

import io.millrace.log.internal.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The file {@code leader-epoch-checkpoint}, as Kafka writes it: a version, the number of epochs, then a line for each with the epoch and
 * its first offset.
 */
public final class EpochCheckpoint {
    private static final String VERSION = "0";

    private EpochCheckpoint() {}

    /** The text of the file. */
    public static String encode(EpochHistory history) {
        StringBuilder text = new StringBuilder(VERSION)
                .append('\n')
                .append(history.entries().size())
                .append('\n');
        for (EpochHistory.Entry entry : history.entries()) {
            text.append(entry.epoch()).append(' ').append(entry.startOffset()).append('\n');
        }
        return text.toString();
    }

    /** Reads the text of a file, or answers empty if it is damaged: then the log itself tells. */
    public static Optional<EpochHistory> decode(String text) {
        List<String> lines = text.lines().toList();
        try {
            if (lines.size() < 2 || !lines.getFirst().equals(VERSION)) {
                return Optional.empty();
            }
            int count = Integer.parseInt(lines.get(1));
            if (count != lines.size() - 2) {
                return Optional.empty();
            }
            List<EpochHistory.Entry> entries = new ArrayList<>();
            for (String line : lines.subList(2, lines.size())) {
                int blank = line.indexOf(' ');
                if (blank < 0) {
                    return Optional.empty();
                }
                entries.add(new EpochHistory.Entry(
                        Integer.parseInt(line.substring(0, blank)), Long.parseLong(line.substring(blank + 1))));
            }
            return Optional.of(new EpochHistory(entries));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Reads the file; empty if it is missing or damaged. */
    public static Optional<EpochHistory> read(Path file) throws IOException {
        return Files.exists(file) ? decode(DurableFiles.readText(file)) : Optional.empty();
    }

    /** Replaces the file, durably. */
    public static void write(Path file, EpochHistory history) throws IOException {
        DurableFiles.replace(file, encode(history));
    }
}
