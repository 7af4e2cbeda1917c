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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * Metadata records as bytes: type, version of the type, fields. {@code docs/metadata-format.md} has the layout.
 *
 * <p>Version history: ConfigChanged is written as version 1 where its scope is a group, which version 0 did not have; all others are at
 * version 0. A type gets a new version when its fields change; readers keep every older one. A
 * broker that meets a type or version from the future stops, since it cannot know what it would miss.
 */
final class MetadataRecordCodec {

    private static final int BROKER_REGISTERED = 1;
    private static final int LEADERSHIPS_RENEWED = 2;
    private static final int LOG_CREATED = 3;
    private static final int PARTITION_CHANGED = 4;
    private static final int LOG_DELETED = 5;
    private static final int CONFIG_CHANGED = 6;
    private static final int SUBSCRIPTION_CREATED = 7;
    private static final int SUBSCRIPTION_CHANGED = 8;
    private static final int PRODUCER_IDS_ALLOCATED = 9;
    private static final int OPERATION_RECORDED = 10;
    private static final int COUNTERS_RESTORED = 11;
    private static final int PARTITIONS_ADDED = 12;
    private static final int SCRAM_CREDENTIAL_SET = 13;
    private static final int SCRAM_CREDENTIAL_REMOVED = 14;
    private static final int QUOTA_CHANGED = 15;
    private static final int ACL_CREATED = 16;
    private static final int ACL_DELETED = 17;
    private static final int FEATURE_CHANGED = 18;

    private static final int SCOPE_CLUSTER = 0;
    private static final int SCOPE_BROKER = 1;
    private static final int SCOPE_LOG = 2;
    private static final int SCOPE_GROUP = 3;
    private static final int SCOPE_CLIENT_METRICS = 4;

    private static final int NO_LEADER = -1;

    private MetadataRecordCodec() {}

    /**
     * Turns a record into bytes.
     *
     * @throws MetadataFormatException if a string is no Unicode text or too long, or the whole is
     */
    static byte[] encode(MetadataRecord record) {
        FieldWriter out = new FieldWriter();
        switch (record) {
            case BrokerRegistered r -> writeBroker(begin(out, BROKER_REGISTERED), r.broker());
            case LeadershipsRenewed r -> begin(out, LEADERSHIPS_RENEWED).i32(r.brokerId());
            case LogCreated r ->
                begin(out, LOG_CREATED)
                        .uuid(r.logId())
                        .string(r.name())
                        .u8(r.kind().code())
                        .u8(r.origin().code())
                        .varint(r.partitions())
                        .map(r.config());
            case PartitionChanged r -> {
                begin(out, PARTITION_CHANGED).uuid(r.logId()).varint(r.partition());
                writePartition(out, r.state());
            }
            case LogDeleted r -> begin(out, LOG_DELETED).uuid(r.logId());
            case ConfigChanged r -> {
                writeScope(out.u8(CONFIG_CHANGED).u8(versionOf(r.scope())), r.scope());
                out.string(r.key()).optionalString(r.value());
            }
            case SubscriptionCreated r -> {
                boolean cursor = r.subscription().key().cursorOf().isPresent();
                writeSubscription(out.u8(SUBSCRIPTION_CREATED).u8(cursor ? 1 : 0), r.subscription());
            }
            case SubscriptionChanged r ->
                begin(out, SUBSCRIPTION_CHANGED)
                        .uuid(r.subscriptionId())
                        .u8(r.state().code());
            case ProducerIdsAllocated r ->
                begin(out, PRODUCER_IDS_ALLOCATED)
                        .i32(r.brokerId())
                        .i64(r.firstId())
                        .i32(r.count());
            case OperationRecorded r ->
                begin(out, OPERATION_RECORDED)
                        .uuid(r.operationId())
                        .uuid(r.subject())
                        .i64(r.number());
            case CountersRestored r ->
                begin(out, COUNTERS_RESTORED).i64(r.lastBrokerEpoch()).i64(r.nextProducerId());
            case PartitionsAdded r ->
                begin(out, PARTITIONS_ADDED).uuid(r.logId()).varint(r.partitions());
            case ScramCredentialSet r ->
                AccessFields.writeCredential(begin(out, SCRAM_CREDENTIAL_SET).string(r.user()), r.credential());
            case ScramCredentialRemoved r ->
                begin(out, SCRAM_CREDENTIAL_REMOVED)
                        .string(r.user())
                        .u8(r.mechanism().code());
            case QuotaChanged r -> {
                AccessFields.writeEntity(begin(out, QUOTA_CHANGED), r.entity());
                out.string(r.key().keyName()).optionalDouble(r.value());
            }
            case AclCreated r -> AccessFields.writeAcl(begin(out, ACL_CREATED), r.entry());
            case AclDeleted r -> AccessFields.writeAcl(begin(out, ACL_DELETED), r.entry());
            case FeatureChanged r ->
                begin(out, FEATURE_CHANGED)
                        .string(r.feature())
                        .u8(r.level() >> 8)
                        .u8(r.level());
        }
        return out.toBytes();
    }

