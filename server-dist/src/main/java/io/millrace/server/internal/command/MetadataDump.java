package io.millrace.server.internal.command;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.metadata.BrokerInfo;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.PartitionInfo;
import io.millrace.coordinator.metadata.Quotas;
import io.millrace.coordinator.metadata.ScramUser;
import io.millrace.coordinator.metadata.SubscriptionInfo;
import io.millrace.coordinator.metadata.SubscriptionKey;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/** The metadata as they are shown, in the order in which their parts are. Secrets are left out. */
record MetadataDump(
        long endOffset,
        int epoch,
        List<Broker> brokers,
        Map<String, String> clusterConfig,
        List<Log> logs,
        List<Subscription> subscriptions,
        Map<String, Map<String, String>> groupConfigs,
        Map<String, Map<String, String>> clientMetrics,
        Map<String, Short> features,
        List<User> users,
        List<Quota> quotas,
        List<Acl> acls,
        long nextProducerId) {

    /** A broker that ever registered. */
    record Broker(int id, long epoch, UUID incarnation, List<String> endpoints, Map<String, String> config) {}

    /** A queue or topic. */
    record Log(
            String name, String kind, String origin, UUID id, Map<String, String> config, List<Partition> partitions) {}

    /** One partition of it; leader -1 for none. */
    record Partition(int index, int leader, int leaderEpoch, List<Integer> replicas, List<Integer> isr) {}

    /** A durable subscription, or a further cursor of a log. */
    record Subscription(
            String name,
            String clientId,
            String log,
            String kind,
            String selector,
            boolean noLocal,
            String state,
            UUID id) {}

    /** A user with a password; what checks it is not shown. */
    record User(String name, List<String> mechanisms) {}

    /** What somebody is limited to; {@code <default>} for all who have no quota of their own. */
    record Quota(Map<String, String> entity, Map<String, Double> limits) {}

    /** An entry of an access control list. */
    record Acl(
            String permission,
            String principal,
            String host,
            String operation,
            String resourceType,
            String patternType,
            String resourceName) {}

    static MetadataDump of(MetadataImage image) {
        Map<String, Map<String, String>> groups = new TreeMap<>();
        image.groupConfigs().forEach(group -> groups.put(group.groupId(), new TreeMap<>(group.values())));
        Map<String, Map<String, String>> metrics = new TreeMap<>();
        image.clientMetrics().forEach(one -> metrics.put(one.name(), new TreeMap<>(one.values())));
        return new MetadataDump(
                image.end().endOffset(),
                image.end().epoch(),
                list(image.brokers(), broker -> broker(broker, image)),
                new TreeMap<>(image.config(new ConfigScope.Cluster())),
                list(image.logs(), MetadataDump::log),
                list(image.subscriptions(), subscription -> subscription(subscription, image)),
                groups,
                metrics,
                new TreeMap<>(image.features()),
                list(image.scramUsers(), MetadataDump::user),
                list(image.quotas(), MetadataDump::quota),
                list(image.acls(), MetadataDump::acl),
                image.nextProducerId());
    }

    private static <A, B> List<B> list(Iterable<A> all, Function<A, B> shown) {
        List<B> list = new ArrayList<>();
        all.forEach(one -> list.add(shown.apply(one)));
        return list;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static Broker broker(BrokerInfo broker, MetadataImage image) {
        return new Broker(
                broker.brokerId(),
                broker.brokerEpoch(),
                broker.incarnation(),
                broker.endpoints().stream()
                        .map(endpoint -> endpoint.listener() + "://" + endpoint.host() + ":" + endpoint.port())
                        .toList(),
                new TreeMap<>(image.config(new ConfigScope.Broker(broker.brokerId()))));
    }

    private static Log log(LogInfo log) {
        List<Partition> partitions = new ArrayList<>();
        for (PartitionInfo partition : log.partitions()) {
            partitions.add(new Partition(
                    partitions.size(),
                    partition.leader().orElse(-1),
                    partition.leaderEpoch(),
                    partition.replicas(),
                    partition.isr()));
        }
        return new Log(
                log.name(), word(log.kind()), word(log.origin()), log.logId(), new TreeMap<>(log.config()), partitions);
    }

    private static Subscription subscription(SubscriptionInfo subscription, MetadataImage image) {
        SubscriptionKey key = subscription.key();
        String kind = key.cursorOf().isPresent() ? "cursor" : subscription.shared() ? "shared" : "unshared";
        return new Subscription(
                key.name(),
                key.clientId().orElse(""),
                image.log(subscription.logId()).map(LogInfo::name).orElseGet(subscription.logId()::toString),
                kind,
                subscription.selector().orElse(""),
                subscription.noLocal(),
                word(subscription.state()),
                subscription.subscriptionId());
    }

    private static User user(ScramUser user) {
        return new User(
                user.name(),
                user.credentials().values().stream()
                        .map(credential ->
                                credential.mechanism().mechanismName() + " iterations=" + credential.iterations())
                        .sorted()
                        .toList());
    }

    private static Quota quota(Quotas quotas) {
        Map<String, String> entity = new TreeMap<>();
        quotas.entity().parts().forEach((type, name) -> entity.put(type, name.orElse("<default>")));
        Map<String, Double> limits = new TreeMap<>();
        quotas.limits().forEach((key, limit) -> limits.put(key.keyName(), limit));
        return new Quota(entity, limits);
    }

    private static Acl acl(AclEntry entry) {
        return new Acl(
                word(entry.permission()),
                entry.principal(),
                entry.host(),
                word(entry.operation()),
                word(entry.resourceType()),
                word(entry.patternType()),
                entry.resourceName());
    }

    // ---- as text ----

    void print(PrintWriter out) {
        out.printf("metadata up to offset %d of epoch %d, next producer id %d%n", endOffset, epoch, nextProducerId);
        section(out, "brokers", brokers, broker -> {
            out.printf(
                    "  %d  epoch %d  %s  incarnation %s%n",
                    broker.id, broker.epoch, String.join(",", broker.endpoints), broker.incarnation);
            settings(out, broker.config);
        });
        section(
                out,
                "settings of all brokers",
                List.copyOf(clusterConfig.entrySet()),
                entry -> out.printf("  %s=%s%n", entry.getKey(), entry.getValue()));
        section(out, "queues and topics", logs, log -> printLog(out, log));
        section(
                out,
                "subscriptions",
                subscriptions,
                one -> out.printf(
                        "  %s  of %s  %s%s%s  %s  id %s%n",
                        one.name,
                        one.log,
                        one.kind,
                        one.clientId.isEmpty() ? "" : ", client id " + one.clientId,
                        one.selector.isEmpty() ? "" : ", selector " + one.selector,
                        one.state,
                        one.id));
        section(out, "settings of groups", List.copyOf(groupConfigs.entrySet()), group -> {
            out.printf("  %s%n", group.getKey());
            settings(out, group.getValue());
        });
        section(out, "subscriptions of client metrics", List.copyOf(clientMetrics.entrySet()), one -> {
            out.printf("  %s%n", one.getKey());
            settings(out, one.getValue());
        });
        section(
                out,
                "features that were set (the others have their default: `kafka-features.sh describe` shows all)",
                List.copyOf(features.entrySet()),
                feature -> out.printf("  %s=%d%n", feature.getKey(), feature.getValue()));
        section(out, "users", users, user -> out.printf("  %s  %s%n", user.name, String.join(", ", user.mechanisms)));
        section(out, "quotas", quotas, quota -> out.printf("  %s  %s%n", quota.entity, quota.limits));
        section(
                out,
                "ACLs",
                acls,
                acl -> out.printf(
                        "  %s %s from %s: %s on %s %s:%s%n",
                        acl.permission,
                        acl.principal,
                        acl.host,
                        acl.operation,
                        acl.resourceType,
                        acl.patternType,
                        acl.resourceName));
    }

    private static <T> void section(PrintWriter out, String title, List<T> entries, Consumer<T> print) {
        out.printf("%n%s: %d%n", title, entries.size());
        entries.forEach(print);
    }

    private static void printLog(PrintWriter out, Log log) {
        out.printf("  %s  %s of %s  id %s%n", log.name, log.kind, log.origin, log.id);
        settings(out, log.config);
        for (Partition partition : log.partitions) {
            out.printf(
                    "    partition %d  leader %d  epoch %d  replicas %s  in sync %s%n",
                    partition.index, partition.leader, partition.leaderEpoch, partition.replicas, partition.isr);
        }
    }

    private static void settings(PrintWriter out, Map<String, String> config) {
        config.forEach((key, value) -> out.printf("    %s=%s%n", key, value));
    }
}
