package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataCommand.ActivateSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.ActivateSubscriptionResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.CreateSubscriptionResult;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteSubscriptionResult;
import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import io.millrace.coordinator.metadata.MetadataRecord.SubscriptionChanged;
import io.millrace.coordinator.metadata.MetadataRecord.SubscriptionCreated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Decides about durable subscriptions (JMS 3.1, sections 8.3.3 and 8.3.4). Pure, given its randomness: no state, no effects. */
final class SubscriptionDecisions {

    private final ControllerSettings settings;
    private final RandomGenerator random;

    SubscriptionDecisions(ControllerSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
    }

    Decision<CreateSubscriptionResult> create(CreateSubscription command, MetadataImage state) {
        Optional<LogInfo> log = state.log(command.logId());
        if (log.isEmpty()) {
            return Decision.unchanged(new CreateSubscriptionResult.LogNotFound());
        }
        if (log.get().kind() != LogKind.TOPIC && command.key().cursorOf().isEmpty()) {
            return Decision.unchanged(new CreateSubscriptionResult.NotATopic(log.get()));
        }
        Optional<SubscriptionInfo> existing = state.subscription(command.key());
        if (existing.isPresent()) {
            if (isSame(existing.get(), command)) {
                return Decision.unchanged(new CreateSubscriptionResult.AlreadyExists(existing.get()));
            }
            if (!command.replace() || existing.get().shared() != command.shared()) {
                return Decision.unchanged(new CreateSubscriptionResult.Mismatch(existing.get()));
            }
        } else if (state.subscriptionCount() >= settings.maxSubscriptions()) {
            return Decision.unchanged(new CreateSubscriptionResult.LimitReached(settings.maxSubscriptions()));
        }
        UUID subscriptionId = Ids.random(random);
        SubscriptionInfo created = new SubscriptionInfo(
                subscriptionId,
                command.key(),
                command.logId(),
                command.shared(),
                command.selector(),
                command.noLocal(),
                SubscriptionState.CREATING);
        List<MetadataRecord> records = new ArrayList<>();
        records.add(new OperationRecorded(command.operationId(), subscriptionId, 0));
        existing.ifPresent(
                old -> records.add(new SubscriptionChanged(old.subscriptionId(), SubscriptionState.DELETED)));
        records.add(new SubscriptionCreated(created));
        return Decision.change(records, new CreateSubscriptionResult.Created(created, existing));
    }

    /** The answer to a repetition no longer knows which subscription was replaced; whoever needs that compares images. */
    static CreateSubscriptionResult createAgain(OperationRecorded done, MetadataImage state) {
        return state.subscription(done.subject())
                .<CreateSubscriptionResult>map(
                        subscription -> new CreateSubscriptionResult.Created(subscription, Optional.empty()))
                .orElseGet(() -> new CreateSubscriptionResult.DeletedSince(done.subject()));
    }

    static Decision<ActivateSubscriptionResult> activate(ActivateSubscription command, MetadataImage state) {
        Optional<SubscriptionInfo> subscription = state.subscription(command.subscriptionId());
        if (subscription.isEmpty()) {
            return Decision.unchanged(new ActivateSubscriptionResult.NotFound());
        }
        if (subscription.get().state() == SubscriptionState.ACTIVE) {
            return Decision.unchanged(new ActivateSubscriptionResult.Active(subscription.get()));
        }
        return Decision.change(
                List.of(
                        new OperationRecorded(command.operationId(), command.subscriptionId(), 0),
                        new SubscriptionChanged(command.subscriptionId(), SubscriptionState.ACTIVE)),
                new ActivateSubscriptionResult.Active(subscription.get().withState(SubscriptionState.ACTIVE)));
    }

    static ActivateSubscriptionResult activateAgain(OperationRecorded done, MetadataImage state) {
        return state.subscription(done.subject())
                .<ActivateSubscriptionResult>map(ActivateSubscriptionResult.Active::new)
                .orElseGet(ActivateSubscriptionResult.NotFound::new);
    }

    static Decision<DeleteSubscriptionResult> delete(DeleteSubscription command, MetadataImage state) {
        if (state.subscription(command.subscriptionId()).isEmpty()) {
            return Decision.unchanged(new DeleteSubscriptionResult.NotFound());
        }
        return Decision.change(
                List.of(
                        new OperationRecorded(command.operationId(), command.subscriptionId(), 0),
                        new SubscriptionChanged(command.subscriptionId(), SubscriptionState.DELETED)),
                new DeleteSubscriptionResult.Deleted());
    }

    private static boolean isSame(SubscriptionInfo existing, CreateSubscription command) {
        return existing.logId().equals(command.logId())
                && existing.shared() == command.shared()
                && existing.selector().equals(command.selector())
                && existing.noLocal() == command.noLocal();
    }
}
