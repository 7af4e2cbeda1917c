package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataCommand.ActivateSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.AddPartitions;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIds;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfig;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfigResult;
import io.millrace.coordinator.metadata.MetadataCommand.AlterFeatures;
import io.millrace.coordinator.metadata.MetadataCommand.AlterFeaturesResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLog;
import io.millrace.coordinator.metadata.MetadataCommand.CreateSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLog;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLogResult;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteSubscriptionResult;
import io.millrace.coordinator.metadata.MetadataCommand.DryRun;
import io.millrace.coordinator.metadata.MetadataCommand.EditConfig;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBroker;
import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Command in, decision out: which code decides what. Pure, given its randomness. */
final class Decisions {

    private final LogDecisions logs;
    private final ConfigDecisions configs;
    private final AccessDecisions access = new AccessDecisions(AccessLimits.DEFAULT);
    private final SubscriptionDecisions subscriptions;

    Decisions(ControllerSettings settings, RandomGenerator random) {
        logs = new LogDecisions(settings, random);
        configs = new ConfigDecisions(settings.configs(), AccessLimits.DEFAULT);
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
        if (command instanceof DryRun<R>(MetadataCommand<R> wish)) {
            return Decision.unchanged(supposed((Decision<R>) first(wish, state), state));
        }
        Optional<OperationRecorded> done = state.operationsImage().find(command.operationId());
        return done.isPresent()
                ? (Decision<R>) Decision.unchanged(again(command, done.get(), state))
                : (Decision<R>) first(command, state);
    }

    private static <R> R supposed(Decision<R> decision, MetadataImage state) {
        MetadataState after = new MetadataState(state);
        decision.records().forEach(after::replay);
        return decision.answer().apply(after.image(state.end()));
    }

    private Decision<?> first(MetadataCommand<?> command, MetadataImage state) {
        return switch (command) {
            case RegisterBroker c -> BrokerDecisions.register(c, state);
            case CreateLog c -> logs.create(c, state);
            case AddPartitions c -> logs.addPartitions(c, state);
            case DeleteLog c -> LogDecisions.delete(c, state);
            case AlterConfig c -> configs.alter(c, state);
            case EditConfig c -> configs.edit(c, state);
            case AlterFeatures c -> ConfigDecisions.alterFeatures(c, state);
            case AccessCommand<?> c -> access.decide(c, state);
            case DryRun<?> c -> first(c.command(), state);
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
            case AddPartitions c -> LogDecisions.addPartitionsAgain(c, state);
            case DeleteLog c -> new DeleteLogResult.Deleted();
            case AlterConfig c -> new AlterConfigResult.Altered();
            case EditConfig c -> new AlterConfigResult.Altered();
            case AlterFeatures c -> new AlterFeaturesResult.Altered();
            case AccessCommand<?> c -> AccessDecisions.again(c);
            case DryRun<?> c -> again(c.command(), done, state);
            case CreateSubscription c -> SubscriptionDecisions.createAgain(done, state);
            case ActivateSubscription c -> SubscriptionDecisions.activateAgain(done, state);
            case DeleteSubscription c -> new DeleteSubscriptionResult.Deleted();
            case AllocateProducerIds c -> BrokerDecisions.allocateAgain(done);
        };
    }
}
