package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.BrokerConfigs;
import io.millrace.broker.internal.kafka.admin.BrokerLoggers;
import io.millrace.broker.internal.kafka.admin.ConfigChanges;
import io.millrace.broker.internal.kafka.admin.ConfigLayers;
import io.millrace.broker.internal.kafka.admin.ConfigResources;
import io.millrace.broker.internal.kafka.admin.GroupConfigs;
import io.millrace.broker.internal.kafka.admin.TopicConfigs;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.wire.time.TimeSource;
import java.util.List;

/** The part of the table of requests that administrators use. */
final class AdminHandlers {

    private AdminHandlers() {}

    static List<KafkaHandler<?>> all(AdminServices services, TimeSource time) {
        KafkaTopics topics = services.topics();
        ConfigLayers layers =
                new ConfigLayers(services.config(), services.liveConfig(), services.brokerId(), topics::image);
        TopicConfigs topicConfigs = new TopicConfigs(layers);
        ConfigResources resources = new ConfigResources(
                topics,
                services.brokerId(),
                topicConfigs,
                new BrokerConfigs(layers),
                new GroupConfigs(layers),
                new BrokerLoggers(services.logLevels()));
        ConfigChanges changes = new ConfigChanges(resources, services.commands());
        return List.of(
                new CreateTopicsHandler(services, topicConfigs),
                new DeleteTopicsHandler(services),
                new CreatePartitionsHandler(services),
                new DescribeTopicPartitionsHandler(topics),
                new DeleteRecordsHandler(topics, topicConfigs),
                new OffsetForLeaderEpochHandler(topics),
                new DescribeProducersHandler(topics),
                new DescribeLogDirsHandler(services),
                new AlterReplicaLogDirsHandler(services),
                new ElectLeadersHandler(topics),
                new ListPartitionReassignmentsHandler(),
                new AlterPartitionReassignmentsHandler(topics),
                new DescribeConfigsHandler(resources),
                new IncrementalAlterConfigsHandler(changes),
                new AlterConfigsHandler(changes),
                new ListConfigResourcesHandler(topics),
                new DescribeAclsHandler(services),
                new CreateAclsHandler(services),
                new DeleteAclsHandler(services),
                new DescribeUserScramCredentialsHandler(topics),
                new AlterUserScramCredentialsHandler(services),
                new DescribeClientQuotasHandler(topics),
                new AlterClientQuotasHandler(services),
                new UpdateFeaturesHandler(services),
                new DescribeQuorumHandler(services, time));
    }
}
