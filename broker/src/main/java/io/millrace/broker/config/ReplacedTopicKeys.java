package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import java.util.List;

/** Settings that Kafka's topics have, and that are accepted and kept for topics here without an effect; tools set some of them by themselves. */
public final class ReplacedTopicKeys {

    private static final String ONE_COPY = "this version has one copy of each partition, so nothing is copied";
    private static final String ONE_TIER = "there is no second tier of storage; all records are in log.dirs";

    /** All of them, with Kafka's defaults; what is documented is why they have no effect. */
    public static final List<ConfigKey<?>> ALL = List.of(
            text("follower.replication.throttled.replicas", "", ONE_COPY),
            text("leader.replication.throttled.replicas", "", ONE_COPY),
            number("local.retention.bytes", -2, ONE_TIER),
            number("local.retention.ms", -2, ONE_TIER),
            flag("remote.log.copy.disable").describedAs(ONE_TIER),
            flag("remote.log.delete.on.disable").describedAs(ONE_TIER),
            flag("remote.storage.enable")
                    .mustBe("false: " + ONE_TIER, enabled -> !enabled)
                    .describedAs(ONE_TIER));

    private ReplacedTopicKeys() {}

    private static ConfigKey<String> text(String name, String byDefault, String why) {
        return ConfigKey.ofString(name).withDefault(byDefault).describedAs(why);
    }

    private static ConfigKey<Long> number(String name, long byDefault, String why) {
        return ConfigKey.ofLong(name).withDefault(byDefault).describedAs(why);
    }

    private static ConfigKey<Boolean> flag(String name) {
        return ConfigKey.ofBoolean(name).withDefault(false);
    }

    /** Returns keys that have these too. */
    static ConfigKeys acceptedBy(ConfigKeys keys) {
        return keys.and(ConfigKeys.of(ALL));
    }
}
