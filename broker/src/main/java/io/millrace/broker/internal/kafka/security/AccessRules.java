package io.millrace.broker.internal.kafka.security;

import static io.millrace.coordinator.access.AclOperation.ALTER;
import static io.millrace.coordinator.access.AclOperation.ALTER_CONFIGS;
import static io.millrace.coordinator.access.AclOperation.CLUSTER_ACTION;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE_CONFIGS;
import static io.millrace.coordinator.access.AclOperation.READ;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclOperation;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.LeaveGroupRequest;
import org.apache.kafka.common.requests.StreamsGroupTopologyDescriptionUpdateRequest;
import org.apache.kafka.common.requests.SyncGroupRequest;

/** The table of what each kind of request needs. A kind that is not in it is refused while access control lists count. */
public final class AccessRules {

    private final Map<ApiKeys, AccessRule<?>> rules = new EnumMap<>(ApiKeys.class);

    /** Makes the table. */
    public AccessRules(KafkaTopics topics) {
        free(ApiKeys.API_VERSIONS);
        free(ApiKeys.SASL_HANDSHAKE);
        free(ApiKeys.SASL_AUTHENTICATE);
        new RecordRules(topics).addTo(rules);
        new TopicRules(topics).addTo(rules);
        new OffsetRules(topics).addTo(rules);
        new GroupRules().addTo(rules);
        new ShareRules(topics).addTo(rules);
        new TransactionRules().addTo(rules);
        new ConfigRules().addTo(rules);

        group(ApiKeys.JOIN_GROUP, (JoinGroupRequest request) -> request.data().groupId());
        group(ApiKeys.SYNC_GROUP, (SyncGroupRequest request) -> request.data().groupId());
        group(ApiKeys.HEARTBEAT, (HeartbeatRequest request) -> request.data().groupId());
        group(ApiKeys.LEAVE_GROUP, (LeaveGroupRequest request) -> request.data().groupId());
        group(
                ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
                (StreamsGroupTopologyDescriptionUpdateRequest request) ->
                        request.data().groupId());

        cluster(ApiKeys.DESCRIBE_ACLS, DESCRIBE);
        cluster(ApiKeys.CREATE_ACLS, ALTER);
        cluster(ApiKeys.DELETE_ACLS, ALTER);
        cluster(ApiKeys.DESCRIBE_LOG_DIRS, DESCRIBE);
        cluster(ApiKeys.ALTER_REPLICA_LOG_DIRS, ALTER);
        cluster(ApiKeys.ELECT_LEADERS, ALTER);
        cluster(ApiKeys.ALTER_PARTITION_REASSIGNMENTS, ALTER);
        cluster(ApiKeys.LIST_PARTITION_REASSIGNMENTS, DESCRIBE);
        cluster(ApiKeys.DESCRIBE_CLIENT_QUOTAS, DESCRIBE_CONFIGS);
        cluster(ApiKeys.ALTER_CLIENT_QUOTAS, ALTER_CONFIGS);
        cluster(ApiKeys.DESCRIBE_USER_SCRAM_CREDENTIALS, DESCRIBE);
        cluster(ApiKeys.ALTER_USER_SCRAM_CREDENTIALS, ALTER);
        cluster(ApiKeys.DESCRIBE_QUORUM, DESCRIBE);
        cluster(ApiKeys.UPDATE_FEATURES, ALTER);
        cluster(ApiKeys.UNREGISTER_BROKER, ALTER);
        cluster(ApiKeys.LIST_CONFIG_RESOURCES, DESCRIBE_CONFIGS);
        cluster(ApiKeys.INITIALIZE_SHARE_GROUP_STATE, CLUSTER_ACTION);
        cluster(ApiKeys.READ_SHARE_GROUP_STATE, CLUSTER_ACTION);
        cluster(ApiKeys.WRITE_SHARE_GROUP_STATE, CLUSTER_ACTION);
        cluster(ApiKeys.DELETE_SHARE_GROUP_STATE, CLUSTER_ACTION);
        cluster(ApiKeys.READ_SHARE_GROUP_STATE_SUMMARY, CLUSTER_ACTION);
    }

    /** Returns whether there is a rule for a kind of request. */
    public boolean knows(ApiKeys key) {
        return rules.containsKey(key);
    }

    /**
     * Applies the rule of a request.
     *
     * @throws org.apache.kafka.common.errors.ApiException if the whole request is refused
     */
    public void apply(KafkaExchange exchange, Access access) {
        AccessRule<?> rule = rules.get(exchange.header().apiKey());
        if (rule != null) {
            apply(rule, exchange, access);
        } else if (!access.mayDoEverything()) {
            throw new ClusterAuthorizationException("Only super users may send requests of this kind.");
        }
    }

    /** The key of a request decides of which class it is, for the rule as for the parser. */
    @SuppressWarnings("unchecked")
    private static <T extends AbstractRequest> void apply(AccessRule<T> rule, KafkaExchange exchange, Access access) {
        rule.apply((T) exchange.request(), exchange, access);
    }

    private void free(ApiKeys key) {
        rules.put(key, (request, exchange, access) -> {});
    }

    private void cluster(ApiKeys key, AclOperation operation) {
        rules.put(key, (request, exchange, access) -> requireCluster(access, operation));
    }

    static void requireCluster(Access access, AclOperation operation) {
        if (!access.mayCluster(operation)) {
            throw new ClusterAuthorizationException("Cluster authorization failed.");
        }
    }

    /** Members of a group need to read it. */
    private <T extends AbstractRequest> void group(ApiKeys key, Function<T, String> groupId) {
        AccessRule<T> rule = (request, exchange, access) -> requireGroup(access, READ, groupId.apply(request));
        rules.put(key, rule);
    }

    static void requireGroup(Access access, AclOperation operation, String groupId) {
        if (!access.mayGroup(operation, groupId)) {
            throw GroupAuthorizationException.forGroupId(groupId);
        }
    }
}
