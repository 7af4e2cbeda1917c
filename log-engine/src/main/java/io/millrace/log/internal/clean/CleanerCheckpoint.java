package io.millrace.log.internal.clean;

import io.millrace.log.PartitionId;
import io.millrace.log.internal.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Up to where each log of a data directory was cleaned: {@code cleaner-offset-checkpoint}, in Kafka's format (version 0, the number of lines,
 * then {@code name partition offset} on each). What is lost of it is only done once more, so a file that cannot be read counts as none.
 */
final class CleanerCheckpoint {
    static final String FILE_NAME = "cleaner-offset-checkpoint";

    private static final Logger LOG = LoggerFactory.getLogger(CleanerCheckpoint.class);
    private static final Pattern LINE = Pattern.compile("(\\S+) (\\d{1,9}) (\\d{1,18})");

    private CleanerCheckpoint() {}

    static Map<PartitionId, Long> read(Path directory) {
        Map<PartitionId, Long> offsets = new TreeMap<>();
        Path file = directory.resolve(FILE_NAME);
        try {
            if (!Files.exists(file)) {
                return offsets;
            }
            String[] lines = DurableFiles.readText(file).split("\n", -1);
            boolean readable = lines.length >= 2 && lines[0].equals("0");
            for (int i = 2; readable && i < lines.length; i++) {
                Matcher matcher = LINE.matcher(lines[i]);
                if (matcher.matches()) {
                    offsets.put(
                            new PartitionId(matcher.group(1), Integer.parseInt(matcher.group(2))),
                            Long.parseLong(matcher.group(3)));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("{} cannot be read, and logs are compacted from their beginning: {}", file, e.toString());
        }
        return offsets;
    }

    static void write(Path directory, Map<PartitionId, Long> offsets) throws IOException {
        StringBuilder text = new StringBuilder("0\n" + offsets.size() + "\n");
        offsets.forEach((partition, offset) -> text.append(partition.logName())
                .append(' ')
                .append(partition.partition())
                .append(' ')
                .append(offset)
                .append('\n'));
        DurableFiles.replace(directory.resolve(FILE_NAME), text.toString());
    }
}
