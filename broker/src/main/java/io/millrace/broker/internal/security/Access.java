package io.millrace.broker.internal.security;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import java.net.InetAddress;
import java.util.List;

/**
 * What one client may do. From any thread.
 *
 * @param authorizer decides
 * @param principal who the client is, as {@code User:name}
 * @param host where it is
 */
public record Access(Authorizer authorizer, String principal, InetAddress host) {

    private static final List<AclOperation> OF_TOPICS = List.of(
            AclOperation.READ,
            AclOperation.WRITE,
            AclOperation.CREATE,
            AclOperation.DESCRIBE,
            AclOperation.DELETE,
            AclOperation.ALTER,
            AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS);
    private static final List<AclOperation> OF_GROUPS = List.of(
            AclOperation.READ,
            AclOperation.DESCRIBE,
            AclOperation.DELETE,
            AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS);
    private static final List<AclOperation> OF_CLUSTERS = List.of(
            AclOperation.CREATE,
            AclOperation.CLUSTER_ACTION,
            AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS,
            AclOperation.IDEMPOTENT_WRITE,
            AclOperation.ALTER,
            AclOperation.DESCRIBE);

    /** Returns whether the client may do everything, whatever the lists say. */
    public boolean mayDoEverything() {
        return authorizer.mayDoEverything(principal);
    }

    /** Returns whether the client may do something with a resource; that it may not is noted. */
    public boolean may(AclOperation operation, AclResourceType type, String resource) {
        boolean allowed = sees(operation, type, resource);
        if (!allowed) {
            authorizer.onDenied(principal, host, operation, type, resource);
        }
        return allowed;
    }

    /** The same, for what nobody asked for by name: that it may not is nothing to note. */
    public boolean sees(AclOperation operation, AclResourceType type, String resource) {
        return authorizer.allows(principal, host, operation, type, resource);
    }

    /** Returns whether the client may do something with a topic. */
    public boolean mayTopic(AclOperation operation, String topic) {
        return may(operation, AclResourceType.TOPIC, topic);
    }

    /** Returns whether the client may do something with a group. */
    public boolean mayGroup(AclOperation operation, String group) {
        return may(operation, AclResourceType.GROUP, group);
    }

    /** Returns whether the client may do something with the cluster. */
    public boolean mayCluster(AclOperation operation) {
        return may(operation, AclResourceType.CLUSTER, AclEntry.CLUSTER_NAME);
    }

    /** The same, where there is another way to be allowed. */
    public boolean seesCluster(AclOperation operation) {
        return sees(operation, AclResourceType.CLUSTER, AclEntry.CLUSTER_NAME);
    }

    /** Returns whether the client may do something with at least one resource of a type. */
    public boolean mayAny(AclOperation operation, AclResourceType type) {
        boolean allowed = authorizer.allowsAny(principal, host, operation, type);
        if (!allowed) {
            authorizer.onDenied(principal, host, operation, type, "any");
        }
        return allowed;
    }

    /** Returns all that the client may do with a resource, as Kafka's answers say it: a bit for each operation. */
    public int operations(AclResourceType type, String resource) {
        List<AclOperation> possible = switch (type) {
            case TOPIC -> OF_TOPICS;
            case GROUP -> OF_GROUPS;
            case CLUSTER -> OF_CLUSTERS;
            case TRANSACTIONAL_ID, DELEGATION_TOKEN, USER -> List.of();
        };
        int bits = 0;
        for (AclOperation operation : possible) {
            if (sees(operation, type, resource)) {
                bits |= 1 << operation.code();
            }
        }
        return bits;
    }
}
