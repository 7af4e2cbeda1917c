package io.millrace.coordinator.metadata;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A wish to change the metadata.
 *
 * <p>Each carries an operation id that its requester made up. Repeated under the same id, a command that took effect is answered as the
 * first time and not done again, as long as the controller remembers it: the last 4,096 of the cluster, over changes of the controller.
 *
 * @param <R> the answer: sealed, one variant per expected outcome
 */
public sealed interface MetadataCommand<R>
        permits AccessCommand,
                MetadataCommand.RegisterBroker,
                MetadataCommand.CreateLog,
                MetadataCommand.AddPartitions,
                MetadataCommand.DeleteLog,
                MetadataCommand.AlterConfig,
                MetadataCommand.EditConfig,
                MetadataCommand.AlterFeatures,
                MetadataCommand.CreateSubscription,
                MetadataCommand.ActivateSubscription,
                MetadataCommand.DeleteSubscription,
                MetadataCommand.AllocateProducerIds,
                MetadataCommand.DryRun {

    /** Returns the id that is the same over all repetitions of this command, and only over these. */
    UUID operationId();

    /**
     * A broker starts. Its partitions begin a new leader epoch, and the epoch that it had before is void.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param brokerId id from its configuration
     * @param incarnation identity of its first data directory
     * @param endpoints where it can be reached
     */
    record RegisterBroker(UUID operationId, int brokerId, UUID incarnation, List<BrokerEndpoint> endpoints)
            implements MetadataCommand<RegisterBrokerResult> {
        public RegisterBroker {
            Objects.requireNonNull(operationId, "operationId");
            Objects.requireNonNull(incarnation, "incarnation");
            endpoints = List.copyOf(endpoints);
        }
    }

    /**
     * Creates a queue's or topic's log. If one of the same name and kind exists, that one is the answer, whatever its partitions and
     * configuration.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param name the log's name, in the alphabet of logs
     * @param kind queue or topic
     * @param origin through which door
     * @param partitions how many; empty for the default
     * @param config values for this log
     */
    record CreateLog(
            UUID operationId,
            String name,
            LogKind kind,
            LogOrigin origin,
            Optional<Integer> partitions,
            Map<String, String> config)
            implements MetadataCommand<CreateLogResult> {
        public CreateLog {
            Objects.requireNonNull(operationId, "operationId");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(origin, "origin");
            Objects.requireNonNull(partitions, "partitions");
            config = Map.copyOf(config);
        }
    }

    /**
     * Gives a log more partitions. Records stay where they are, and those of a key may go on in another partition.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param logId which
     * @param partitions how many it shall have, more than now
     */
    record AddPartitions(UUID operationId, UUID logId, int partitions) implements MetadataCommand<AddPartitionsResult> {
        public AddPartitions {
            Objects.requireNonNull(operationId, "operationId");
            Objects.requireNonNull(logId, "logId");
        }
    }

    /**
     * Deletes a log with everything in it, and its durable subscriptions.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param logId which; by identity, so that a log created anew under the name meanwhile is not hit
     */
    record DeleteLog(UUID operationId, UUID logId) implements MetadataCommand<DeleteLogResult> {
        public DeleteLog {
            Objects.requireNonNull(operationId, "operationId");
            Objects.requireNonNull(logId, "logId");
        }
    }

    /**
     * Sets and removes configuration values, all or none.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param scope what they apply to
     * @param changes new value by key; empty to remove
     */
    record AlterConfig(UUID operationId, ConfigScope scope, Map<String, Optional<String>> changes)
            implements MetadataCommand<AlterConfigResult> {
        public AlterConfig {
            Objects.requireNonNull(operationId, "operationId");
            Objects.requireNonNull(scope, "scope");
            changes = Map.copyOf(changes);
        }
    }

    /**
     * Changes configuration values by what they are then, all or none.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param scope what they apply to
     * @param edits what to do with each key
     */
    record EditConfig(UUID operationId, ConfigScope scope, Map<String, ConfigEdit> edits)
            implements MetadataCommand<AlterConfigResult> {
        public EditConfig {
            Objects.requireNonNull(operationId, "operationId");
            Objects.requireNonNull(scope, "scope");
            edits = Map.copyOf(edits);
        }
    }

    /**
     * Sets levels of features for the whole cluster. Which features and levels there are, the caller has to know.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param levels new level by name, 0 for off
     */
    record AlterFeatures(UUID operationId, Map<String, Short> levels) implements MetadataCommand<AlterFeaturesResult> {
        public AlterFeatures {
            Objects.requireNonNull(operationId, "operationId");
            levels = Map.copyOf(levels);
        }
    }

    /**
     * Answers a command as if it were carried out, and changes nothing. What the answer names, such as a new log's id, is made up.
     *
     * @param command what would be done
     * @param <R> its kind of answer
     */
    record DryRun<R>(MetadataCommand<R> command) implements MetadataCommand<R> {
        public DryRun {
            if (command instanceof DryRun) {
                throw new IllegalArgumentException("a dry run of a dry run");
            }
        }

        @Override
        public UUID operationId() {
            return command.operationId();
        }
    }

    /**
     * Creates a durable subscription, in state {@link SubscriptionState#CREATING}, or finds the one that exists.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param key client id and name
     * @param logId the topic's log
     * @param shared whether several consumers may use it at a time
     * @param selector which messages it wants; empty for all
     * @param noLocal whether messages sent by its own client are left out
     * @param replace if one with this key exists and differs in log, selector or noLocal: delete it and create a new one, as JMS asks
     *     for when it has no consumer. Whether it has one, the caller has to know
     */
    record CreateSubscription(
            UUID operationId,
            SubscriptionKey key,
            UUID logId,
            boolean shared,
            Optional<String> selector,
            boolean noLocal,
            boolean replace)
            implements MetadataCommand<CreateSubscriptionResult> {
        public CreateSubscription {
            Objects.requireNonNull(operationId, "operationId");
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(logId, "logId");
            Objects.requireNonNull(selector, "selector");
        }
    }

    /**
     * Every partition of the log has a cursor for the subscription: it may be consumed.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param subscriptionId which
     */
    record ActivateSubscription(UUID operationId, UUID subscriptionId)
            implements MetadataCommand<ActivateSubscriptionResult> {
        public ActivateSubscription {
            Objects.requireNonNull(operationId, "operationId");
            Objects.requireNonNull(subscriptionId, "subscriptionId");
        }
    }

    /**
     * Deletes a durable subscription.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param subscriptionId which; by identity, so that a subscription created anew under the key meanwhile is not hit
     */
    record DeleteSubscription(UUID operationId, UUID subscriptionId)
            implements MetadataCommand<DeleteSubscriptionResult> {
        public DeleteSubscription {
            Objects.requireNonNull(operationId, "operationId");
            Objects.requireNonNull(subscriptionId, "subscriptionId");
        }
    }

    /**
     * Takes a block of producer ids for a broker to give out.
     *
     * @param operationId see {@link MetadataCommand#operationId()}
     * @param brokerId who asks
     * @param brokerEpoch the epoch granted at its last start
     */
    record AllocateProducerIds(UUID operationId, int brokerId, long brokerEpoch)
            implements MetadataCommand<AllocateProducerIdsResult> {
        public AllocateProducerIds {
            Objects.requireNonNull(operationId, "operationId");
        }
    }

    /** Answer to {@link RegisterBroker}. */
    sealed interface RegisterBrokerResult {
        /**
         * The broker may serve.
         *
         * @param brokerEpoch larger than every one granted before
         */
        record Registered(long brokerEpoch) implements RegisterBrokerResult {}

        /**
         * A broker of this id exists with another data directory, and has copies of partitions: either two brokers were given the same
         * id, or the directory was lost or replaced.
         *
         * @param known the directory that the cluster knows
         */
        record OtherIncarnation(UUID known) implements RegisterBrokerResult {}
    }

    /** Answer to {@link CreateLog}. */
    sealed interface CreateLogResult {
        /**
         * The log exists now.
         *
         * @param log as created
         */
        record Created(LogInfo log) implements CreateLogResult {}

        /**
         * It existed before.
         *
         * @param log as it is
         */
        record AlreadyExists(LogInfo log) implements CreateLogResult {}

        /**
         * A log of the other kind has the name.
         *
         * @param existing that log
         */
        record NameTaken(LogInfo existing) implements CreateLogResult {}

        /**
         * The name, the number of partitions or a configuration value is not possible.
         *
         * @param problem what is wrong and what would be right
         */
        record Invalid(String problem) implements CreateLogResult {}

        /**
         * The cluster has as many logs as it may.
         *
         * @param maxLogs the limit
         */
        record LimitReached(int maxLogs) implements CreateLogResult {}

        /** No broker is registered yet that could have the partitions. */
        record NoBroker() implements CreateLogResult {}

        /**
         * This command created a log earlier, which was deleted since.
         *
         * @param logId the log that was
         */
        record DeletedSince(UUID logId) implements CreateLogResult {}
    }

    /** Answer to {@link AddPartitions}. */
    sealed interface AddPartitionsResult {
        /**
         * The log has them.
         *
         * @param log as it is then
         */
        record Added(LogInfo log) implements AddPartitionsResult {}

        /** There is no such log (any more). */
        record NotFound() implements AddPartitionsResult {}

        /**
         * So many are not possible.
         *
         * @param problem what is wrong and what would be right
         */
        record Invalid(String problem) implements AddPartitionsResult {}
    }

    /** Answer to {@link AlterFeatures}. */
    sealed interface AlterFeaturesResult {
        /** The levels hold. */
        record Altered() implements AlterFeaturesResult {}
    }

    /** Answer to {@link DeleteLog}. */
    sealed interface DeleteLogResult {
        /** The log is gone. */
        record Deleted() implements DeleteLogResult {}

        /** There is no such log (any more). */
        record NotFound() implements DeleteLogResult {}
    }

    /** Answer to {@link AlterConfig} and {@link EditConfig}. */
    sealed interface AlterConfigResult {
        /** All changes hold. */
        record Altered() implements AlterConfigResult {}

        /** There is no such log or broker. */
        record NotFound() implements AlterConfigResult {}

        /**
         * None was made, since one is not possible.
         *
         * @param key whose value
         * @param problem what is wrong and what would be right
         */
        record Invalid(String key, String problem) implements AlterConfigResult {}

        /**
         * As many groups as possible have settings of their own.
         *
         * @param maxGroups the limit
         */
        record LimitReached(int maxGroups) implements AlterConfigResult {}
    }

    /** Answer to {@link CreateSubscription}. */
    sealed interface CreateSubscriptionResult {
        /**
         * A new subscription: its cursors are to be created, then it is to be activated.
         *
         * @param subscription as created
         * @param replaced the one that had its key before
         */
        record Created(SubscriptionInfo subscription, Optional<SubscriptionInfo> replaced)
                implements CreateSubscriptionResult {}

        /**
         * The same subscription existed before. It may still be creating.
         *
         * @param subscription as it is
         */
        record AlreadyExists(SubscriptionInfo subscription) implements CreateSubscriptionResult {}

        /**
         * Another subscription has the key, and was not to be replaced, or cannot be, being shared where this one is not or the
         * reverse.
         *
         * @param existing that one
         */
        record Mismatch(SubscriptionInfo existing) implements CreateSubscriptionResult {}

        /** There is no such log. */
        record LogNotFound() implements CreateSubscriptionResult {}

        /**
         * Queues have no subscriptions.
         *
         * @param log the queue
         */
        record NotATopic(LogInfo log) implements CreateSubscriptionResult {}

        /**
         * The cluster has as many subscriptions as it may.
         *
         * @param maxSubscriptions the limit
         */
        record LimitReached(int maxSubscriptions) implements CreateSubscriptionResult {}

        /**
         * This command created a subscription earlier, which was deleted since.
         *
         * @param subscriptionId the subscription that was
         */
        record DeletedSince(UUID subscriptionId) implements CreateSubscriptionResult {}
    }

    /** Answer to {@link ActivateSubscription}. */
    sealed interface ActivateSubscriptionResult {
        /**
         * It is active, by this command or before.
         *
         * @param subscription as it is
         */
        record Active(SubscriptionInfo subscription) implements ActivateSubscriptionResult {}

        /** There is no such subscription (any more). */
        record NotFound() implements ActivateSubscriptionResult {}
    }

    /** Answer to {@link DeleteSubscription}. */
    sealed interface DeleteSubscriptionResult {
        /** It is gone. */
        record Deleted() implements DeleteSubscriptionResult {}

        /** There is no such subscription (any more). */
        record NotFound() implements DeleteSubscriptionResult {}
    }

    /** Answer to {@link AllocateProducerIds}. */
    sealed interface AllocateProducerIdsResult {
        /**
         * The broker may give out {@code firstId} to {@code firstId + count - 1}, each once, in this process only.
         *
         * @param firstId first id of the block
         * @param count how many
         */
        record Allocated(long firstId, int count) implements AllocateProducerIdsResult {}

        /**
         * The broker is not registered, or was again since it was granted this epoch.
         *
         * @param current the epoch that counts, 0 for none
         */
        record StaleBrokerEpoch(long current) implements AllocateProducerIdsResult {}
    }
}
