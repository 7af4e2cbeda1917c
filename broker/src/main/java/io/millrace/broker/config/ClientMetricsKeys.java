package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What can be set for a subscription of clients' metrics (KIP-714). Subscriptions are kept and told; like Kafka's broker without a plugin
 * for them, this one asks no client for its metrics.
 */
public final class ClientMetricsKeys {

    private static final Set<String> MATCHED = Set.of(
            "client_id",
            "client_instance_id",
            "client_software_name",
            "client_software_version",
            "client_source_address",
            "client_source_port");

    public static final ConfigKey<Integer> INTERVAL_MS = ConfigKey.ofInt("interval.ms")
            .withDefault(300_000)
            .atLeast(100)
            .atMost(3_600_000)
            .describedAs("How often clients tell their metrics, in milliseconds.");

    public static final ConfigKey<List<String>> MATCH = ConfigKey.ofList("match")
            .withDefault(List.of())
            .mustBe(
                    "names of what is known of a client, each with = and a regular expression",
                    patterns -> patterns.stream().allMatch(ClientMetricsKeys::isPattern))
            .describedAs("Which clients tell their metrics; all without it.");

    public static final ConfigKey<List<String>> METRICS = ConfigKey.ofList("metrics")
            .withDefault(List.of())
            .describedAs("Beginnings of the names of the metrics that clients tell.");

    /** All of them. */
    public static final ConfigKeys ALL = ConfigKeys.of(List.of(INTERVAL_MS, MATCH, METRICS));

    private ClientMetricsKeys() {}

    private static boolean isPattern(String text) {
        int equals = text.indexOf('=');
        if (equals < 0 || !MATCHED.contains(text.substring(0, equals).strip())) {
            return false;
        }
        try {
            Pattern.compile(text.substring(equals + 1).strip());
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }
}
