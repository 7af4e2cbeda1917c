package io.millrace.broker.internal.kafka.admin;

import io.millrace.coordinator.metadata.MetadataImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The features whose levels the whole cluster agrees on, as Kafka 4.4 has them (KIP-584). The level of {@code metadata.version} is told,
 * and cannot be changed: the metadata has a format of its own.
 */
public final class ClusterFeatures {

    /** The feature that decides which requests the brokers of a Kafka cluster understand. */
    public static final String METADATA_VERSION = "metadata.version";

    /**
     * One feature.
     *
     * @param min lowest level that works here
     * @param max highest level that works here
     * @param initial level where nobody set one; 0 for off
     */
    public record Feature(String name, short min, short max, short initial) {}

    private static final Feature SHARE_VERSION = feature("share.version", 0, 2, 2);
    /** KIP-1191. */
    private static final short WITH_DEAD_LETTERS = 2;

    private static final List<Feature> ALL = List.of(
            feature("eligible.leader.replicas.version", 0, 1, 1),
            feature("group.version", 0, 1, 1),
            feature("kraft.version", 0, 1, 1),
            feature(METADATA_VERSION, 7, 33, 33),
            SHARE_VERSION,
            feature("streams.version", 0, 1, 1),
            feature("transaction.version", 0, 2, 2));

    private ClusterFeatures() {}

    private static Feature feature(String name, int min, int max, int initial) {
        return new Feature(name, (short) min, (short) max, (short) initial);
    }

    /** Returns all features. */
    public static List<Feature> all() {
        return ALL;
    }

    /** Finds a feature. */
    public static Optional<Feature> named(String name) {
        return ALL.stream().filter(feature -> feature.name().equals(name)).findFirst();
    }

    /** Returns whether share groups may have dead letters. */
    public static boolean offersDeadLetters(MetadataImage image) {
        return level(SHARE_VERSION, image) >= WITH_DEAD_LETTERS;
    }

    /** Returns the level of a feature, 0 for off. */
    public static short level(Feature feature, MetadataImage image) {
        return image.features().getOrDefault(feature.name(), feature.initial());
    }

    /** Returns the levels of all features that are on, by name. */
    public static Map<String, Short> finalized(MetadataImage image) {
        Map<String, Short> levels = new TreeMap<>();
        for (Feature feature : ALL) {
            short level = level(feature, image);
            if (level > 0) {
                levels.put(feature.name(), level);
            }
        }
        return levels;
    }
}
