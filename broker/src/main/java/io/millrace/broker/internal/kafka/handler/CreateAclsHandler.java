package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AclBindings;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.metadata.AccessCommand.CreateAcls;
import io.millrace.coordinator.metadata.AccessCommand.CreateAclsResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.message.CreateAclsResponseData;
import org.apache.kafka.common.message.CreateAclsResponseData.AclCreationResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.CreateAclsRequest;
import org.apache.kafka.common.requests.CreateAclsResponse;

/** Creates ACLs, each by itself; one that exists already is fine. */
public final class CreateAclsHandler implements KafkaHandler<CreateAclsRequest> {

    private final AdminServices services;

    public CreateAclsHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CREATE_ACLS;
    }

    @Override
    public void handle(CreateAclsRequest request, KafkaExchange exchange) {
        services.requireAuthorizer();
        List<CompletionStage<AclCreationResult>> results = new ArrayList<>();
        for (AclCreation creation : request.aclCreations()) {
            results.add(create(creation)
                    .thenApply(error -> new AclCreationResult()
                            .setErrorCode(error.error().code())
                            .setErrorMessage(error.message())));
        }
        Answers.whenAll(
                exchange,
                results,
                (List<AclCreationResult> all) -> new CreateAclsResponse(new CreateAclsResponseData().setResults(all)));
    }

    private CompletionStage<ApiError> create(AclCreation creation) {
        try {
            AclEntry entry = AclBindings.fromKafka(binding(creation));
            return services.commands()
                    .submit(operation -> new CreateAcls(operation, List.of(entry)))
                    .handle((result, failure) -> failure == null ? error(result) : Answers.error(failure));
        } catch (ApiException e) {
            return Answers.now(Answers.error(e));
        }
    }

    /** Kafka's own classes refuse what is a filter for several ACLs. */
    private static AclBinding binding(AclCreation creation) {
        try {
            return CreateAclsRequest.aclBinding(creation);
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(e.getMessage(), e);
        }
    }

    private static ApiError error(CreateAclsResult result) {
        return switch (result) {
            case CreateAclsResult.Created() -> ApiError.NONE;
            case CreateAclsResult.Invalid(String problem) -> new ApiError(Errors.INVALID_REQUEST, problem);
            case CreateAclsResult.LimitReached(int maxAcls) ->
                new ApiError(Errors.POLICY_VIOLATION, "There are " + maxAcls + " ACLs, and not more can be kept.");
        };
    }
}
