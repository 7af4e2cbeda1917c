package io.millrace.log.internal.directory;

import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/** The file {@code partition.metadata} in a log's directory, as Kafka has it: which named log this is a partition of. */
public final class PartitionMetadata {
    private static final String VERSION_KEY = "version: ";
    private static final String VERSION = "0";
    private static final String ID_KEY = "topic_id: ";

    private PartitionMetadata() {}

    /** Text of the file. */
    public static String encode(UUID logId) {
        return VERSION_KEY + VERSION + "\n" + ID_KEY + toKafka(logId);
    }

    /** An id as Kafka writes it: its 16 bytes in base 64 for URLs, 22 characters. */
    public static String toKafka(UUID id) {
        ByteBuffer bytes =
                ByteBuffer.allocate(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    public static Path file(Path logDirectory) {
        return logDirectory.resolve(SegmentNames.PARTITION_METADATA);
    }

    /** The id in a log's directory; empty if the file is missing or says none. */
    public static Optional<UUID> read(Path logDirectory) throws IOException {
        Path file = file(logDirectory);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        for (String line : DurableFiles.readText(file).lines().toList()) {
            if (line.startsWith(ID_KEY)) {
                return fromKafka(line.substring(ID_KEY.length()).strip());
            }
        }
        return Optional.empty();
    }

    private static Optional<UUID> fromKafka(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            return bytes.remaining() == 16 ? Optional.of(new UUID(bytes.getLong(), bytes.getLong())) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
