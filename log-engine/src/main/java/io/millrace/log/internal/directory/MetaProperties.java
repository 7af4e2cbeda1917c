package io.millrace.log.internal.directory;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.internal.file.DurableFiles;
import java.io.IOException;
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
    static final String FILE_NAME = "meta.properties";

    /** Counts up with every change that an older broker would misread. */
    static final int FORMAT_VERSION = 1;

    private static final String FORMAT_VERSION_KEY = "format.version";
    private static final String CLUSTER_ID_KEY = "cluster.id";
    private static final String BROKER_ID_KEY = "broker.id";
    private static final String INCARNATION_KEY = "incarnation";
    private static final String BOOT_ID_KEY = "boot.id";
    private static final String SUSPECT_KEY = "suspect";

    /**
     * Reads the file of a directory, if there is one.
     *
     * @throws DataDirectoryException if it is of a newer format, or unreadable
     */
    public static Optional<MetaProperties> read(Path directory) throws IOException {
        Path file = directory.resolve(FILE_NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Map<String, String> properties = new LinkedHashMap<>();
        for (String line : DurableFiles.readText(file).lines().toList()) {
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
            return Optional.of(new MetaProperties(
                    value(properties, CLUSTER_ID_KEY),
                    Integer.parseInt(value(properties, BROKER_ID_KEY)),
                    UUID.fromString(value(properties, INCARNATION_KEY)),
                    properties.getOrDefault(BOOT_ID_KEY, ""),
                    Boolean.parseBoolean(properties.get(SUSPECT_KEY))));
        } catch (IllegalArgumentException e) {
            throw new DataDirectoryException(
                    file + " is unreadable: " + e.getMessage()
                            + "; restore it from a backup, or correct it by hand if only it is damaged",
                    e);
        }
    }

    private static String value(Map<String, String> properties, String key) {
        String value = properties.get(key);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return value;
    }

    /** Replaces the file, durably. */
    public void write(Path directory) throws IOException {
        String text = FORMAT_VERSION_KEY + "=" + FORMAT_VERSION + "\n"
                + CLUSTER_ID_KEY + "=" + clusterId + "\n"
                + BROKER_ID_KEY + "=" + brokerId + "\n"
                + INCARNATION_KEY + "=" + incarnation + "\n"
                + BOOT_ID_KEY + "=" + bootId + "\n"
                + SUSPECT_KEY + "=" + suspect + "\n";
        DurableFiles.replace(directory.resolve(FILE_NAME), text);
    }

    MetaProperties openedUnder(String newBootId, boolean isSuspect) {
        return new MetaProperties(clusterId, brokerId, incarnation, newBootId, isSuspect);
    }
}