    /**
     * Reads a record.
     *
     * @throws MetadataFormatException if the bytes are not exactly one record of a known type and version
     */
    static MetadataRecord decode(byte[] bytes) {
        FieldReader in = new FieldReader(bytes);
        int type = in.u8();
        int version = in.u8();
        try {
            if (version > (type == CONFIG_CHANGED || type == SUBSCRIPTION_CREATED ? 1 : 0)) {
                throw MetadataFormatException.unreadable(
                        "version " + version + " is newer than this server; start the version that wrote it");
            }
            MetadataRecord record = readFields(type, version, in);
            in.end();
            return record;
        } catch (IllegalArgumentException | MetadataFormatException e) {
            throw MetadataFormatException.unreadable(
                    "metadata record of type " + type + ", " + bytes.length + " bytes: " + e.getMessage(), e);
        }
    }

    private static FieldWriter begin(FieldWriter out, int type) {
        return out.u8(type).u8(0);
    }

    private static MetadataRecord readFields(int type, int version, FieldReader in) {
        return switch (type) {
            case BROKER_REGISTERED -> new BrokerRegistered(readBroker(in));
            case LEADERSHIPS_RENEWED -> new LeadershipsRenewed(in.i32());
            case LOG_CREATED ->
                new LogCreated(in.uuid(), in.string(), readKind(in), readOrigin(in), in.varint(), in.map());
            case PARTITION_CHANGED -> new PartitionChanged(in.uuid(), in.varint(), readPartition(in));
            case LOG_DELETED -> new LogDeleted(in.uuid());
            case CONFIG_CHANGED -> new ConfigChanged(readScope(in, version), in.string(), in.optionalString());
            case SUBSCRIPTION_CREATED -> new SubscriptionCreated(readSubscription(version, in));
            case SUBSCRIPTION_CHANGED -> new SubscriptionChanged(in.uuid(), readState(in));
            case PRODUCER_IDS_ALLOCATED -> new ProducerIdsAllocated(in.i32(), in.i64(), in.i32());
            case OPERATION_RECORDED -> new OperationRecorded(in.uuid(), in.uuid(), in.i64());
            case COUNTERS_RESTORED -> new CountersRestored(in.i64(), in.i64());
            case PARTITIONS_ADDED -> new PartitionsAdded(in.uuid(), in.varint());
            case SCRAM_CREDENTIAL_SET -> new ScramCredentialSet(in.string(), AccessFields.readCredential(in));
            case SCRAM_CREDENTIAL_REMOVED -> new ScramCredentialRemoved(in.string(), AccessFields.readMechanism(in));
            case QUOTA_CHANGED ->
                new QuotaChanged(AccessFields.readEntity(in), AccessFields.readQuotaKey(in), in.optionalDouble());
            case ACL_CREATED -> new AclCreated(AccessFields.readAcl(in));
            case ACL_DELETED -> new AclDeleted(AccessFields.readAcl(in));
            case FEATURE_CHANGED -> new FeatureChanged(in.string(), (short) (in.u8() << 8 | in.u8()));
            default -> throw in.wrong("unknown type; start the version of the server that wrote it");
        };
    }

    private static void writeBroker(FieldWriter out, BrokerInfo broker) {
        out.i32(broker.brokerId())
                .i64(broker.brokerEpoch())
                .uuid(broker.incarnation())
                .list(
                        broker.endpoints(),
                        (o, endpoint) -> o.string(endpoint.listener())
                                .string(endpoint.host())
                                .i32(endpoint.port()));
    }

