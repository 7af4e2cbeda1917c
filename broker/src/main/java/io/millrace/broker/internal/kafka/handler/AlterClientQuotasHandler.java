package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.QuotaEntities;
import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.metadata.AccessCommand.AlterQuotas;
import io.millrace.coordinator.metadata.AccessCommand.AlterQuotasResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.AlterClientQuotasRequestData;
import org.apache.kafka.common.message.AlterClientQuotasResponseData;
import org.apache.kafka.common.message.AlterClientQuotasResponseData.EntityData;
import org.apache.kafka.common.message.AlterClientQuotasResponseData.EntryData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterClientQuotasRequest;
import org.apache.kafka.common.requests.AlterClientQuotasResponse;
import org.apache.kafka.common.requests.ApiError;

/** Sets and removes quotas (KIP-546). Each entity is changed by itself. */
public final class AlterClientQuotasHandler implements KafkaHandler<AlterClientQuotasRequest> {

    private final AdminServices services;

    public AlterClientQuotasHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_CLIENT_QUOTAS;
    }

    @Override
    public void handle(AlterClientQuotasRequest request, KafkaExchange exchange) {
        List<CompletionStage<EntryData>> results = new ArrayList<>();
        Set<QuotaEntity> seen = new HashSet<>();
        for (AlterClientQuotasRequestData.EntryData entry : request.data().entries()) {
            results.add(alter(entry, seen, request.data().validateOnly()).thenApply(error -> result(entry, error)));
        }
        Answers.whenAll(
                exchange,
                results,
                (List<EntryData> all) ->
                        new AlterClientQuotasResponse(new AlterClientQuotasResponseData().setEntries(all)));
    }

    private CompletionStage<ApiError> alter(
            AlterClientQuotasRequestData.EntryData entry, Set<QuotaEntity> seen, boolean validateOnly) {
        try {
            QuotaEntity entity = QuotaEntities.entity(entry.entity());
            Map<QuotaKey, OptionalDouble> changes = QuotaEntities.changes(entity, entry.ops());
            if (!seen.add(entity)) {
                return Answers.now(
                        Answers.error(Errors.INVALID_REQUEST, "Ignoring duplicate entity " + entity.parts()));
            }
            return services.commands()
                    .submit(operation -> new AlterQuotas(operation, entity, changes), validateOnly)
                    .handle((result, failure) -> failure == null ? error(result) : Answers.error(failure));
        } catch (ApiException e) {
            return Answers.now(Answers.error(e));
        }
    }

    private static ApiError error(AlterQuotasResult result) {
        return switch (result) {
            case AlterQuotasResult.Altered() -> ApiError.NONE;
            case AlterQuotasResult.Invalid(String problem) -> new ApiError(Errors.INVALID_REQUEST, problem);
            case AlterQuotasResult.LimitReached(int maxEntities) ->
                new ApiError(
                        Errors.POLICY_VIOLATION,
                        "There are quotas for " + maxEntities + " entities, and not more can be kept.");
        };
    }

    private static EntryData result(AlterClientQuotasRequestData.EntryData entry, ApiError error) {
        EntryData result = new EntryData().setErrorCode(error.error().code()).setErrorMessage(error.message());
        List<EntityData> entity = new ArrayList<>();
        entry.entity()
                .forEach(part -> entity.add(
                        new EntityData().setEntityType(part.entityType()).setEntityName(part.entityName())));
        return result.setEntity(entity);
    }
}
