package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.log.ActiveProducer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeProducersRequest;
import org.apache.kafka.common.requests.DescribeProducersResponse;

/** Tells which producers wrote to a partition not too long ago, and which of them have a transaction open there (KIP-664). */
public final class DescribeProducersHandler implements KafkaHandler<DescribeProducersRequest> {

    private static final long NO_TRANSACTION = -1;

    private record Part(String topic, PartitionResponse partition) {}

    private final KafkaTopics topics;

    public DescribeProducersHandler(KafkaTopics topics) {
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_PRODUCERS;
    }

    @Override
    public void handle(DescribeProducersRequest request, KafkaExchange exchange) {
        List<CompletionStage<Part>> parts = new ArrayList<>();
        for (TopicRequest topic : request.data().topics()) {
            for (int index : topic.partitionIndexes()) {
                parts.add(describe(topic.name(), index).thenApply(found -> new Part(topic.name(), found)));
            }
        }
        Answers.whenAll(exchange, parts, (List<Part> all) -> {
            Map<String, TopicResponse> byName = new LinkedHashMap<>();
            for (Part part : all) {
                byName.computeIfAbsent(part.topic(), name -> new TopicResponse().setName(name))
                        .partitions()
                        .add(part.partition());
            }
            return new DescribeProducersResponse(
                    new DescribeProducersResponseData().setTopics(new ArrayList<>(byName.values())));
        });
    }

    private CompletionStage<PartitionResponse> describe(String topic, int index) {
        PartitionResponse response = new PartitionResponse().setPartitionIndex(index);
        return switch (topics.partition(Uuid.ZERO_UUID, topic, index)) {
            case KafkaTopics.Found.Missing missing ->
                Answers.now(response.setErrorCode(missing.error().code()).setErrorMessage(missing.why()));
            case KafkaTopics.Found.Here here -> describe(here.partition(), response);
        };
    }

    private static CompletionStage<PartitionResponse> describe(Partition partition, PartitionResponse response) {
        return CompletableFuture.supplyAsync(partition::activeProducers, partition.shard())
                .handle((producers, failure) -> {
                    if (failure != null) {
                        Errors error = KafkaErrors.of(failure);
                        return response.setErrorCode(error.code()).setErrorMessage(error.message());
                    }
                    producers.forEach(producer -> response.activeProducers().add(state(producer)));
                    return response;
                });
    }

    private static ProducerState state(ActiveProducer producer) {
        return new ProducerState()
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.epoch())
                .setLastSequence(producer.lastSequence())
                .setLastTimestamp(producer.lastTimestampMs())
                .setCoordinatorEpoch(producer.coordinatorEpoch())
                .setCurrentTxnStartOffset(producer.transactionStartOffset().orElse(NO_TRANSACTION));
    }
}
