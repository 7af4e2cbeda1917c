package io.millrace.broker.internal.kafka.security;

import static io.millrace.coordinator.access.AclOperation.DELETE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.READ;
import static io.millrace.coordinator.access.AclOperation.WRITE;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteRecordsRequest;
import org.apache.kafka.common.requests.DeleteRecordsResponse;
import org.apache.kafka.common.requests.DescribeProducersRequest;
import org.apache.kafka.common.requests.DescribeProducersResponse;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;

/** Records: who may write, read, delete them, and ask where they are. */
final class RecordRules {

    private static final short DENIED = Errors.TOPIC_AUTHORIZATION_FAILED.code();

    private final KafkaTopics topics;

    RecordRules(KafkaTopics topics) {
        this.topics = topics;
    }

    void addTo(Map<ApiKeys, AccessRule<?>> rules) {
        AccessRule<ProduceRequest> produce = this::produce;
        AccessRule<ListOffsetsRequest> listOffsets = this::listOffsets;
        AccessRule<OffsetsForLeaderEpochRequest> epochs = this::offsetForLeaderEpoch;
        AccessRule<DeleteRecordsRequest> delete = this::deleteRecords;
        AccessRule<DescribeProducersRequest> producers = this::describeProducers;
        rules.put(ApiKeys.PRODUCE, produce);
        // What a fetch may read is looked at with every read: its session outlives what was allowed when it began.
        rules.put(ApiKeys.FETCH, (request, exchange, access) -> {});
        rules.put(ApiKeys.LIST_OFFSETS, listOffsets);
        rules.put(ApiKeys.OFFSET_FOR_LEADER_EPOCH, epochs);
        rules.put(ApiKeys.DELETE_RECORDS, delete);
        rules.put(ApiKeys.DESCRIBE_PRODUCERS, producers);
    }

    private void produce(ProduceRequest request, KafkaExchange exchange, Access access) {
        String transactionalId = request.transactionalId();
        if (transactionalId != null && !access.may(WRITE, AclResourceType.TRANSACTIONAL_ID, transactionalId)) {
            throw Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.exception();
        }
        List<TopicProduceData> denied = Denied.take(
                request.data().topicData(),
                topic -> topics.nameOf(topic.topicId(), topic.name())
                        .map(name -> access.mayTopic(WRITE, name))
                        .orElse(true));
        if (denied.isEmpty()) {
            return;
        }
        if (request.acks() == 0) {
            // The only way to tell a producer that wants no answers.
            exchange.client().close("a produce request with acks=0 is not allowed");
            exchange.staySilent();
            return;
        }
        exchange.completeAnswer((ProduceResponse answer) -> {
            for (TopicProduceData topic : denied) {
                TopicProduceResponse told =
                        new TopicProduceResponse().setName(topic.name()).setTopicId(topic.topicId());
                topic.partitionData()
                        .forEach(partition -> told.partitionResponses()
                                .add(new PartitionProduceResponse()
                                        .setIndex(partition.index())
                                        .setErrorCode(DENIED)
                                        .setBaseOffset(ProduceResponse.INVALID_OFFSET)));
                answer.data().responses().add(told);
            }
        });
    }

    private void listOffsets(ListOffsetsRequest request, KafkaExchange exchange, Access access) {
        List<ListOffsetsTopic> denied =
                Denied.take(request.data().topics(), topic -> access.mayTopic(DESCRIBE, topic.name()));
        Denied.complete(denied, exchange, (ListOffsetsResponse answer) -> {
            List<ListOffsetsTopicResponse> told = new ArrayList<>(answer.topics());
            for (ListOffsetsTopic topic : denied) {
                told.add(new ListOffsetsTopicResponse()
                        .setName(topic.name())
                        .setPartitions(topic.partitions().stream()
                                .map(partition -> new ListOffsetsPartitionResponse()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setErrorCode(DENIED)
                                        .setTimestamp(ListOffsetsResponse.UNKNOWN_TIMESTAMP)
                                        .setOffset(ListOffsetsResponse.UNKNOWN_OFFSET))
                                .toList()));
            }
            answer.data().setTopics(told);
        });
    }

    private void offsetForLeaderEpoch(OffsetsForLeaderEpochRequest request, KafkaExchange exchange, Access access) {
        List<OffsetForLeaderTopic> denied =
                Denied.take(request.data().topics(), topic -> access.mayTopic(DESCRIBE, topic.topic()));
        Denied.complete(denied, exchange, (OffsetsForLeaderEpochResponse answer) -> {
            for (OffsetForLeaderTopic topic : denied) {
                OffsetForLeaderTopicResult told = new OffsetForLeaderTopicResult().setTopic(topic.topic());
                topic.partitions()
                        .forEach(partition -> told.partitions()
                                .add(new EpochEndOffset()
                                        .setPartition(partition.partition())
                                        .setErrorCode(DENIED)));
                answer.data().topics().add(told);
            }
        });
    }

    private void deleteRecords(DeleteRecordsRequest request, KafkaExchange exchange, Access access) {
        List<DeleteRecordsTopic> denied =
                Denied.take(request.data().topics(), topic -> access.mayTopic(DELETE, topic.name()));
        Denied.complete(denied, exchange, (DeleteRecordsResponse answer) -> {
            for (DeleteRecordsTopic topic : denied) {
                DeleteRecordsTopicResult told = new DeleteRecordsTopicResult().setName(topic.name());
                topic.partitions()
                        .forEach(partition -> told.partitions()
                                .add(new DeleteRecordsPartitionResult()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setLowWatermark(DeleteRecordsResponse.INVALID_LOW_WATERMARK)
                                        .setErrorCode(DENIED)));
                answer.data().topics().add(told);
            }
        });
    }

    private void describeProducers(DescribeProducersRequest request, KafkaExchange exchange, Access access) {
        List<TopicRequest> denied = Denied.take(request.data().topics(), topic -> access.mayTopic(READ, topic.name()));
        Denied.complete(denied, exchange, (DescribeProducersResponse answer) -> {
            List<DescribeProducersResponseData.TopicResponse> told =
                    new ArrayList<>(answer.data().topics());
            for (TopicRequest topic : denied) {
                told.add(new DescribeProducersResponseData.TopicResponse()
                        .setName(topic.name())
                        .setPartitions(topic.partitionIndexes().stream()
                                .map(index -> new DescribeProducersResponseData.PartitionResponse()
                                        .setPartitionIndex(index)
                                        .setErrorCode(DENIED))
                                .toList()));
            }
            answer.data().setTopics(told);
        });
    }
}
