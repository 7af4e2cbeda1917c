package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.BrokerInfo;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.DescribeClusterResponse;

/** Says which brokers there are (KIP-700). */
public final class DescribeClusterHandler implements KafkaHandler<DescribeClusterRequest> {

    private final KafkaTopics topics;
    private final String clusterId;
    private final int brokerId;

    public DescribeClusterHandler(KafkaTopics topics, String clusterId, int brokerId) {
        this.topics = topics;
        this.clusterId = clusterId;
        this.brokerId = brokerId;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_CLUSTER;
    }

    @Override
    public void handle(DescribeClusterRequest request, KafkaExchange exchange) {
        DescribeClusterResponseData data =
                new DescribeClusterResponseData().setClusterId(clusterId).setControllerId(brokerId);
        for (BrokerInfo broker : topics.image().brokers()) {
            KafkaTopics.endpoint(broker, exchange.client().listener())
                    .ifPresent(endpoint -> data.brokers()
                            .add(new DescribeClusterBroker()
                                    .setBrokerId(broker.brokerId())
                                    .setHost(endpoint.host())
                                    .setPort(endpoint.port())));
        }
        exchange.answer(new DescribeClusterResponse(data));
    }
}
