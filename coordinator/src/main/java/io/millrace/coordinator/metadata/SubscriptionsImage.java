package io.millrace.coordinator.metadata;

import java.util.UUID;

/** The durable subscriptions, by identity, by what programs call them, and by log. Immutable; changed copies share the rest. */
record SubscriptionsImage(
        PersistentMap<UUID, SubscriptionInfo> byId,
        PersistentMap<SubscriptionKey, SubscriptionInfo> byKey,
        PersistentMap<UUID, PersistentMap<UUID, SubscriptionInfo>> byLog) {

    static final SubscriptionsImage EMPTY =
            new SubscriptionsImage(PersistentMap.empty(), PersistentMap.empty(), PersistentMap.empty());

    PersistentMap<UUID, SubscriptionInfo> ofLog(UUID logId) {
        return byLog.get(logId).orElse(PersistentMap.empty());
    }

    SubscriptionsImage created(SubscriptionInfo subscription) {
        InconsistentMetadataException.check(
                !byId.containsKey(subscription.subscriptionId()),
                "subscription id " + subscription.subscriptionId() + " twice");
        InconsistentMetadataException.check(!byKey.containsKey(subscription.key()), subscription.key() + " twice");
        InconsistentMetadataException.check(
                subscription.state() != SubscriptionState.DELETED, subscription.key() + " is created deleted");
        return with(subscription);
    }

    SubscriptionsImage changed(UUID subscriptionId, SubscriptionState state) {
        SubscriptionInfo subscription = byId.get(subscriptionId)
                .orElseThrow(() -> new InconsistentMetadataException("no subscription has the id " + subscriptionId));
        InconsistentMetadataException.check(
                subscription.state().mayBecome(state),
                "subscription " + subscriptionId + " is " + subscription.state() + " and cannot become " + state);
        return state == SubscriptionState.DELETED ? without(subscription) : with(subscription.withState(state));
    }

    SubscriptionsImage logDeleted(UUID logId) {
        SubscriptionsImage rest = this;
        for (SubscriptionInfo subscription : ofLog(logId)) {
            rest = rest.without(subscription);
        }
        return rest;
    }

    private SubscriptionsImage with(SubscriptionInfo subscription) {
        UUID logId = subscription.logId();
        return new SubscriptionsImage(
                byId.with(subscription.subscriptionId(), subscription),
                byKey.with(subscription.key(), subscription),
                byLog.with(logId, ofLog(logId).with(subscription.subscriptionId(), subscription)));
    }

    private SubscriptionsImage without(SubscriptionInfo subscription) {
        UUID logId = subscription.logId();
        PersistentMap<UUID, SubscriptionInfo> others = ofLog(logId).without(subscription.subscriptionId());
        return new SubscriptionsImage(
                byId.without(subscription.subscriptionId()),
                byKey.without(subscription.key()),
                others.isEmpty() ? byLog.without(logId) : byLog.with(logId, others));
    }
}
