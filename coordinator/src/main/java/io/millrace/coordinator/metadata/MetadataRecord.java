package io.millrace.coordinator.metadata;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * A change of the cluster's metadata, as it stands in the metadata log. Bytes: {@code docs/metadata-format.md}.
 *
 * <p>Records state results, never requests: whoever replays the same records in the same order has the same state, whatever version
 * decided them. The records of one command are in one batch, so they take effect together.
 */
public sealed interface MetadataRecord {

    /** Far above what anybody can want: a damaged record must not become gigabytes of partitions. */
    int MAX_PARTITIONS = 100_000;

    /**
     * A broker started and was granted an epoch. Its earlier epoch, if any, ends here.
     *
     * @param broker the broker from now on
     */
    record BrokerRegistered(BrokerInfo broker) implements MetadataRecord {}

    /**
     * The leader epoch and the partition epoch of every partition that the broker leads grow by one, since the broker restarted.
     *
     * @param brokerId who restarted
     */
    record LeadershipsRenewed(int brokerId) implements MetadataRecord {}

    /**
     * A log exists. Its partitions have neither replicas nor leader until {@link PartitionChanged} in the same batch names them.
     *
     * @param logId identity
     * @param name unique name
     * @param kind queue or topic
     * @param origin through which door
     * @param partitions how many, 1 to {@link #MAX_PARTITIONS}
     * @param config values set for this log
     */
    record LogCreated(
            UUID logId, String name, LogKind kind, LogOrigin origin, int partitions, Map<String, String> config)
            implements MetadataRecord {
        public LogCreated {
            Objects.requireNonNull(logId, "logId");
            Objects.requireNonNull(name, "name");
            if (partitions < 1 || partitions > MAX_PARTITIONS) {
                throw new IllegalArgumentException("log " + name + " with " + partitions + " partitions, which must be"
                        + " within 1 to " + MAX_PARTITIONS);
            }
            config = Map.copyOf(config);
        }
    }

    /**
     * A partition's replicas, in-sync replicas, leader or epochs changed.
     *
     * @param logId the log
     * @param partition index, 0 or more
     * @param state from now on
     */
    record PartitionChanged(UUID logId, int partition, PartitionInfo state) implements MetadataRecord {
        public PartitionChanged {
            if (partition < 0) {
                throw new IllegalArgumentException("partition " + partition + " is negative");
            }
        }

        /** The state of a partition that nobody has yet. */
        static PartitionInfo unassigned() {
            return new PartitionInfo(OptionalInt.empty(), 0, 0, List.of(), List.of());
        }
    }

    /**
     * A log has more partitions. The new ones have neither replicas nor leader until {@link PartitionChanged} in the same batch names
     * them.
     *
     * @param logId the log
     * @param partitions how many it has from now on, more than before, at most {@link #MAX_PARTITIONS}
     */
    record PartitionsAdded(UUID logId, int partitions) implements MetadataRecord {
        public PartitionsAdded {
            if (partitions < 2 || partitions > MAX_PARTITIONS) {
                throw new IllegalArgumentException("log " + logId + " grows to " + partitions
                        + " partitions, which must be within 2 to " + MAX_PARTITIONS);
            }
        }
    }

    /**
     * A log and all of its subscriptions are gone.
     *
     * @param logId the log
     */
    record LogDeleted(UUID logId) implements MetadataRecord {}

    /**
     * A configuration value was set or removed.
     *
     * @param scope what it applies to
     * @param key its key
     * @param value the new value; empty to fall back to the wider scope or the default
     */
    record ConfigChanged(ConfigScope scope, String key, Optional<String> value) implements MetadataRecord {}

    /**
     * A durable subscription exists.
     *
     * @param subscription the subscription, in the state it begins in
     */
    record SubscriptionCreated(SubscriptionInfo subscription) implements MetadataRecord {}

    /**
     * A subscription went on in its life.
     *
     * @param subscriptionId which
     * @param state its new state
     */
    record SubscriptionChanged(UUID subscriptionId, SubscriptionState state) implements MetadataRecord {}

    /**
     * A user can log in with a password by a mechanism; what he had for it before is void.
     *
     * @param user the user's name, not empty
     * @param credential what to check the password by
     */
    record ScramCredentialSet(String user, ScramCredential credential) implements MetadataRecord {
        public ScramCredentialSet {
            if (user.isEmpty()) {
                throw new IllegalArgumentException("a user without a name");
            }
        }
    }

    /**
     * A user can no longer log in by a mechanism.
     *
     * @param user the user's name
     * @param mechanism by which
     */
    record ScramCredentialRemoved(String user, ScramMechanism mechanism) implements MetadataRecord {}

    /**
     * A quota was set or removed.
     *
     * @param entity for whom
     * @param key what it limits
     * @param value the limit, finite and more than 0; empty for none
     */
    record QuotaChanged(QuotaEntity entity, QuotaKey key, OptionalDouble value) implements MetadataRecord {
        public QuotaChanged {
            if (value.isPresent() && !(value.getAsDouble() > 0 && Double.isFinite(value.getAsDouble()))) {
                throw new IllegalArgumentException("a quota of " + value.getAsDouble() + ", which must be more than 0");
            }
        }
    }

    /**
     * An access control entry exists.
     *
     * @param entry which
     */
    record AclCreated(AclEntry entry) implements MetadataRecord {}

    /**
     * An access control entry is gone.
     *
     * @param entry which
     */
    record AclDeleted(AclEntry entry) implements MetadataRecord {}

    /**
     * The level of a feature of the whole cluster changed.
     *
     * @param feature its name, not empty
     * @param level the level from now on, 0 for off
     */
    record FeatureChanged(String feature, short level) implements MetadataRecord {
        public FeatureChanged {
            if (feature.isEmpty() || level < 0) {
                throw new IllegalArgumentException("feature \"" + feature + "\" at level " + level);
            }
        }
    }

    /**
     * A broker may give out these producer ids, and nobody else ever.
     *
     * @param brokerId who got them
     * @param firstId first id of the block, 0 or more
     * @param count how many, 1 to {@link #MAX_PARTITIONS}
     */
    record ProducerIdsAllocated(int brokerId, long firstId, int count) implements MetadataRecord {
        public ProducerIdsAllocated {
            if (firstId < 0 || count < 1 || firstId > Long.MAX_VALUE - count) {
                throw new IllegalArgumentException("not a block of producer ids: " + count + " from " + firstId);
            }
        }
    }

    /**
     * A command took effect in this batch; a repetition under the same id is answered from here instead of being done again.
     *
     * @param operationId the id that the requester chose
     * @param subject id of the log or subscription that the command was about; all zero if of neither
     * @param number what the command granted: a broker epoch, a first producer id; else 0
     */
    record OperationRecorded(UUID operationId, UUID subject, long number) implements MetadataRecord {}

    /**
     * Counters that do not follow from the other records of a snapshot. Only in snapshots.
     *
     * @param lastBrokerEpoch largest broker epoch granted so far, 0 for none
     * @param nextProducerId first producer id not allocated yet
     */
    record CountersRestored(long lastBrokerEpoch, long nextProducerId) implements MetadataRecord {
        public CountersRestored {
            if (lastBrokerEpoch < 0 || nextProducerId < 0) {
                throw new IllegalArgumentException(
                        "negative counter: broker epoch " + lastBrokerEpoch + ", producer id " + nextProducerId);
            }
        }
    }
}
