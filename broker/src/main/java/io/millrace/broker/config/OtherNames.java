package io.millrace.broker.config;

import io.millrace.log.config.InvalidConfigException;
import java.util.HashMap;
import java.util.Map;

/** Names that settings have in Kafka beside the one that they have here. */
public final class OtherNames {

    /** The name that each has here. */
    public static final Map<String, String> ALL = Map.of(
            "node.id", "broker.id",
            "log.dir", "log.dirs",
            "offsets.topic.retention.minutes", "offsets.retention.minutes");

    private OtherNames() {}

    /**
     * Returns the same settings under the names that they have here, in a map that may be changed.
     *
     * @throws InvalidConfigException if one is set under both, to different values
     */
    static Map<String, String> resolved(Map<String, String> texts) {
        Map<String, String> resolved = new HashMap<>(texts);
        ALL.forEach((other, name) -> {
            String text = resolved.remove(other);
            if (text == null) {
                return;
            }
            String before = resolved.putIfAbsent(name, text);
            // Kafka too takes log.dirs where log.dir is set beside it.
            if (before != null && !before.strip().equals(text.strip()) && !other.equals("log.dir")) {
                throw new InvalidConfigException(other + " and " + name + " are two names of one setting, and are "
                        + text.strip() + " and " + before.strip());
            }
        });
        return resolved;
    }
}
