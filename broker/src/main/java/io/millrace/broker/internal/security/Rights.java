package io.millrace.broker.internal.security;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one client of the native protocol may do: {@link Access}, which remembers what was allowed with a log until the lists change, so that
 * a send costs one lookup. What is forbidden is looked up and noted each time. From any thread.
 */
public final class Rights {

    /** A client that uses more logs than that in turns has the lists asked more often. */
    private static final int MAX_REMEMBERED = 1_024;

    private final Access access;
    private final boolean unlimited;
    private volatile Answers answers = new Answers(List.of(), Set.of());

    private record Allowed(AclOperation operation, UUID logId) {}

    /** What was allowed by the lists of a moment, which are recognised by their identity. */
    private record Answers(Iterable<AclEntry> lists, Set<Allowed> allowed) {}

    public Rights(Access access) {
        this.access = access;
        this.unlimited = access.mayDoEverything();
    }

    /** Returns who the client is, as {@code User:name}. */
    public String principal() {
        return access.principal();
    }

    /** Returns whether the client may do everything, whatever the lists say: then nothing needs to be asked. */
    public boolean isUnlimited() {
        return unlimited;
    }

    /** Returns whether the client may do something with a log; that it may not is noted. */
    public boolean mayLog(AclOperation operation, UUID logId, String name) {
        if (unlimited) {
            return true;
        }
        Answers current = current();
        Allowed question = new Allowed(operation, logId);
        if (current.allowed.contains(question)) {
            return true;
        }
        // The lists are looked at after their identity: what is remembered with it is not older.
        boolean allowed = access.mayTopic(operation, name);
        if (allowed && current.allowed.size() < MAX_REMEMBERED) {
            current.allowed.add(question);
        }
        return allowed;
    }

    /** Returns whether it is known already that the client may do something with a log. */
    public boolean isKnown(AclOperation operation, UUID logId) {
        return unlimited || current().allowed.contains(new Allowed(operation, logId));
    }

    // Lists are equal to others only if they are the same: they are immutable, and too many to be compared.
    @SuppressWarnings("ReferenceEquality")
    private Answers current() {
        Answers present = answers;
        Iterable<AclEntry> lists = access.authorizer().lists();
        if (present.lists != lists) {
            present = new Answers(lists, ConcurrentHashMap.newKeySet());
            answers = present;
        }
        return present;
    }

    /** Returns whether the client may do something with a resource; that it may not is noted. */
    public boolean may(AclOperation operation, AclResourceType type, String resource) {
        return unlimited || access.may(operation, type, resource);
    }

    /** The same, for what nobody asked for by name: that it may not is nothing to note. */
    public boolean sees(AclOperation operation, AclResourceType type, String resource) {
        return unlimited || access.sees(operation, type, resource);
    }

    /** Returns whether the client may create a topic: by a right on its name, or on the cluster. */
    public boolean seesCreation(String topic) {
        return unlimited
                || access.seesCluster(AclOperation.CREATE)
                || access.sees(AclOperation.CREATE, AclResourceType.TOPIC, topic);
    }

    /** Returns whether the client may do something with the cluster; that it may not is noted. */
    public boolean mayCluster(AclOperation operation) {
        return unlimited || access.mayCluster(operation);
    }

    /** Says in what words a client is told that it may not do something. */
    public String denial(AclOperation operation, String resource) {
        return LogText.printable(principal()) + " may not " + operation + " " + resource
                + ": no access control list allows it (kafka-acls shows and changes them)";
    }

    /** Returns what lists call a durable or shared subscription: a group of this name. */
    public static String groupOf(Optional<String> clientId, String subscription) {
        return clientId.map(id -> id + "." + subscription).orElse(subscription);
    }
}
