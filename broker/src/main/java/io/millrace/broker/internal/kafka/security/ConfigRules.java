package io.millrace.broker.internal.kafka.security;

import static io.millrace.coordinator.access.AclOperation.ALTER_CONFIGS;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE_CONFIGS;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.DescribeConfigsRequest;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;

/** Settings of topics, groups and brokers: who may see and alter them. */
final class ConfigRules {

    void addTo(Map<ApiKeys, AccessRule<?>> rules) {
        AccessRule<DescribeConfigsRequest> describe = ConfigRules::describe;
        AccessRule<AlterConfigsRequest> alter = ConfigRules::alter;
        AccessRule<IncrementalAlterConfigsRequest> incremental = ConfigRules::alterIncrementally;
        rules.put(ApiKeys.DESCRIBE_CONFIGS, describe);
        rules.put(ApiKeys.ALTER_CONFIGS, alter);
        rules.put(ApiKeys.INCREMENTAL_ALTER_CONFIGS, incremental);
    }

    private static boolean may(Access access, AclOperation operation, byte type, String name) {
        return switch (ConfigResource.Type.forId(type)) {
            case TOPIC -> access.mayTopic(operation, name);
            case GROUP -> access.mayGroup(operation, name);
            case BROKER, BROKER_LOGGER, CLIENT_METRICS -> access.mayCluster(operation);
            // Nothing of this kind exists, which the handler says.
            case UNKNOWN -> true;
        };
    }

    private static Errors error(byte type) {
        return switch (ConfigResource.Type.forId(type)) {
            case TOPIC -> Errors.TOPIC_AUTHORIZATION_FAILED;
            case GROUP -> Errors.GROUP_AUTHORIZATION_FAILED;
            case BROKER, BROKER_LOGGER, CLIENT_METRICS, UNKNOWN -> Errors.CLUSTER_AUTHORIZATION_FAILED;
        };
    }

    private static void describe(DescribeConfigsRequest request, KafkaExchange exchange, Access access) {
        List<DescribeConfigsResource> denied = Denied.take(
                request.data().resources(),
                resource -> may(access, DESCRIBE_CONFIGS, resource.resourceType(), resource.resourceName()));
        Denied.complete(denied, exchange, (DescribeConfigsResponse answer) -> {
            List<DescribeConfigsResult> told = new ArrayList<>(answer.data().results());
            for (DescribeConfigsResource resource : denied) {
                Errors error = error(resource.resourceType());
                told.add(new DescribeConfigsResult()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName())
                        .setErrorCode(error.code())
                        .setErrorMessage(error.message()));
            }
            answer.data().setResults(told);
        });
    }

    private static void alter(AlterConfigsRequest request, KafkaExchange exchange, Access access) {
        List<AlterConfigsRequestData.AlterConfigsResource> denied = Denied.take(
                request.data().resources(),
                resource -> may(access, ALTER_CONFIGS, resource.resourceType(), resource.resourceName()));
        Denied.complete(denied, exchange, (AlterConfigsResponse answer) -> {
            List<AlterConfigsResponseData.AlterConfigsResourceResponse> told =
                    new ArrayList<>(answer.data().responses());
            for (AlterConfigsRequestData.AlterConfigsResource resource : denied) {
                Errors error = error(resource.resourceType());
                told.add(new AlterConfigsResponseData.AlterConfigsResourceResponse()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName())
                        .setErrorCode(error.code())
                        .setErrorMessage(error.message()));
            }
            answer.data().setResponses(told);
        });
    }

    private static void alterIncrementally(
            IncrementalAlterConfigsRequest request, KafkaExchange exchange, Access access) {
        List<IncrementalAlterConfigsRequestData.AlterConfigsResource> denied = Denied.take(
                request.data().resources(),
                resource -> may(access, ALTER_CONFIGS, resource.resourceType(), resource.resourceName()));
        Denied.complete(denied, exchange, (IncrementalAlterConfigsResponse answer) -> {
            List<IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse> told =
                    new ArrayList<>(answer.data().responses());
            for (IncrementalAlterConfigsRequestData.AlterConfigsResource resource : denied) {
                Errors error = error(resource.resourceType());
                told.add(new IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName())
                        .setErrorCode(error.code())
                        .setErrorMessage(error.message()));
            }
            answer.data().setResponses(told);
        });
    }
}
