package io.millrace.broker.internal.kafka.security;

import io.millrace.broker.internal.kafka.admin.AclBindings;
import io.millrace.broker.internal.security.Access;
import io.millrace.broker.internal.security.Authorizer;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.coordinator.metadata.MetadataImage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;

/**
 * Our authorizer as Kafka's group coordinator asks it: which of the topics that a regular expression matches may a member see. From any thread.
 *
 * @param authorizer decides
 * @param image has the access control lists
 */
public record MemberAuthorizer(Authorizer authorizer, Supplier<MetadataImage> image)
        implements org.apache.kafka.server.authorizer.Authorizer {

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext context, List<Action> actions) {
        Access access = new Access(authorizer, context.principal().toString(), context.clientAddress());
        return actions.stream()
                .map(action -> isAllowed(access, action) ? AuthorizationResult.ALLOWED : AuthorizationResult.DENIED)
                .toList();
    }

    /** What we have no word for is forbidden. */
    private static boolean isAllowed(Access access, Action action) {
        byte operation = action.operation().code();
        byte type = action.resourcePattern().resourceType().code();
        String name = action.resourcePattern().name();
        return Arrays.stream(AclResourceType.values())
                .filter(known -> known.code() == type)
                .anyMatch(resource -> Arrays.stream(AclOperation.values())
                        .filter(known -> known.code() == operation)
                        .anyMatch(known -> action.logIfDenied()
                                ? access.may(known, resource, name)
                                : access.sees(known, resource, name)));
    }

    @Override
    public Iterable<AclBinding> acls(AclBindingFilter filter) {
        return StreamSupport.stream(image.get().acls().spliterator(), false)
                .map(AclBindings::toKafka)
                .filter(filter::matches)
                .toList();
    }

    // ---- lists are changed by commands of the metadata ----

    @Override
    public List<CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext context, List<AclBinding> bindings) {
        return bindings.stream()
                .<CompletionStage<AclCreateResult>>map(
                        binding -> CompletableFuture.completedFuture(new AclCreateResult(elsewhere())))
                .toList();
    }

    @Override
    public List<CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext context, List<AclBindingFilter> filters) {
        return filters.stream()
                .<CompletionStage<AclDeleteResult>>map(
                        filter -> CompletableFuture.completedFuture(new AclDeleteResult(elsewhere())))
                .toList();
    }

    private static InvalidRequestException elsewhere() {
        return new InvalidRequestException("Access control lists are changed through the metadata.");
    }

    // ---- there is nothing to set up or to end ----

    @Override
    public Map<Endpoint, CompletionStage<Void>> start(AuthorizerServerInfo server) {
        return Map.of();
    }

    @Override
    public void configure(Map<String, ?> settings) {
        // The broker's own configuration has made the authorizer.
    }

    @Override
    public void close() {
        // It belongs to the broker.
    }
}
