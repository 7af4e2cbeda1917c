package io.millrace.server.internal.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;

/** Shows and changes settings of running brokers, of topics and groups, and limits of users, clients and addresses. */
public final class ConfigAdmin implements AutoCloseable {
    private final KafkaCluster cluster;
    private final Admin admin;

    public ConfigAdmin(KafkaCluster cluster) {
        this.cluster = cluster;
        this.admin = cluster.admin();
    }

    /** What has settings. */
    public enum Kind {
        BROKER(ConfigResource.Type.BROKER),
        TOPIC(ConfigResource.Type.TOPIC),
        GROUP(ConfigResource.Type.GROUP);

        private final ConfigResource.Type type;

        Kind(ConfigResource.Type type) {
            this.type = type;
        }
    }

    /**
     * A setting as it applies now.
     *
     * @param value empty text if there is none, or it is secret
     * @param set whether somebody set it for just this, while it ran
     * @param source where the value comes from, in words
     * @param changeable whether it may be changed while brokers run
     */
    public record Setting(
            String name,
            String value,
            boolean set,
            String source,
            String type,
            boolean changeable,
            String documentation) {}

    /**
     * Returns all settings, by name.
     *
     * @param name empty for what is set for all brokers
     * @throws KafkaCallException if there is nothing of this name
     */
    public List<Setting> describe(Kind kind, String name) throws InterruptedException {
        ConfigResource resource = new ConfigResource(kind.type, name);
        return Objects.requireNonNull(cluster.await(admin.describeConfigs(
                                        List.of(resource), new DescribeConfigsOptions().includeDocumentation(true))
                                .all())
                        .get(resource))
                .entries()
                .stream()
                .map(entry -> setting(kind, kind == Kind.BROKER && name.isEmpty(), entry))
                .sorted(Comparator.comparing(Setting::name))
                .toList();
    }

    private static Setting setting(Kind kind, boolean ofAllBrokers, ConfigEntry entry) {
        boolean set = switch (entry.source()) {
            case DYNAMIC_TOPIC_CONFIG -> kind == Kind.TOPIC;
            case DYNAMIC_GROUP_CONFIG -> kind == Kind.GROUP;
            // What is set for all brokers is told by them only if that was asked for.
            case DYNAMIC_BROKER_CONFIG -> kind == Kind.BROKER;
            case DYNAMIC_DEFAULT_BROKER_CONFIG -> ofAllBrokers;
            default -> false;
        };
        String source = switch (entry.source()) {
            case DYNAMIC_TOPIC_CONFIG -> "set for this topic";
            case DYNAMIC_GROUP_CONFIG -> "set for this group";
            case DYNAMIC_BROKER_CONFIG -> "set for the broker";
            case DYNAMIC_DEFAULT_BROKER_CONFIG -> "set for all brokers";
            case STATIC_BROKER_CONFIG -> "the broker's file";
            default -> "default";
        };
        return new Setting(
                entry.name(),
                Optional.ofNullable(entry.value()).orElse(""),
                set,
                source,
                entry.type().name().toLowerCase(Locale.ROOT),
                !entry.isReadOnly(),
                Optional.ofNullable(entry.documentation()).orElse(""));
    }

    /**
     * Sets some settings and takes others back, all of them or none.
     *
     * @throws KafkaCallException if one of them is refused
     */
    public void alter(Kind kind, String name, Map<String, String> set, Collection<String> unset)
            throws InterruptedException {
        List<AlterConfigOp> changes = new ArrayList<>();
        set.forEach(
                (key, value) -> changes.add(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET)));
        unset.forEach(key -> changes.add(new AlterConfigOp(new ConfigEntry(key, ""), AlterConfigOp.OpType.DELETE)));
        cluster.await(admin.incrementalAlterConfigs(Map.of(new ConfigResource(kind.type, name), changes))
                .all());
    }

    /**
     * Who is limited. A part that is there and has an empty name means everybody who has no limits of his own; a part that is not there does not
     * matter.
     */
    public record Limited(Optional<String> user, Optional<String> client, Optional<String> address) {
        private Map<String, Optional<String>> parts() {
            Map<String, Optional<String>> parts = new TreeMap<>();
            parts.put(ClientQuotaEntity.USER, user);
            parts.put(ClientQuotaEntity.CLIENT_ID, client);
            parts.put(ClientQuotaEntity.IP, address);
            parts.values().removeIf(Optional::isEmpty);
            return parts;
        }
    }

    /** Returns the limits of just this, by name. */
    public Map<String, Double> limits(Limited whose) throws InterruptedException {
        List<ClientQuotaFilterComponent> components = new ArrayList<>();
        whose.parts()
                .forEach((type, name) -> components.add(
                        name.orElseThrow().isEmpty()
                                ? ClientQuotaFilterComponent.ofDefaultEntity(type)
                                : ClientQuotaFilterComponent.ofEntity(type, name.orElseThrow())));
        Map<String, Double> limits = new TreeMap<>();
        cluster.await(admin.describeClientQuotas(ClientQuotaFilter.containsOnly(components))
                        .entities())
                .values()
                .forEach(limits::putAll);
        return limits;
    }

    /** Sets some limits and takes others back. */
    public void alterLimits(Limited whose, Map<String, Double> set, Collection<String> unset)
            throws InterruptedException {
        Map<String, String> entity = new HashMap<>();
        whose.parts()
                .forEach((type, name) -> entity.put(type, name.orElseThrow().isEmpty() ? null : name.orElseThrow()));
        List<ClientQuotaAlteration.Op> changes = new ArrayList<>();
        set.forEach((key, value) -> changes.add(new ClientQuotaAlteration.Op(key, value)));
        unset.forEach(key -> changes.add(new ClientQuotaAlteration.Op(key, null)));
        cluster.await(
                admin.alterClientQuotas(List.of(new ClientQuotaAlteration(new ClientQuotaEntity(entity), changes)))
                        .all());
    }

    @Override
    public void close() {
        admin.close();
    }
}