    private static BrokerInfo readBroker(FieldReader in) {
        return new BrokerInfo(
                in.i32(), in.i64(), in.uuid(), in.list(6, i -> new BrokerEndpoint(i.string(), i.string(), i.i32())));
    }

    private static void writePartition(FieldWriter out, PartitionInfo partition) {
        out.i32(partition.leader().orElse(NO_LEADER))
                .i32(partition.leaderEpoch())
                .i32(partition.partitionEpoch())
                .list(partition.replicas(), FieldWriter::i32)
                .list(partition.isr(), FieldWriter::i32);
    }

    private static PartitionInfo readPartition(FieldReader in) {
        int leader = in.i32();
        return new PartitionInfo(
                leader == NO_LEADER ? OptionalInt.empty() : OptionalInt.of(leader),
                in.i32(),
                in.i32(),
                in.list(Integer.BYTES, FieldReader::i32),
                in.list(Integer.BYTES, FieldReader::i32));
    }

    private static void writeScope(FieldWriter out, ConfigScope scope) {
        switch (scope) {
            case ConfigScope.Cluster() -> out.u8(SCOPE_CLUSTER);
            case ConfigScope.Broker(int brokerId) -> out.u8(SCOPE_BROKER).i32(brokerId);
            case ConfigScope.Log(var logId) -> out.u8(SCOPE_LOG).uuid(logId);
            case ConfigScope.Group(String groupId) -> out.u8(SCOPE_GROUP).string(groupId);
            case ConfigScope.ClientMetrics(String name) ->
                out.u8(SCOPE_CLIENT_METRICS).string(name);
        }
    }

    private static int versionOf(ConfigScope scope) {
        return scope instanceof ConfigScope.Group || scope instanceof ConfigScope.ClientMetrics ? 1 : 0;
    }

    private static ConfigScope readScope(FieldReader in, int version) {
        int scope = in.u8();
        // Each scope in one version only: what was read is written again as the same bytes.
        if (version != (scope == SCOPE_GROUP || scope == SCOPE_CLIENT_METRICS ? 1 : 0)) {
            throw in.wrong("scope of configuration " + scope + " in version " + version);
        }
        return switch (scope) {
            case SCOPE_CLUSTER -> new ConfigScope.Cluster();
            case SCOPE_BROKER -> new ConfigScope.Broker(in.i32());
            case SCOPE_LOG -> new ConfigScope.Log(in.uuid());
            case SCOPE_GROUP -> new ConfigScope.Group(in.string());
            case SCOPE_CLIENT_METRICS -> new ConfigScope.ClientMetrics(in.string());
            default -> throw in.wrong("unknown scope of configuration " + scope);
        };
    }

    private static void writeSubscription(FieldWriter out, SubscriptionInfo subscription) {
        out.uuid(subscription.subscriptionId())
                .string(subscription.key().name())
                .optionalString(subscription.key().clientId())
                .uuid(subscription.logId())
                .bool(subscription.shared())
                .optionalString(subscription.selector())
                .bool(subscription.noLocal())
                .u8(subscription.state().code());
    }

    /** Version 1 is a further cursor of the log. */
    private static SubscriptionInfo readSubscription(int version, FieldReader in) {
        UUID subscriptionId = in.uuid();
        String name = in.string();
        Optional<String> clientId = in.optionalString();
        UUID logId = in.uuid();
        SubscriptionKey key = new SubscriptionKey(version == 1 ? Optional.of(logId) : Optional.empty(), clientId, name);
        return new SubscriptionInfo(
                subscriptionId, key, logId, in.bool(), in.optionalString(), in.bool(), readState(in));
    }

    private static LogKind readKind(FieldReader in) {
        int code = in.u8();
        for (LogKind kind : LogKind.values()) {
            if (kind.code() == code) {
                return kind;
            }
        }
        throw in.wrong("unknown kind of log " + code);
    }

    private static LogOrigin readOrigin(FieldReader in) {
        int code = in.u8();
        for (LogOrigin origin : LogOrigin.values()) {
            if (origin.code() == code) {
                return origin;
            }
        }
        throw in.wrong("unknown origin of a log " + code);
    }

    private static SubscriptionState readState(FieldReader in) {
        int code = in.u8();
        for (SubscriptionState state : SubscriptionState.values()) {
            if (state.code() == code) {
                return state;
            }
        }
        throw in.wrong("unknown state of a subscription " + code);
    }
}
