package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.transaction.OffsetsParticipant;
import io.millrace.coordinator.transaction.Participant.Part;
import io.millrace.coordinator.transaction.Participants.Ending;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.log.ActiveProducer;
import io.millrace.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;

/**
 * Ends transactions in single partitions, whatever their coordinator says: an administrator's last resort for those that hang ({@code
 * kafka-transactions.sh abort}). Answered when the markers are durable.
 */
public final class WriteTxnMarkersHandler implements KafkaHandler<WriteTxnMarkersRequest> {

    private final KafkaTopics topics;
    private final OffsetsParticipant offsets;

    public WriteTxnMarkersHandler(KafkaTopics topics, OffsetsParticipant offsets) {
        this.topics = topics;
        this.offsets = offsets;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.WRITE_TXN_MARKERS;
    }

    @Override
    public void handle(WriteTxnMarkersRequest request, KafkaExchange exchange) {
        List<WritableTxnMarkerResult> results = new ArrayList<>();
        List<CompletionStage<Errors>> outcomes = new ArrayList<>();
        for (WritableTxnMarker marker : request.data().markers()) {
            WritableTxnMarkerResult result = new WritableTxnMarkerResult().setProducerId(marker.producerId());
            results.add(result);
            for (WritableTxnMarkerTopic topic : marker.topics()) {
                WritableTxnMarkerTopicResult told = new WritableTxnMarkerTopicResult().setName(topic.name());
                result.topics().add(told);
                for (int index : topic.partitionIndexes()) {
                    WritableTxnMarkerPartitionResult one =
                            new WritableTxnMarkerPartitionResult().setPartitionIndex(index);
                    told.partitions().add(one);
                    outcomes.add(end(marker, topic.name(), index).thenApply(error -> {
                        one.setErrorCode(error.code());
                        return error;
                    }));
                }
            }
        }
        Answers.whenAll(
                exchange,
                outcomes,
                (List<Errors> all) ->
                        new WriteTxnMarkersResponse(new WriteTxnMarkersResponseData().setMarkers(results)));
    }

    private CompletionStage<Errors> end(WritableTxnMarker marker, String topic, int index) {
        if (marker.producerId() < 0 || marker.producerEpoch() < 0 || marker.coordinatorEpoch() < 0) {
            return Answers.now(Errors.INVALID_REQUEST);
        }
        return switch (topics.partition(Uuid.ZERO_UUID, topic, index)) {
            case KafkaTopics.Found.Missing missing -> Answers.now(missing.error());
            case KafkaTopics.Found.Here here -> {
                ProducerIdentity identity = new ProducerIdentity(marker.producerId(), marker.producerEpoch());
                Ending ending = new Ending(identity, identity, marker.transactionResult(), marker.coordinatorEpoch());
                CompletableFuture<Errors> outcome = new CompletableFuture<>();
                Partition partition = here.partition();
                partition.shard().execute(() -> {
                    Optional<Errors> stale = stale(partition, ending);
                    if (stale.isPresent()) {
                        outcome.complete(stale.get());
                    } else if (topic.equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
                        offsets.end(index, ending)
                                .whenComplete((done, failure) ->
                                        outcome.complete(failure == null ? Errors.NONE : KafkaErrors.of(failure)));
                    } else {
                        partition.transactions().end(Part.DATA, ending, new Ignored(), new Outcome(outcome));
                    }
                });
                yield outcome;
            }
        };
    }

    /** Somebody newer has written here, as the producer or as its coordinator. On the shard. */
    private static Optional<Errors> stale(Partition partition, Ending ending) {
        for (ActiveProducer producer : partition.activeProducers()) {
            if (producer.producerId() == ending.marker().id()) {
                if (producer.epoch() > ending.marker().epoch()) {
                    return Optional.of(Errors.INVALID_PRODUCER_EPOCH);
                }
                return producer.coordinatorEpoch() > ending.coordinatorEpoch()
                        ? Optional.of(Errors.TRANSACTION_COORDINATOR_FENCED)
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** That it is written is not enough to be told; if it cannot be, it will not be durable either. */
    private record Ignored() implements Reply<Boolean> {

        @Override
        public void onDone(Boolean answer) {}

        @Override
        public void onFailed(ErrorCode code, String message) {}
    }

    private record Outcome(CompletableFuture<Errors> outcome) implements Reply<Boolean> {

        @Override
        public void onDone(Boolean answer) {
            outcome.complete(Errors.NONE);
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            outcome.complete(KafkaErrors.of(code));
        }
    }
}
