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
            replicas("follower.replication.throttled.replicas"),
            replicas("leader.replication.throttled.replicas"),
            number("local.retention.bytes", -2, ONE_TIER).atLeast(-2),
            number("local.retention.ms", -2, ONE_TIER).atLeast(-2),
            number("remote.copy.lag.bytes", -1, ONE_TIER).atLeast(-1),
            number("remote.copy.lag.ms", 0, ONE_TIER).atLeast(-1),
            ConfigKey.ofInt("max.decompressed.message.bytes")
                    .withDefault(2_147_483_639)
                    .atLeast(0)
                    .describedAs("batches that grow out of proportion when they are read are refused"),
            flag("remote.log.copy.disable").describedAs(ONE_TIER),
            flag("remote.log.delete.on.disable").describedAs(ONE_TIER),
            flag("remote.storage.enable")
                    .mustBe("false: " + ONE_TIER, enabled -> !enabled)
                    .describedAs(ONE_TIER));

    private ReplacedTopicKeys() {}

    private static ConfigKey<List<String>> replicas(String name) {
        return ConfigKey.ofList(name)
                .withDefault(List.of())
                .mustBe(
                        "* or partition:broker, separated by commas",
                        replicas -> replicas.equals(List.of("*"))
                                || replicas.stream().allMatch(replica -> replica.matches("\\d+:\\d+")))
                .describedAs(ONE_COPY);
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
