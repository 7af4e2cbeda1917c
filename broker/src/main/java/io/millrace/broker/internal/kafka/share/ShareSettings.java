package io.millrace.broker.internal.kafka.share;

import io.millrace.broker.internal.partition.DeadLetters;
import io.millrace.broker.internal.partition.ShareTerms;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.MetadataImage;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.jspecify.annotations.Nullable;

/** The settings of share groups: what a group sets for itself, else what the broker says. From any thread. */
public final class ShareSettings {

    private static final String BY_DURATION = "by_duration:";

    private final Supplier<ShareGroupConfig> load;
    private final Supplier<MetadataImage> image;
    private volatile @Nullable ShareGroupConfig loaded;

    /** @param load reads the settings for groups that set nothing, when the first group comes */
    public ShareSettings(Supplier<ShareGroupConfig> load, Supplier<MetadataImage> image) {
        this.load = load;
        this.image = image;
    }

    private ShareGroupConfig broker() {
        ShareGroupConfig present = loaded;
        if (present == null) {
            present = load.get();
            loaded = present;
        }
        return present;
    }

    /** Where a group begins to consume a partition. */
    sealed interface Start {
        /** At the first record that is there. */
        record Earliest() implements Start {}

        /** After the last one. */
        record Latest() implements Start {}

        /** At the first record that is not older. */
        record ByDuration(Duration age) implements Start {}
    }

    /** @param deadLetters what becomes of records that the group gives up */
    ShareTerms terms(String group, DeadLetters deadLetters) {
        Map<String, String> set = set(group);
        return new ShareTerms(
                TimeUnit.MILLISECONDS.toNanos(lockMs(set)),
                (int) number(
                        set, GroupConfig.SHARE_DELIVERY_COUNT_LIMIT_CONFIG, broker().shareGroupDeliveryCountLimit()),
                (int) number(
                        set,
                        GroupConfig.SHARE_PARTITION_MAX_RECORD_LOCKS_CONFIG,
                        broker().shareGroupPartitionMaxRecordLocks()),
                set.getOrDefault(GroupConfig.SHARE_ISOLATION_LEVEL_CONFIG, GroupConfig.SHARE_ISOLATION_LEVEL_DEFAULT)
                        .equalsIgnoreCase("read_committed"),
                deadLetters);
    }

    /** Returns the topic that takes the group's dead letters, or nothing where it has none. */
    Optional<String> deadLetterTopic(String group) {
        return Optional.ofNullable(set(group).get(GroupConfig.ERRORS_DEADLETTERQUEUE_TOPIC_NAME_CONFIG))
                .filter(name -> !name.isEmpty());
    }

    boolean copiesDeadLetters(String group) {
        String value = set(group).get(GroupConfig.ERRORS_DEADLETTERQUEUE_COPY_RECORD_ENABLE_CONFIG);
        return value == null
                ? GroupConfig.ERRORS_DEADLETTERQUEUE_COPY_RECORD_ENABLE_DEFAULT
                : Boolean.parseBoolean(value);
    }

    int lockMs(String group) {
        return (int) lockMs(set(group));
    }

    boolean mayRenew(String group) {
        String value = set(group).get(GroupConfig.SHARE_RENEW_ACKNOWLEDGE_ENABLE_CONFIG);
        return value == null ? GroupConfig.SHARE_RENEW_ACKNOWLEDGE_ENABLE_DEFAULT : Boolean.parseBoolean(value);
    }

    /** Returns how many members may have a session at a time. */
    public int maxSessions() {
        return broker().shareGroupMaxShareSessions();
    }

    Start start(String group) {
        String value = set(group)
                .getOrDefault(GroupConfig.SHARE_AUTO_OFFSET_RESET_CONFIG, GroupConfig.SHARE_AUTO_OFFSET_RESET_DEFAULT)
                .toLowerCase(Locale.ROOT);
        if (value.startsWith(BY_DURATION)) {
            return new Start.ByDuration(Duration.parse(value.substring(BY_DURATION.length())));
        }
        return value.equals("earliest") ? new Start.Earliest() : new Start.Latest();
    }

    private long lockMs(Map<String, String> set) {
        return number(set, GroupConfig.SHARE_RECORD_LOCK_DURATION_MS_CONFIG, broker().shareGroupRecordLockDurationMs());
    }

    private static long number(Map<String, String> set, String key, int otherwise) {
        String value = set.get(key);
        return value == null ? otherwise : Long.parseLong(value);
    }

    private Map<String, String> set(String group) {
        return image.get().config(new ConfigScope.Group(group));
    }

    /** Returns the time from which on records are wanted, for a start by duration. */
    static OptionalLong since(Start start, long nowMs) {
        return start instanceof Start.ByDuration(Duration age)
                ? OptionalLong.of(nowMs - age.toMillis())
                : OptionalLong.empty();
    }
}
