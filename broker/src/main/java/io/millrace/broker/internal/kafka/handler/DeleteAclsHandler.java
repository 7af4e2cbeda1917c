package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AclBindings;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.metadata.AccessCommand.DeleteAcls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.message.DeleteAclsResponseData;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsFilterResult;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsMatchingAcl;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.DeleteAclsRequest;
import org.apache.kafka.common.requests.DeleteAclsResponse;

/** Deletes the ACLs that filters match. */
public final class DeleteAclsHandler implements KafkaHandler<DeleteAclsRequest> {

    /** ACLs of one change, so that it fits into the metadata log whatever their names are. */
    private static final int CHUNK = 500;

    private final AdminServices services;

    public DeleteAclsHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DELETE_ACLS;
    }

    @Override
    public void handle(DeleteAclsRequest request, KafkaExchange exchange) {
        services.requireAuthorizer();
        List<CompletionStage<DeleteAclsFilterResult>> results =
                request.filters().stream().map(this::delete).toList();
        Answers.whenAll(
                exchange,
                results,
                (List<DeleteAclsFilterResult> all) ->
                        new DeleteAclsResponse(new DeleteAclsResponseData().setFilterResults(all), exchange.version()));
    }

    private CompletionStage<DeleteAclsFilterResult> delete(AclBindingFilter filter) {
        if (filter.isUnknown()) {
            return Answers.now(new DeleteAclsFilterResult()
                    .setErrorCode(Errors.INVALID_REQUEST.code())
                    .setErrorMessage("The AclBindingFilter must not contain UNKNOWN elements."));
        }
        List<AclEntry> matching = new ArrayList<>();
        services.topics().image().acls().forEach(entry -> {
            if (filter.matches(AclBindings.toKafka(entry))) {
                matching.add(entry);
            }
        });
        CompletionStage<?> deleted = Answers.now(matching);
        for (List<AclEntry> chunk : chunks(matching)) {
            deleted = deleted.thenCompose(
                    before -> services.commands().submit(operation -> new DeleteAcls(operation, chunk)));
        }
        return deleted.handle((done, failure) -> failure == null ? deleted(matching) : failed(failure));
    }

    private static List<List<AclEntry>> chunks(List<AclEntry> entries) {
        return Stream.iterate(0, from -> from < entries.size(), from -> from + CHUNK)
                .map(from -> entries.subList(from, Math.min(from + CHUNK, entries.size())))
                .toList();
    }

    private static DeleteAclsFilterResult deleted(List<AclEntry> entries) {
        DeleteAclsFilterResult result = new DeleteAclsFilterResult();
        for (AclEntry entry : entries) {
            AclBinding binding = AclBindings.toKafka(entry);
            result.matchingAcls()
                    .add(new DeleteAclsMatchingAcl()
                            .setResourceType(binding.pattern().resourceType().code())
                            .setResourceName(binding.pattern().name())
                            .setPatternType(binding.pattern().patternType().code())
                            .setPrincipal(binding.entry().principal())
                            .setHost(binding.entry().host())
                            .setOperation(binding.entry().operation().code())
                            .setPermissionType(binding.entry().permissionType().code()));
        }
        return result;
    }

    private static DeleteAclsFilterResult failed(Throwable failure) {
        ApiError error = Answers.error(failure);
        return new DeleteAclsFilterResult().setErrorCode(error.error().code()).setErrorMessage(error.message());
    }
}
