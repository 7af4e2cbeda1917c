package io.millrace.log.internal.directory;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.wire.record.Crc32c;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The file {@code meta.properties}: whose directory this is.
 *
 * @param clusterId the cluster that the data belongs to
 * @param brokerId the broker that wrote it
 * @param incarnation made up when the directory was formatted
 * @param bootId which boot of the machine it was last opened under; empty if the machine does not say
 * @param suspect whether it was opened after a power loss and has not been closed in order since
 */
public record MetaProperties(String clusterId, int brokerId, UUID incarnation, String bootId, boolean suspect) {
    public static final String FILE_NAME = "meta.properties";

    /** The same once more, for the day when the other one is damaged. */
    public static final String COPY_NAME = "meta.properties.copy";

    /** Counts up with every change that an older broker would misread. */
    static final int FORMAT_VERSION = 1;

    private static final String FORMAT_VERSION_KEY = "format.version";
    private static final String CLUSTER_ID_KEY = "cluster.id";
    private static final String BROKER_ID_KEY = "broker.id";
    private static final String INCARNATION_KEY = "incarnation";
    private static final String BOOT_ID_KEY = "boot.id";
    private static final String SUSPECT_KEY = "suspect";
    private static final String CHECKSUM_KEY = "checksum";

    /**
     * Reads the file of a directory, if there is one.
     *
     * @throws DataDirectoryException if it is of a newer format, or unreadable
     */
    public static Optional<MetaProperties> read(Path directory) throws IOException {
        Path file = directory.resolve(FILE_NAME);
        return Files.exists(file) ? Optional.of(parse(directory, file)) : Optional.empty();
    }

    /** Reads the copy of the file; empty if it is missing or damaged. */
    public static Optional<MetaProperties> readCopy(Path directory) throws IOException {
        Path file = directory.resolve(COPY_NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(directory, file));
        } catch (DataDirectoryException e) {
            return Optional.empty();
        }
    }

    private static MetaProperties parse(Path directory, Path file) throws IOException {
        String text = DurableFiles.readText(file);
        Map<String, String> properties = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            int equals = line.indexOf('=');
            if (equals > 0 && !line.startsWith("#")) {
                properties.put(
                        line.substring(0, equals).strip(),
                        line.substring(equals + 1).strip());
            }
        }
        try {
            int version = Integer.parseInt(value(properties, FORMAT_VERSION_KEY));
            if (version > FORMAT_VERSION) {
                throw new DataDirectoryException("data directory " + directory + " has format version " + version
                        + ", and this broker knows formats up to " + FORMAT_VERSION
                        + "; start it with the newer version of Millrace that wrote it");
            }
            checkSum(text, properties);
            return new MetaProperties(
                    value(properties, CLUSTER_ID_KEY),
                    Integer.parseInt(value(properties, BROKER_ID_KEY)),
                    UUID.fromString(value(properties, INCARNATION_KEY)),
                    properties.getOrDefault(BOOT_ID_KEY, ""),
                    // Without a checksum nothing says that a power loss was not noted here.
                    !properties.containsKey(CHECKSUM_KEY) || Boolean.parseBoolean(properties.get(SUSPECT_KEY)));
        } catch (IllegalArgumentException e) {
            throw new DataDirectoryException(
                    file + " is unreadable: " + e.getMessage()
                            + "; `millrace log verify --repair` takes it from its copy, if that is whole. If you changed it by hand,"
                            + " remove the line that begins with " + CHECKSUM_KEY,
                    e);
        }
    }

    /** Without the line, as in what a person wrote, nothing is checked. */
    private static void checkSum(String text, Map<String, String> properties) {
        String said = properties.get(CHECKSUM_KEY);
        int at = text.lastIndexOf(CHECKSUM_KEY + "=");
        if (said != null && !said.equals(checksum(text.substring(0, Math.max(0, at))))) {
            throw new IllegalArgumentException("its checksum is wrong");
        }
        if (said == null && !text.endsWith("\n")) {
            throw new IllegalArgumentException("it is cut short");
        }
    }

    private static String checksum(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return "%08x".formatted(Crc32c.of(ByteBuffer.wrap(bytes), 0, bytes.length));
    }

    private static String value(Map<String, String> properties, String key) {
        String value = properties.get(key);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return value;
    }

    /** Replaces the file and its copy, durably, one after the other. */
    public void write(Path directory) throws IOException {
        String text = FORMAT_VERSION_KEY + "=" + FORMAT_VERSION + "\n"
                + CLUSTER_ID_KEY + "=" + clusterId + "\n"
                + BROKER_ID_KEY + "=" + brokerId + "\n"
                + INCARNATION_KEY + "=" + incarnation + "\n"
                + BOOT_ID_KEY + "=" + bootId + "\n"
                + SUSPECT_KEY + "=" + suspect + "\n";
        String whole = text + CHECKSUM_KEY + "=" + checksum(text) + "\n";
        DurableFiles.replace(directory.resolve(COPY_NAME), whole);
        DurableFiles.replace(directory.resolve(FILE_NAME), whole);
    }

    /** This, for a directory whose next start has to count as one after a power loss. */
    public MetaProperties suspected() {
        return new MetaProperties(clusterId, brokerId, incarnation, "", true);
    }

    MetaProperties openedUnder(String newBootId, boolean isSuspect) {
        return new MetaProperties(clusterId, brokerId, incarnation, newBootId, isSuspect);
    }
}
