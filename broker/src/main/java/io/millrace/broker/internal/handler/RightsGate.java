package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.security.Rights;
import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.SubscriptionInfo;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.name.DestinationName;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Stands before the handlers and lets through what its sender may do, by {@link NeededRights}. Handlers know nothing of it. Costs nothing
 * where no lists count, and for super users. On the socket loops.
 */
final class RightsGate {

    private final Supplier<MetadataImage> image;

    RightsGate(Supplier<MetadataImage> image) {
        this.image = image;
    }

    /**
     * Lets a frame through.
     *
     * @return what of it may be done: the same frame, except that a queue or topic is not created by who may only see it
     * @throws RequestFailedException if the client may not do it
     */
    Frame admit(Frame frame, Rights rights) {
        if (rights.isUnlimited()) {
            return frame;
        }
        require(NeededRights.of(frame), rights);
        return frame instanceof DescribeDestination wanted && wanted.autoCreate()
                ? withoutForbiddenCreation(wanted, rights)
                : frame;
    }

    /** It may be deleted between here and the handler. */
    private static Frame withoutForbiddenCreation(DescribeDestination wanted, Rights rights) {
        return rights.seesCreation(logName(wanted.name()))
                ? wanted
                : new DescribeDestination(wanted.corr(), wanted.kind(), wanted.name(), false);
    }

    private void require(Need need, Rights rights) {
        switch (need) {
            case Need.AllOf(var needs) -> needs.forEach(one -> require(one, rights));
            case Need.OfLog(AclOperation operation, UUID logId) -> requireLog(operation, logId, rights);
            case Need.OfDestination(AclOperation operation, String name) ->
                require(operation, AclResourceType.TOPIC, logName(name), rights);
            case Need.OfSubscription(AclOperation operation, Optional<String> clientId, String name) ->
                require(operation, AclResourceType.GROUP, Rights.groupOf(clientId, name), rights);
            case Need.OfKnownSubscription(AclOperation operation, UUID id) ->
                // One in memory was asked about when the consumer joined it.
                groupOf(image.get(), id).ifPresent(group -> require(operation, AclResourceType.GROUP, group, rights));
            case Need.OfCluster(AclOperation operation) ->
                require(operation, AclResourceType.CLUSTER, AclEntry.CLUSTER_NAME, rights);
            case Need.Creation(String name) -> requireCreation(logName(name), rights);
            case Need.SightOrCreation(String name) -> {
                String logName = logName(name);
                if (image.get().logNamed(logName).isPresent()) {
                    require(AclOperation.DESCRIBE, AclResourceType.TOPIC, logName, rights);
                } else {
                    requireCreation(logName, rights);
                }
            }
        }
    }

    private static String logName(String jmsName) {
        return DestinationName.of(jmsName).logName();
    }

    /** Returns what lists call a durable subscription. */
    static Optional<String> groupOf(MetadataImage image, UUID subscription) {
        return image.subscription(subscription)
                .map(SubscriptionInfo::key)
                .map(key -> Rights.groupOf(key.clientId(), key.name()));
    }

    private void requireLog(AclOperation operation, UUID logId, Rights rights) {
        if (rights.isKnown(operation, logId)) {
            return;
        }
        // What the metadata does not have is refused by the handler.
        Optional<String> name = image.get().log(logId).map(LogInfo::name);
        if (name.isPresent() && !rights.mayLog(operation, logId, name.get())) {
            throw denied(operation, AclResourceType.TOPIC, name.get(), rights);
        }
    }

    private static void requireCreation(String logName, Rights rights) {
        if (!rights.seesCreation(logName)) {
            require(AclOperation.CREATE, AclResourceType.TOPIC, logName, rights);
        }
    }

    private static void require(AclOperation operation, AclResourceType type, String name, Rights rights) {
        if (!rights.may(operation, type, name)) {
            throw denied(operation, type, name, rights);
        }
    }

    private static RequestFailedException denied(
            AclOperation operation, AclResourceType type, String name, Rights rights) {
        return new RequestFailedException(
                ErrorCode.NOT_AUTHORIZED, rights.denial(operation, Need.describe(type, name)));
    }
}
