package io.millrace.broker.internal.security;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclPatternType;
import io.millrace.coordinator.access.AclPermission;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.coordinator.metadata.MetadataImage;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Decides by the access control lists of the cluster who may do what, as Kafka's StandardAuthorizer does: what is forbidden goes before what
 * is allowed; what nothing allows is forbidden, except to super users; an allowed operation allows those that it implies. From any thread.
 */
public final class Authorizer {

    /** What nobody would call a resource: asked for where any resource is meant, and there are no lists at all. */
    private static final String ANY_RESOURCE = "hardcode";

    private final boolean enabled;
    private final Set<String> superUsers;
    private final boolean allowedWithoutAcl;
    private final Supplier<MetadataImage> image;
    private final DenialLog denials;

    /**
     * Creates an authorizer.
     *
     * @param enabled whether lists count at all; if not, everybody may do everything
     * @param superUsers principals that may do everything
     * @param allowedWithoutAcl whether everybody may do everything with a resource that no list is about
     * @param denials is told what was forbidden
     */
    public Authorizer(
            boolean enabled,
            Set<String> superUsers,
            boolean allowedWithoutAcl,
            Supplier<MetadataImage> image,
            DenialLog denials) {
        this.enabled = enabled;
        this.superUsers = Set.copyOf(superUsers);
        this.allowedWithoutAcl = allowedWithoutAcl;
        this.image = image;
        this.denials = denials;
    }

    /** Returns whether lists count. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Returns the lists as they are now; another object once they have changed. */
    Iterable<AclEntry> lists() {
        return image.get().acls();
    }

    /** Returns whether somebody may do everything, whatever the lists say. */
    public boolean mayDoEverything(String principal) {
        return !enabled || superUsers.contains(principal);
    }

    /** Returns whether somebody may do something with a resource. */
    boolean allows(String principal, InetAddress host, AclOperation operation, AclResourceType type, String resource) {
        if (mayDoEverything(principal)) {
            return true;
        }
        List<AclEntry> entries = image.get().aclsMatching(type, resource);
        if (entries.isEmpty()) {
            return allowedWithoutAcl;
        }
        boolean allowed = false;
        for (AclEntry entry : entries) {
            if (!isAbout(entry, principal, host)) {
                continue;
            }
            if (entry.permission() == AclPermission.DENY) {
                if (entry.operation() == AclOperation.ALL || entry.operation() == operation) {
                    return false;
                }
            } else {
                allowed |= implies(entry.operation(), operation);
            }
        }
        return allowed;
    }

    /** Returns whether somebody may do something with at least one resource of a type. */
    boolean allowsAny(String principal, InetAddress host, AclOperation operation, AclResourceType type) {
        if (mayDoEverything(principal)) {
            return true;
        }
        Set<String> deniedNames = new HashSet<>();
        List<String> deniedPrefixes = new ArrayList<>();
        List<AclEntry> allowing = new ArrayList<>();
        for (AclEntry entry : image.get().acls()) {
            if (entry.resourceType() != type || !isAbout(entry, principal, host)) {
                continue;
            }
            if (entry.permission() == AclPermission.ALLOW) {
                if (implies(entry.operation(), operation)) {
                    allowing.add(entry);
                }
            } else if (entry.operation() == AclOperation.ALL || entry.operation() == operation) {
                if (entry.patternType() == AclPatternType.PREFIXED) {
                    deniedPrefixes.add(entry.resourceName());
                } else if (entry.resourceName().equals(AclEntry.ANY_NAME)) {
                    return false;
                } else {
                    deniedNames.add(entry.resourceName());
                }
            }
        }
        for (AclEntry entry : allowing) {
            boolean named = entry.patternType() == AclPatternType.LITERAL;
            boolean any = named && entry.resourceName().equals(AclEntry.ANY_NAME);
            if (any
                    || (deniedPrefixes.stream().noneMatch(entry.resourceName()::startsWith)
                            && !(named && deniedNames.contains(entry.resourceName())))) {
                return true;
            }
        }
        return allowedWithoutAcl && allows(principal, host, operation, type, ANY_RESOURCE);
    }

    /** Notes that something was forbidden. */
    void onDenied(String principal, InetAddress host, AclOperation operation, AclResourceType type, String resource) {
        denials.denied(principal, host, operation, type, resource);
    }

    private static boolean isAbout(AclEntry entry, String principal, InetAddress host) {
        return (entry.principal().equals(AclEntry.ANY_PRINCIPAL)
                        || entry.principal().equals(principal))
                && (entry.host().equals(AclEntry.ANY_HOST) || entry.host().equals(host.getHostAddress()));
    }

    /** Who may read, write, delete or alter a thing may see that it is there. What is forbidden implies nothing. */
    private static boolean implies(AclOperation allowed, AclOperation wanted) {
        if (allowed == AclOperation.ALL || allowed == wanted) {
            return true;
        }
        return switch (wanted) {
            case DESCRIBE ->
                allowed == AclOperation.READ
                        || allowed == AclOperation.WRITE
                        || allowed == AclOperation.DELETE
                        || allowed == AclOperation.ALTER;
            case DESCRIBE_CONFIGS -> allowed == AclOperation.ALTER_CONFIGS;
            default -> false;
        };
    }
}
