package io.millrace.coordinator.metadata;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A durable subscription. Subscriptions that end with their connection are not metadata.
 *
 * @param subscriptionId its identity; another selector makes another subscription, under the same key
 * @param key client id and name
 * @param logId the topic's log
 * @param shared whether several consumers may use it at a time
 * @param selector which messages it wants; empty for all
 * @param noLocal whether messages sent by its own client are left out
 * @param state how far its creation is
 */
public record SubscriptionInfo(
        UUID subscriptionId,
        SubscriptionKey key,
        UUID logId,
        boolean shared,
        Optional<String> selector,
        boolean noLocal,
        SubscriptionState state) {

    public SubscriptionInfo {
        Objects.requireNonNull(subscriptionId, "subscriptionId");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(logId, "logId");
        Objects.requireNonNull(selector, "selector");
        Objects.requireNonNull(state, "state");
        if (key.cursorOf().isPresent() && !key.cursorOf().get().equals(logId)) {
            throw new IllegalArgumentException(
                    "a cursor of log " + key.cursorOf().get() + " cannot be on log " + logId);
        }
    }

    SubscriptionInfo withState(SubscriptionState next) {
        return new SubscriptionInfo(subscriptionId, key, logId, shared, selector, noLocal, next);
    }
}
