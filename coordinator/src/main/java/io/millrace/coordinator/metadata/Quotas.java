package io.millrace.coordinator.metadata;

import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import java.util.Map;

/**
 * The quotas of one entity.
 *
 * @param entity for whom
 * @param limits what is limited to what, at least one
 */
public record Quotas(QuotaEntity entity, Map<QuotaKey, Double> limits) {

    public Quotas {
        limits = Map.copyOf(limits);
    }
}
