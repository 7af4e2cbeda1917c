package io.millrace.coordinator.access;

import java.util.Comparator;
import java.util.Objects;

/**
 * One access control entry. It has no identity beside its fields: two equal ones are one.
 *
 * @param resourceType what it is about
 * @param resourceName the resource's name, its beginning, or {@link #ANY_NAME}; not empty
 * @param patternType how the name is meant
 * @param principal who, as {@code User:name}; {@link #ANY_PRINCIPAL} for everybody
 * @param host the client's address, or {@link #ANY_HOST}
 * @param operation what to do
 * @param permission allowed or forbidden
 */
public record AclEntry(
        AclResourceType resourceType,
        String resourceName,
        AclPatternType patternType,
        String principal,
        String host,
        AclOperation operation,
        AclPermission permission)
        implements Comparable<AclEntry> {

    /** As a literal name: every resource of the type. */
    public static final String ANY_NAME = "*";

    /** The principal of entries for everybody. */
    public static final String ANY_PRINCIPAL = "User:*";

    /** The host of entries for every address. */
    public static final String ANY_HOST = "*";

    /** The name of the only resource of type {@link AclResourceType#CLUSTER}. */
    public static final String CLUSTER_NAME = "kafka-cluster";

    private static final Comparator<AclEntry> ORDER = Comparator.comparing(AclEntry::resourceType)
            .thenComparing(AclEntry::patternType)
            .thenComparing(AclEntry::resourceName)
            .thenComparing(AclEntry::principal)
            .thenComparing(AclEntry::host)
            .thenComparing(AclEntry::operation)
            .thenComparing(AclEntry::permission);

    public AclEntry {
        Objects.requireNonNull(resourceType, "resourceType");
        Objects.requireNonNull(patternType, "patternType");
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(permission, "permission");
        requireText("resource name", resourceName);
        requireText("principal", principal);
        requireText("host", host);
    }

    @Override
    public int compareTo(AclEntry other) {
        return ORDER.compare(this, other);
    }

    private static void requireText(String what, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("an ACL without a " + what);
        }
    }
}
