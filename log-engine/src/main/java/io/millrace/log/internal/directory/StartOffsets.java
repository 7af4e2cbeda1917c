package io.millrace.log.internal.directory;

import io.millrace.log.PartitionId;
import io.millrace.log.internal.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Log start offsets that lie within a segment, in the file {@code log-start-offset-checkpoint} as Kafka has it: a version, the number of
 * lines, then a line for each with log, partition and offset. Written now and then, and at a clean close: after a crash a start may be
 * found lower again, which only means that records come back that nobody asks for.
 *
 * <p>Noted from any thread; written by one.
 */
public final class StartOffsets {
    public static final String FILE_NAME = "log-start-offset-checkpoint";

    private static final String VERSION = "0";

    private final Path file;
    private final Map<PartitionId, Long> offsets = new ConcurrentHashMap<>();
    private volatile boolean changed;

    private StartOffsets(Path file) {
        this.file = file;
    }

    /** Reads a directory's file. One that is damaged counts as missing: then logs start with their first segment. */
    public static StartOffsets read(Path directory) throws IOException {
        StartOffsets result = new StartOffsets(directory.resolve(FILE_NAME));
        if (Files.exists(result.file)) {
            List<String> lines = DurableFiles.readText(result.file).lines().toList();
            if (lines.size() >= 2 && lines.getFirst().equals(VERSION)) {
                lines.subList(2, lines.size()).forEach(result::parse);
            }
        }
        return result;
    }

    /** Whether a text is one that {@link #write} wrote. */
    public static boolean isWhole(String text) {
        List<String> lines = text.lines().toList();
        return lines.size() >= 2
                && lines.getFirst().equals(VERSION)
                && lines.get(1).equals(String.valueOf(lines.size() - 2))
                && text.endsWith("\n")
                && lines.subList(2, lines.size()).stream().allMatch(line -> line.matches("\\S+ \\d{1,10} \\d{1,19}"));
    }

    private void parse(String line) {
        String[] words = line.split(" ", -1);
        try {
            if (words.length == 3 && Long.parseLong(words[2]) >= 0) {
                offsets.put(new PartitionId(words[0], Integer.parseInt(words[1])), Long.valueOf(words[2]));
            }
        } catch (IllegalArgumentException e) {
            // One unreadable line does not make the others worthless.
            changed = true;
        }
    }

    public OptionalLong get(PartitionId partition) {
        Long offset = offsets.get(partition);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    public void put(PartitionId partition, long offset) {
        offsets.put(partition, offset);
        changed = true;
    }

    public void remove(PartitionId partition) {
        if (offsets.remove(partition) != null) {
            changed = true;
        }
    }

    /** Writes the file if anything changed since. */
    public void write() throws IOException {
        if (!changed) {
            return;
        }
        changed = false;
        Map<PartitionId, Long> sorted = new TreeMap<>(offsets);
        StringBuilder text =
                new StringBuilder(VERSION).append('\n').append(sorted.size()).append('\n');
        sorted.forEach((partition, offset) -> text.append(partition.logName())
                .append(' ')
                .append(partition.partition())
                .append(' ')
                .append(offset)
                .append('\n'));
        DurableFiles.replace(file, text.toString());
    }
}
