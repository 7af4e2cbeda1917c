package io.millrace.broker.internal.session;

import io.millrace.coordinator.selector.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The selectors of subscriptions that somebody consumes, understood once for all their consumers. On the control shard. */
public final class SubscriptionSelectors implements SubscriptionMembers.EmptyListener {

    private final SubscriptionMembers members;
    private final Map<UUID, Selector> selectors = new HashMap<>();

    /** Creates an empty registry. */
    public SubscriptionSelectors(SubscriptionMembers members) {
        this.members = members;
    }

    /** A consumer has joined a subscription, which has this selector, or none. */
    public void onJoined(UUID subscription, Optional<Selector> selector) {
        if (members.isUsed(subscription)) {
            selector.ifPresent(known -> selectors.put(subscription, known));
        }
    }

    /** Returns the selector of a subscription. */
    public Optional<Selector> of(UUID subscription) {
        return Optional.ofNullable(selectors.get(subscription));
    }

    @Override
    public void onEmpty(UUID subscription) {
        selectors.remove(subscription);
    }
}
