package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataRecord.AclCreated;
import io.millrace.coordinator.metadata.MetadataRecord.AclDeleted;
import io.millrace.coordinator.metadata.MetadataRecord.BrokerRegistered;
import io.millrace.coordinator.metadata.MetadataRecord.ConfigChanged;
import io.millrace.coordinator.metadata.MetadataRecord.CountersRestored;
import io.millrace.coordinator.metadata.MetadataRecord.FeatureChanged;
import io.millrace.coordinator.metadata.MetadataRecord.LeadershipsRenewed;
import io.millrace.coordinator.metadata.MetadataRecord.LogCreated;
import io.millrace.coordinator.metadata.MetadataRecord.LogDeleted;
import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import io.millrace.coordinator.metadata.MetadataRecord.PartitionChanged;
import io.millrace.coordinator.metadata.MetadataRecord.PartitionsAdded;
import io.millrace.coordinator.metadata.MetadataRecord.ProducerIdsAllocated;
import io.millrace.coordinator.metadata.MetadataRecord.QuotaChanged;
import io.millrace.coordinator.metadata.MetadataRecord.ScramCredentialRemoved;
import io.millrace.coordinator.metadata.MetadataRecord.ScramCredentialSet;
import io.millrace.coordinator.metadata.MetadataRecord.SubscriptionChanged;
import io.millrace.coordinator.metadata.MetadataRecord.SubscriptionCreated;
import io.millrace.coordinator.quorum.LogPoint;

/**
 * The metadata while it is being changed: an image, and the only code that leads from one to the next.
 *
 * <p>The controller has two: what is committed, and what will be once its own proposals are. Not safe for several threads.
 */
final class MetadataState {

    private BrokersImage brokers;
    private LogsImage logs;
    private SubscriptionsImage subscriptions;
    private OperationsImage operations;
    private SettingsImage settings;
    private AccessImage access;
    private long lastBrokerEpoch;
    private long nextProducerId;

    /** Begins with what {@code image} contains. */
    MetadataState(MetadataImage image) {
        brokers = image.brokersImage();
        logs = image.logsImage();
        subscriptions = image.subscriptionsImage();
        operations = image.operationsImage();
        settings = image.settingsImage();
        access = image.accessImage();
        lastBrokerEpoch = image.lastBrokerEpoch();
        nextProducerId = image.nextProducerId();
    }

    /**
     * Applies one record.
     *
     * @throws InconsistentMetadataException if the record cannot follow on this state
     */
    void replay(MetadataRecord record) {
        switch (record) {
            case BrokerRegistered r -> {
                brokers = brokers.registered(r.broker());
                lastBrokerEpoch = Math.max(lastBrokerEpoch, r.broker().brokerEpoch());
            }
            case LeadershipsRenewed r -> logs = logs.leadershipsRenewed(r.brokerId());
            case LogCreated r -> logs = logs.created(r);
            case PartitionChanged r -> logs = logs.partitionChanged(r);
            case PartitionsAdded r -> logs = logs.partitionsAdded(r);
            case LogDeleted r -> {
                logs = logs.deleted(r.logId());
                subscriptions = subscriptions.logDeleted(r.logId());
            }
            case ConfigChanged r -> replayConfig(r);
            case SubscriptionCreated r -> {
                logs.required(r.subscription().logId());
                subscriptions = subscriptions.created(r.subscription());
            }
            case SubscriptionChanged r -> subscriptions = subscriptions.changed(r.subscriptionId(), r.state());
            case ProducerIdsAllocated r -> {
                InconsistentMetadataException.check(
                        r.firstId() >= nextProducerId,
                        "producer ids from " + r.firstId() + " are allocated, those below " + nextProducerId
                                + " were before");
                nextProducerId = r.firstId() + r.count();
            }
            case ScramCredentialSet r -> access = access.credentialSet(r.user(), r.credential());
            case ScramCredentialRemoved r -> access = access.credentialRemoved(r.user(), r.mechanism());
            case QuotaChanged r -> access = access.quotaChanged(r.entity(), r.key(), r.value());
            case AclCreated r -> access = access.withAcls(access.acls().created(r.entry()));
            case AclDeleted r -> access = access.withAcls(access.acls().deleted(r.entry()));
            case FeatureChanged r -> settings = settings.featureChanged(r.feature(), r.level());
            case OperationRecorded r -> operations = operations.recorded(r);
            case CountersRestored r -> {
                lastBrokerEpoch = Math.max(lastBrokerEpoch, r.lastBrokerEpoch());
                nextProducerId = Math.max(nextProducerId, r.nextProducerId());
            }
        }
    }

    /**
     * Returns the present state as an image.
     *
     * @param end what has been replayed
     */
    MetadataImage image(LogPoint end) {
        return new MetadataImage(
                end, brokers, logs, subscriptions, operations, settings, access, lastBrokerEpoch, nextProducerId);
    }

    private void replayConfig(ConfigChanged record) {
        switch (record.scope()) {
            case ConfigScope.Cluster() -> settings = settings.clusterConfigured(record.key(), record.value());
            case ConfigScope.Broker(int brokerId) ->
                brokers = brokers.configured(brokerId, record.key(), record.value());
            case ConfigScope.Log(var logId) -> logs = logs.configured(logId, record.key(), record.value());
            case ConfigScope.Group(String groupId) ->
                settings = settings.groupConfigured(groupId, record.key(), record.value());
            case ConfigScope.ClientMetrics(String name) ->
                settings = settings.clientMetricsConfigured(name, record.key(), record.value());
        }
    }
}
