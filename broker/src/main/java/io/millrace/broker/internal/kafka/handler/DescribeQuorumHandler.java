package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.topic.TopicIds;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.wire.time.TimeSource;
import java.util.List;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.message.DescribeQuorumResponseData.Listener;
import org.apache.kafka.common.message.DescribeQuorumResponseData.Node;
import org.apache.kafka.common.message.DescribeQuorumResponseData.PartitionData;
import org.apache.kafka.common.message.DescribeQuorumResponseData.ReplicaState;
import org.apache.kafka.common.message.DescribeQuorumResponseData.TopicData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeQuorumRequest;
import org.apache.kafka.common.requests.DescribeQuorumResponse;

/** Tells who keeps the metadata log (KIP-595): a broker that is alone is the only voter, and leads. */
public final class DescribeQuorumHandler implements KafkaHandler<DescribeQuorumRequest> {

    private final AdminServices services;
    private final TimeSource time;

    public DescribeQuorumHandler(AdminServices services, TimeSource time) {
        this.services = services;
        this.time = time;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_QUORUM;
    }

    @Override
    public void handle(DescribeQuorumRequest request, KafkaExchange exchange) {
        List<DescribeQuorumRequestData.TopicData> topics = request.data().topics();
        boolean ofMetadata = topics.size() == 1
                && topics.getFirst().topicName().equals(Topic.CLUSTER_METADATA_TOPIC_NAME)
                && topics.getFirst().partitions().size() == 1
                && topics.getFirst().partitions().getFirst().partitionIndex() == 0;
        exchange.answer(
                ofMetadata
                        ? new DescribeQuorumResponse(describe(exchange.version()))
                        : new DescribeQuorumResponse(DescribeQuorumRequest.getPartitionLevelErrorResponse(
                                request.data(), Errors.UNKNOWN_TOPIC_OR_PARTITION)));
    }

    private DescribeQuorumResponseData describe(short version) {
        MetadataImage image = services.topics().image();
        long nowMs = time.wallClockMs();
        ReplicaState self = new ReplicaState()
                .setReplicaId(services.brokerId())
                .setLogEndOffset(image.end().endOffset());
        if (version >= 1) {
            self.setLastFetchTimestamp(nowMs).setLastCaughtUpTimestamp(nowMs);
        }
        DescribeQuorumResponseData data = new DescribeQuorumResponseData();
        if (version >= 2) {
            self.setReplicaDirectoryId(TopicIds.toKafka(services.storage().incarnation()));
            Node node = new Node().setNodeId(services.brokerId());
            image.broker(services.brokerId())
                    .ifPresent(broker -> broker.endpoints()
                            .forEach(endpoint -> node.listeners()
                                    .add(new Listener()
                                            .setName(endpoint.listener())
                                            .setHost(endpoint.host())
                                            .setPort(endpoint.port()))));
            data.nodes().add(node);
        }
        data.topics()
                .add(new TopicData()
                        .setTopicName(Topic.CLUSTER_METADATA_TOPIC_NAME)
                        .setPartitions(List.of(new PartitionData()
                                .setPartitionIndex(0)
                                .setLeaderId(services.brokerId())
                                .setLeaderEpoch(image.end().epoch())
                                .setHighWatermark(image.end().endOffset())
                                .setCurrentVoters(List.of(self)))));
        return data;
    }
}
