package io.millrace.broker.internal.handler;

import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What the sender of a request must be allowed to do. */
sealed interface Need {

    /** The request concerns the client itself, or what it was allowed before. */
    Need NOTHING = new AllOf(List.of());

    /** Something with the log of an id, which lists call a topic. */
    record OfLog(AclOperation operation, UUID logId) implements Need {}

    /** Something with a queue or topic, by its name in JMS. */
    record OfDestination(AclOperation operation, String name) implements Need {}

    /** Something with a durable or shared subscription, which lists call a group. */
    record OfSubscription(AclOperation operation, Optional<String> clientId, String name) implements Need {}

    /** The same for a subscription that is known by its id. */
    record OfKnownSubscription(AclOperation operation, UUID id) implements Need {}

    /** Something with the cluster. */
    record OfCluster(AclOperation operation) implements Need {}

    /** To create a queue or topic. */
    record Creation(String name) implements Need {}

    /** To see a queue or topic if there is one, to create it if there is none. */
    record SightOrCreation(String name) implements Need {}

    /** All of them. */
    record AllOf(List<Need> needs) implements Need {
        public AllOf {
            needs = List.copyOf(needs);
        }
    }

    static Need allOf(Need... needs) {
        return new AllOf(List.of(needs));
    }

    /** Returns how a client is told of a resource. */
    static String describe(AclResourceType type, String name) {
        return switch (type) {
            case TOPIC -> "the topic " + name;
            case GROUP -> "the group " + name;
            case CLUSTER -> "the cluster";
            case TRANSACTIONAL_ID, DELEGATION_TOKEN, USER -> type + " " + name;
        };
    }
}
