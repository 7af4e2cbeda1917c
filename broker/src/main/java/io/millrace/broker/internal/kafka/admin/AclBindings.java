package io.millrace.broker.internal.kafka.admin;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclPatternType;
import io.millrace.coordinator.access.AclPermission;
import io.millrace.coordinator.access.AclResourceType;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.internals.SecurityUtils;

/** ACLs in Kafka's form and ours. */
public final class AclBindings {

    private AclBindings() {}

    /** Returns Kafka's form. */
    public static AclBinding toKafka(AclEntry entry) {
        return new AclBinding(
                new ResourcePattern(
                        ResourceType.fromCode((byte) entry.resourceType().code()),
                        entry.resourceName(),
                        PatternType.fromCode((byte) entry.patternType().code())),
                new AccessControlEntry(
                        entry.principal(),
                        entry.host(),
                        org.apache.kafka.common.acl.AclOperation.fromCode(
                                (byte) entry.operation().code()),
                        AclPermissionType.fromCode((byte) entry.permission().code())));
    }

    /**
     * Returns ours.
     *
     * @throws InvalidRequestException if it is not one ACL but a filter for many, or cannot be
     */
    public static AclEntry fromKafka(AclBinding binding) {
        ResourcePattern pattern = binding.pattern();
        if (pattern.name().isEmpty()) {
            throw new InvalidRequestException("Resource name should not be empty");
        }
        if (pattern.resourceType() == ResourceType.CLUSTER && !pattern.name().equals(AclEntry.CLUSTER_NAME)) {
            throw new InvalidRequestException(
                    "The only valid name for the CLUSTER resource is " + AclEntry.CLUSTER_NAME);
        }
        AccessControlEntry entry = binding.entry();
        if (entry.host().isEmpty()) {
            throw new InvalidRequestException("The host of an ACL should not be empty");
        }
        checkPrincipal(entry.principal());
        return new AclEntry(
                constant(
                        "resourceType", pattern.resourceType().code(), AclResourceType.values(), AclResourceType::code),
                pattern.name(),
                constant("patternType", pattern.patternType().code(), AclPatternType.values(), AclPatternType::code),
                entry.principal(),
                entry.host(),
                constant("operation", entry.operation().code(), AclOperation.values(), AclOperation::code),
                constant("permissionType", entry.permissionType().code(), AclPermission.values(), AclPermission::code));
    }

    private static void checkPrincipal(String principal) {
        try {
            SecurityUtils.parseKafkaPrincipal(principal);
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException("Could not parse principal from `" + principal + "`", e);
        }
    }

    private static <E> E constant(String what, byte code, E[] constants, ToIntFunction<E> codeOf) {
        return Arrays.stream(constants)
                .filter(constant -> codeOf.applyAsInt(constant) == code)
                .findFirst()
                .orElseThrow(() -> new InvalidRequestException("Invalid " + what + " " + code));
    }
}
