package io.millrace.coordinator.claims;

import java.util.Objects;
import java.util.UUID;

/** What is claimed. */
public sealed interface ClaimKey {

    /**
     * A JMS client id: one connection at a time has it (JMS 3.1, section 6.1.2).
     *
     * @param clientId the id
     */
    record ClientId(String clientId) implements ClaimKey {
        public ClientId {
            Objects.requireNonNull(clientId, "clientId");
        }
    }

    /**
     * The right to consume from an unshared durable subscription: one consumer at a time has it (JMS 3.1, section 8.3.3).
     *
     * @param subscriptionId the subscription
     */
    record ExclusiveSubscription(UUID subscriptionId) implements ClaimKey {
        public ExclusiveSubscription {
            Objects.requireNonNull(subscriptionId, "subscriptionId");
        }
    }
}
