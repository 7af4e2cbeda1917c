package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.metadata.Quotas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.DescribeClientQuotasRequestData.ComponentData;
import org.apache.kafka.common.message.DescribeClientQuotasResponseData;
import org.apache.kafka.common.message.DescribeClientQuotasResponseData.EntityData;
import org.apache.kafka.common.message.DescribeClientQuotasResponseData.EntryData;
import org.apache.kafka.common.message.DescribeClientQuotasResponseData.ValueData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.DescribeClientQuotasRequest;
import org.apache.kafka.common.requests.DescribeClientQuotasResponse;

/** Tells the quotas that a filter matches (KIP-546). */
public final class DescribeClientQuotasHandler implements KafkaHandler<DescribeClientQuotasRequest> {

    private static final Set<String> TYPES = Set.of(QuotaEntity.USER, QuotaEntity.CLIENT_ID, QuotaEntity.IP);

    /** What one part of an entity must be: there, and perhaps a name or the default. */
    private sealed interface Match {
        /** Any name, and the default. */
        record Any() implements Match {}

        /** This name; none for the default. */
        record Exactly(Optional<String> name) implements Match {}

        default boolean matches(Optional<String> name) {
            return switch (this) {
                case Any() -> true;
                case Exactly(Optional<String> wanted) -> wanted.equals(name);
            };
        }
    }

    private final KafkaTopics topics;

    public DescribeClientQuotasHandler(KafkaTopics topics) {
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_CLIENT_QUOTAS;
    }

    @Override
    public void handle(DescribeClientQuotasRequest request, KafkaExchange exchange) {
        Map<String, Match> filter = filter(request.data().components());
        boolean strict = request.data().strict();
        List<EntryData> entries = new ArrayList<>();
        for (Quotas quotas : topics.image().quotas()) {
            if (matches(filter, strict, quotas.entity().parts())) {
                entries.add(entry(quotas));
            }
        }
        exchange.answer(new DescribeClientQuotasResponse(new DescribeClientQuotasResponseData().setEntries(entries)));
    }

    private static Map<String, Match> filter(List<ComponentData> components) {
        Map<String, Match> filter = new HashMap<>();
        for (ComponentData component : components) {
            String type = component.entityType();
            if (type.isEmpty()) {
                throw new InvalidRequestException("Invalid empty entity type.");
            }
            if (!TYPES.contains(type)) {
                throw new UnsupportedVersionException("Unsupported entity type " + type);
            }
            if (filter.put(type, match(component)) != null) {
                throw new InvalidRequestException(
                        "Entity type " + type + " cannot appear more than once in the filter.");
            }
        }
        if (filter.containsKey(QuotaEntity.IP) && filter.size() > 1) {
            throw new InvalidRequestException("Invalid entity filter component combination. IP filter component should"
                    + " not be used with user or clientId filter component.");
        }
        return filter;
    }

    private static Match match(ComponentData component) {
        Optional<String> name = Optional.ofNullable(component.match());
        byte type = component.matchType();
        boolean exact = type == DescribeClientQuotasRequest.MATCH_TYPE_EXACT;
        if (!exact
                && type != DescribeClientQuotasRequest.MATCH_TYPE_DEFAULT
                && type != DescribeClientQuotasRequest.MATCH_TYPE_SPECIFIED) {
            throw new InvalidRequestException("Unknown match type " + type);
        }
        if (exact != name.isPresent()) {
            throw new InvalidRequestException("A match string belongs to an exact match, and to no other.");
        }
        return type == DescribeClientQuotasRequest.MATCH_TYPE_SPECIFIED ? new Match.Any() : new Match.Exactly(name);
    }

    /** A strict filter that names nothing matches nothing. */
    private static boolean matches(Map<String, Match> filter, boolean strict, Map<String, Optional<String>> entity) {
        boolean all = filter.entrySet().stream().allMatch(wanted -> {
            Optional<String> name = entity.get(wanted.getKey());
            return name != null && wanted.getValue().matches(name);
        });
        return all && (!strict || entity.size() == filter.size());
    }

    private static EntryData entry(Quotas quotas) {
        EntryData entry = new EntryData();
        quotas.entity()
                .parts()
                .forEach((type, name) ->
                        entry.entity().add(new EntityData().setEntityType(type).setEntityName(name.orElse(null))));
        new TreeMap<>(quotas.limits())
                .forEach((key, limit) ->
                        entry.values().add(new ValueData().setKey(key.keyName()).setValue(limit)));
        return entry;
    }
}
