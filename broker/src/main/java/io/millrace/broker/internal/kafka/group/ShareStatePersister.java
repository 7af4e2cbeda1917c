package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.internal.kafka.group.ShareState.SharePartition;
import io.millrace.broker.internal.kafka.topic.TopicIds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.DeleteShareGroupStateResponseData;
import org.apache.kafka.common.message.InitializeShareGroupStateResponseData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.share.persister.DeleteShareGroupStateParameters;
import org.apache.kafka.server.share.persister.DeleteShareGroupStateResult;
import org.apache.kafka.server.share.persister.InitializeShareGroupStateParameters;
import org.apache.kafka.server.share.persister.InitializeShareGroupStateResult;
import org.apache.kafka.server.share.persister.PartitionIdData;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.share.persister.ReadShareGroupStateParameters;
import org.apache.kafka.server.share.persister.ReadShareGroupStateResult;
import org.apache.kafka.server.share.persister.ReadShareGroupStateSummaryParameters;
import org.apache.kafka.server.share.persister.ReadShareGroupStateSummaryResult;
import org.apache.kafka.server.share.persister.TopicData;
import org.apache.kafka.server.share.persister.WriteShareGroupStateParameters;
import org.apache.kafka.server.share.persister.WriteShareGroupStateResult;
import org.jspecify.annotations.Nullable;

/**
 * Has the coordinator find the state of share groups behind {@link ShareState}. Reading and writing the state of single records is what
 * Kafka's own consumption of share groups would do; ours keeps that in cursors, so nobody asks.
 */
final class ShareStatePersister implements Persister {

    private final ShareState state;

    ShareStatePersister(ShareState state) {
        this.state = state;
    }

    @Override
    public CompletableFuture<InitializeShareGroupStateResult> initializeState(
            InitializeShareGroupStateParameters parameters) {
        var wanted = parameters.groupTopicPartitionData();
        return eachTopic(
                        wanted.topicsData(),
                        topic -> eachPartition(
                                        topic,
                                        partition -> state.initialize(
                                                        of(wanted.groupId(), topic, partition), partition.startOffset())
                                                .handle((done, failure) -> {
                                                    Errors error = error(failure);
                                                    return new InitializeShareGroupStateResponseData.PartitionResult()
                                                            .setPartition(partition.partition())
                                                            .setErrorCode(error.code())
                                                            .setErrorMessage(error.message());
                                                }))
                                .thenApply(results -> new InitializeShareGroupStateResponseData.InitializeStateResult()
                                        .setTopicId(topic.topicId())
                                        .setPartitions(results)))
                .thenApply(results -> InitializeShareGroupStateResult.from(
                        new InitializeShareGroupStateResponseData().setResults(results)));
    }

    @Override
    public CompletableFuture<ReadShareGroupStateSummaryResult> readSummary(
            ReadShareGroupStateSummaryParameters parameters) {
        var wanted = parameters.groupTopicPartitionData();
        return eachTopic(
                        wanted.topicsData(),
                        topic -> eachPartition(
                                        topic,
                                        partition -> state.summary(of(wanted.groupId(), topic, partition))
                                                .handle((summary, failure) ->
                                                        summary(partition.partition(), summary, failure)))
                                .thenApply(
                                        results -> new ReadShareGroupStateSummaryResponseData.ReadStateSummaryResult()
                                                .setTopicId(topic.topicId())
                                                .setPartitions(results)))
                .thenApply(results -> ReadShareGroupStateSummaryResult.from(
                        new ReadShareGroupStateSummaryResponseData().setResults(results)));
    }

    private static ReadShareGroupStateSummaryResponseData.PartitionResult summary(
            int partition, ShareState.@Nullable Summary summary, @Nullable Throwable failure) {
        Errors error = error(failure);
        var result = new ReadShareGroupStateSummaryResponseData.PartitionResult()
                .setPartition(partition)
                .setErrorCode(error.code())
                .setErrorMessage(error.message());
        return summary == null
                ? result.setStartOffset(ShareState.UNKNOWN_OFFSET)
                : result.setStartOffset(summary.startOffset()).setDeliveryCompleteCount(summary.completeCount());
    }

    @Override
    public CompletableFuture<DeleteShareGroupStateResult> deleteState(DeleteShareGroupStateParameters parameters) {
        var wanted = parameters.groupTopicPartitionData();
        return eachTopic(
                        wanted.topicsData(),
                        topic -> eachPartition(
                                        topic,
                                        partition -> state.delete(of(wanted.groupId(), topic, partition))
                                                .handle((done, failure) -> {
                                                    Errors error = error(failure);
                                                    return new DeleteShareGroupStateResponseData.PartitionResult()
                                                            .setPartition(partition.partition())
                                                            .setErrorCode(error.code())
                                                            .setErrorMessage(error.message());
                                                }))
                                .thenApply(results -> new DeleteShareGroupStateResponseData.DeleteStateResult()
                                        .setTopicId(topic.topicId())
                                        .setPartitions(results)))
                .thenApply(results ->
                        DeleteShareGroupStateResult.from(new DeleteShareGroupStateResponseData().setResults(results)));
    }

    @Override
    public CompletableFuture<ReadShareGroupStateResult> readState(ReadShareGroupStateParameters parameters) {
        return CompletableFuture.failedFuture(inCursors());
    }

    @Override
    public CompletableFuture<WriteShareGroupStateResult> writeState(WriteShareGroupStateParameters parameters) {
        return CompletableFuture.failedFuture(inCursors());
    }

    private static InvalidRequestException inCursors() {
        return new InvalidRequestException("the state of records in share groups is kept in cursors");
    }

    @Override
    public void stop() {}

    private static <P extends PartitionIdData> SharePartition of(String group, TopicData<P> topic, P partition) {
        return new SharePartition(group, TopicIds.fromKafka(topic.topicId()), partition.partition());
    }

    private static <P extends PartitionIdData, R> CompletableFuture<List<R>> eachTopic(
            List<TopicData<P>> topics, Function<TopicData<P>, CompletableFuture<R>> work) {
        return all(topics.stream().map(work).toList());
    }

    private static <P extends PartitionIdData, R> CompletableFuture<List<R>> eachPartition(
            TopicData<P> topic, Function<P, CompletionStage<R>> work) {
        return all(topic.partitions().stream()
                .map(partition -> work.apply(partition).toCompletableFuture())
                .toList());
    }

    private static <R> CompletableFuture<List<R>> all(List<CompletableFuture<R>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).thenApply(done -> {
            List<R> results = new ArrayList<>(parts.size());
            parts.forEach(part -> results.add(part.join()));
            return results;
        });
    }

    private static Errors error(@Nullable Throwable failure) {
        if (failure == null) {
            return Errors.NONE;
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return Errors.forException(cause);
    }
}
