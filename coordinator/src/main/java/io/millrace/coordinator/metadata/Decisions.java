package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataCommand.ActivateSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIds;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfig;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfigResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLog;
import io.millrace.coordinator.metadata.MetadataCommand.CreateSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLog;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLogResult;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteSubscriptionResult;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBroker;
import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Command in, decision out: which code decides what. Pure, given its randomness. */
final class Decisions {

    private final LogDecisions logs;
    private final SubscriptionDecisions subscriptions;

    Decisions(ControllerSettings settings, RandomGenerator random) {
        logs = new LogDecisions(settings, random);
        subscriptions = new SubscriptionDecisions(settings, random);
    }

    /**
     * Decides a command, or answers it as before if it took effect before.
     *
     * @param command what to do
     * @param state everything decided before, committed or not
     */
    @SuppressWarnings("unchecked") // each command's record declares the same R that its decision has
    <R> Decision<R> decide(MetadataCommand<R> command, MetadataImage state) {
        Optional<OperationRecorded> done = state.operationsImage().find(command.operationId());
        return done.isPresent()
                ? (Decision<R>) Decision.unchanged(again(command, done.get(), state))
                : (Decision<R>) first(command, state);
    }

    private Decision<?> first(MetadataCommand<?> command, MetadataImage state) {
        return switch (command) {
            case RegisterBroker c -> BrokerDecisions.register(c, state);
            case CreateLog c -> logs.create(c, state);
            case DeleteLog c -> LogDecisions.delete(c, state);
            case AlterConfig c -> logs.alter(c, state);
            case CreateSubscription c -> subscriptions.create(c, state);
            case ActivateSubscription c -> SubscriptionDecisions.activate(c, state);
            case DeleteSubscription c -> SubscriptionDecisions.delete(c, state);
            case AllocateProducerIds c -> BrokerDecisions.allocate(c, state);
        };
    }

    private static Object again(MetadataCommand<?> command, OperationRecorded done, MetadataImage state) {
        return switch (command) {
            case RegisterBroker c -> BrokerDecisions.registerAgain(done);
            case CreateLog c -> LogDecisions.createAgain(done, state);
            case DeleteLog c -> new DeleteLogResult.Deleted();
            case AlterConfig c -> new AlterConfigResult.Altered();
            case CreateSubscription c -> SubscriptionDecisions.createAgain(done, state);
            case ActivateSubscription c -> SubscriptionDecisions.activateAgain(done, state);
            case DeleteSubscription c -> new DeleteSubscriptionResult.Deleted();
            case AllocateProducerIds c -> BrokerDecisions.allocateAgain(done);
        };
    }
}
