package io.millrace.broker.internal.kafka.admin;

import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.QuotaSubject;
import io.netty.util.NetUtil;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.AlterClientQuotasRequestData.EntityData;
import org.apache.kafka.common.message.AlterClientQuotasRequestData.OpData;

/** What a request to change quotas means. */
public final class QuotaEntities {

    private static final Set<String> TYPES = Set.of(QuotaEntity.USER, QuotaEntity.CLIENT_ID, QuotaEntity.IP);

    private QuotaEntities() {}

    /**
     * Returns whom a quota is for.
     *
     * @throws InvalidRequestException if that cannot be
     */
    public static QuotaEntity entity(List<EntityData> parts) {
        Map<String, QuotaSubject> subjects = new HashMap<>();
        for (EntityData part : parts) {
            String type = part.entityType();
            if (!TYPES.contains(type)) {
                throw new InvalidRequestException("Unhandled client quota entity type: " + type);
            }
            if (part.entityName() != null && part.entityName().isEmpty()) {
                throw new InvalidRequestException("Empty " + type + " not supported");
            }
            if (subjects.put(type, new QuotaSubject(Optional.ofNullable(part.entityName()))) != null) {
                throw new InvalidRequestException("Invalid client quota entity, duplicate entity entry " + type);
            }
        }
        Optional<QuotaSubject> ip = Optional.ofNullable(subjects.get(QuotaEntity.IP));
        if (subjects.isEmpty() || (ip.isPresent() && subjects.size() > 1)) {
            throw new InvalidRequestException("Invalid empty client quota entity");
        }
        ip.flatMap(QuotaSubject::name).ifPresent(QuotaEntities::requireAddress);
        return new QuotaEntity(
                Optional.ofNullable(subjects.get(QuotaEntity.USER)),
                Optional.ofNullable(subjects.get(QuotaEntity.CLIENT_ID)),
                ip);
    }

    private static void requireAddress(String ip) {
        if (!NetUtil.isValidIpV4Address(ip) && !NetUtil.isValidIpV6Address(ip)) {
            throw new InvalidRequestException(ip + " is not a valid IP address.");
        }
    }

    /**
     * Returns what shall be limited to what.
     *
     * @throws InvalidRequestException if that cannot be
     */
    public static Map<QuotaKey, OptionalDouble> changes(QuotaEntity entity, List<OpData> operations) {
        Map<QuotaKey, OptionalDouble> changes = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (OpData operation : operations) {
            if (!seen.add(operation.key())) {
                throw new InvalidRequestException("Duplicate quota key " + operation.key()
                        + " not updating quota for this entity " + entity.parts());
            }
            Optional<QuotaKey> known = QuotaKey.named(operation.key())
                    .filter(key -> key.isPerIp() == entity.ip().isPresent());
            if (known.isEmpty() && operation.remove()) {
                // It is not set, which is all that was asked for.
                continue;
            }
            QuotaKey key = known.orElseThrow(
                    () -> new InvalidRequestException("Invalid configuration key " + operation.key()));
            changes.put(key, operation.remove() ? OptionalDouble.empty() : OptionalDouble.of(limit(key, operation)));
        }
        return changes;
    }

    private static double limit(QuotaKey key, OpData operation) {
        double limit = operation.value();
        if (!(limit > 0) || Double.isInfinite(limit)) {
            throw new InvalidRequestException("Quota " + key.keyName() + " must be greater than 0");
        }
        boolean whole = switch (key) {
            case PRODUCER_BYTE_RATE, CONSUMER_BYTE_RATE, CONNECTION_CREATION_RATE -> true;
            case REQUEST_PERCENTAGE, CONTROLLER_MUTATION_RATE -> false;
        };
        if (whole && Math.abs(limit - Math.rint(limit)) > 1e-6) {
            throw new InvalidRequestException("Configuration " + key.keyName() + " must be a whole number");
        }
        return limit;
    }
}
