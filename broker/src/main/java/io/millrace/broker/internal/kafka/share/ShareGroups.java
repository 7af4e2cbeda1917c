package io.millrace.broker.internal.kafka.share;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.share.ShareSession.TopicPartitionKey;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.ShareAcknowledgement;
import io.millrace.broker.internal.partition.ShareAcknowledgement.Verdict;
import io.millrace.broker.internal.partition.ShareConsumers;
import io.millrace.broker.internal.session.FutureReply;
import io.millrace.coordinator.cursor.CursorId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidShareSessionEpochException;
import org.apache.kafka.common.errors.ShareSessionLimitReachedException;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData.AcknowledgementBatch;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ShareAcknowledgeRequest;
import org.apache.kafka.common.requests.ShareAcknowledgeResponse;
import org.apache.kafka.common.requests.ShareFetchRequest;
import org.apache.kafka.common.requests.ShareRequestMetadata;

/** What members of share groups ask: records, and to be heard about those they have. On the loops of their connections. */
public final class ShareGroups {

    private static final int MAX_MEMBER_ID = 36;

    /** Whether a request may renew acquisitions. */
    private enum Renewal {
        /** It does not say that it does. */
        NOT_SAID,
        /** It says so, and its group does not allow it. */
        OFF,
        ALLOWED
    }

    private final KafkaTopics topics;
    private final ShareCursors cursors;
    private final ShareSettings settings;
    private final ShareSessions sessions;
    private final ShareDeadLetters deadLetters;

    public ShareGroups(
            KafkaTopics topics,
            ShareCursors cursors,
            ShareSettings settings,
            ShareSessions sessions,
            ShareDeadLetters deadLetters) {
        this.topics = topics;
        this.cursors = cursors;
        this.settings = settings;
        this.sessions = sessions;
        this.deadLetters = deadLetters;
    }

    /** Takes what a member says of its records, and gives it more when there are some. */
    public void fetch(ShareFetchRequest request, KafkaExchange exchange) {
        ShareFetchRequestData data = request.data();
        ShareSession.Key key = key(data.groupId(), data.memberId());
        check(data);
        Renewal renewal = renewal(data.isRenewAck(), data.groupId());
        int epoch = data.shareSessionEpoch();
        Map<TopicPartitionKey, List<ShareAcknowledgement>> said = new LinkedHashMap<>();
        Map<TopicPartitionKey, Errors> refused = new LinkedHashMap<>();
        for (ShareFetchRequestData.FetchTopic topic : data.topics()) {
            for (ShareFetchRequestData.FetchPartition partition : topic.partitions()) {
                if (!partition.acknowledgementBatches().isEmpty()) {
                    parse(
                            new TopicPartitionKey(topic.topicId(), partition.partitionIndex()),
                            partition.acknowledgementBatches(),
                            renewal,
                            said,
                            refused);
                }
            }
        }
        boolean isNew = epoch == ShareRequestMetadata.INITIAL_EPOCH;
        boolean isLast = epoch == ShareRequestMetadata.FINAL_EPOCH;
        if (isNew && !(said.isEmpty() && refused.isEmpty())) {
            throw new InvalidRequestException("a new share session has no records to acknowledge");
        }
        Optional<ShareSession> open =
                isNew ? sessions.begin(key, exchange.client()) : Optional.of(sessions.find(key, exchange.client()));
        if (open.isEmpty()) {
            // It asks again at once: not before it would have been told that there is nothing.
            refuseLater(exchange, data.maxWaitMs());
            return;
        }
        ShareSession session = open.get();
        if (!isNew && !isLast) {
            advance(session, epoch);
        }
        if (!isLast) {
            data.topics()
                    .forEach(topic -> topic.partitions()
                            .forEach(partition -> session.add(
                                    new TopicPartitionKey(topic.topicId(), partition.partitionIndex()),
                                    partition.partitionMaxBytes())));
        }
        data.forgottenTopicsData()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> session.forget(new TopicPartitionKey(topic.topicId(), partition))));
        int lockMs = settings.lockMs(data.groupId());
        acknowledge(session, said, lockMs)
                .whenComplete((heard, failure) -> exchange.client().execute(() -> {
                    if (failure != null) {
                        exchange.fail(failure);
                        return;
                    }
                    heard.putAll(refused);
                    PendingShareFetch fetch = new PendingShareFetch(
                            exchange,
                            data,
                            session,
                            topics,
                            cursors,
                            settings.terms(data.groupId(), deadLetters.of(data.groupId())),
                            lockMs,
                            heard);
                    if (isLast) {
                        sessions.remove(session);
                    }
                    if (isLast || data.isRenewAck()) {
                        fetch.answerWithoutRecords();
                    } else {
                        fetch.begin();
                    }
                }));
    }

    /** Takes what a member says of its records. */
    public void acknowledge(ShareAcknowledgeRequest request, KafkaExchange exchange) {
        ShareAcknowledgeRequestData data = request.data();
        ShareSession.Key key = key(data.groupId(), data.memberId());
        if (data.shareSessionEpoch() == ShareRequestMetadata.INITIAL_EPOCH) {
            throw new InvalidShareSessionEpochException("a share session begins with a fetch");
        }
        Renewal renewal = renewal(data.isRenewAck(), data.groupId());
        ShareSession session = sessions.find(key, exchange.client());
        boolean isLast = data.shareSessionEpoch() == ShareRequestMetadata.FINAL_EPOCH;
        if (!isLast) {
            advance(session, data.shareSessionEpoch());
        }
        Map<TopicPartitionKey, List<ShareAcknowledgement>> said = new LinkedHashMap<>();
        Map<TopicPartitionKey, Errors> refused = new LinkedHashMap<>();
        for (ShareAcknowledgeRequestData.AcknowledgeTopic topic : data.topics()) {
            for (ShareAcknowledgeRequestData.AcknowledgePartition partition : topic.partitions()) {
                parse(
                        new TopicPartitionKey(topic.topicId(), partition.partitionIndex()),
                        partition.acknowledgementBatches().stream()
                                .map(batch -> new AcknowledgementBatch()
                                        .setFirstOffset(batch.firstOffset())
                                        .setLastOffset(batch.lastOffset())
                                        .setAcknowledgeTypes(batch.acknowledgeTypes()))
                                .toList(),
                        renewal,
                        said,
                        refused);
            }
        }
        int lockMs = settings.lockMs(data.groupId());
        exchange.answerWhenDone(acknowledge(session, said, lockMs), heard -> {
            heard.putAll(refused);
            if (isLast) {
                exchange.client().execute(() -> sessions.remove(session));
            }
            return answer(heard, lockMs);
        });
    }

    /** Has a group begin anew in a partition, where its settings say; completes when that is durable. */
    public CompletionStage<Void> beginAnew(String group, String topic, int partition) {
        return cursors.beginAnew(group, topic, partition);
    }

    private Renewal renewal(boolean said, String group) {
        if (!said) {
            return Renewal.NOT_SAID;
        }
        return settings.mayRenew(group) ? Renewal.ALLOWED : Renewal.OFF;
    }

    private static void refuseLater(KafkaExchange exchange, int waitMs) {
        Runnable _ = exchange.client()
                .schedule(
                        Math.max(0, waitMs),
                        () -> exchange.fail(new ShareSessionLimitReachedException(
                                "there are as many share sessions as group.share.max.share.sessions allows")));
    }

    private static void advance(ShareSession session, int epoch) {
        if (session.advance(epoch) != Errors.NONE) {
            throw new InvalidShareSessionEpochException(
                    "epoch " + epoch + " is not the next one of this share session");
        }
    }

    private static ShareSession.Key key(String group, String memberId) {
        if (group == null || group.isEmpty()) {
            throw new InvalidRequestException("a share group has a name");
        }
        if (memberId == null || memberId.isEmpty() || memberId.length() > MAX_MEMBER_ID) {
            throw new InvalidRequestException(
                    "the id of a member of a share group has 1 to " + MAX_MEMBER_ID + " characters");
        }
        return new ShareSession.Key(group, memberId);
    }

    /** Who renews gets no records with the answer (KIP-1222). */
    private static void check(ShareFetchRequestData data) {
        if (data.shareAcquireMode() < 0 || data.shareAcquireMode() > PendingShareFetch.RECORD_LIMIT) {
            throw new InvalidRequestException("there are acquire modes 0 and 1, no " + data.shareAcquireMode());
        }
        if (data.isRenewAck()
                && (data.maxBytes() != 0 || data.minBytes() != 0 || data.maxRecords() != 0 || data.maxWaitMs() != 0)) {
            throw new InvalidRequestException("a fetch that renews acquisitions wants no records: maxBytes, minBytes,"
                    + " maxRecords and maxWaitMs are 0");
        }
    }

    private static void parse(
            TopicPartitionKey partition,
            List<AcknowledgementBatch> batches,
            Renewal renewal,
            Map<TopicPartitionKey, List<ShareAcknowledgement>> said,
            Map<TopicPartitionKey, Errors> refused) {
        try {
            List<ShareAcknowledgement> parsed = ShareAcknowledgements.parse(batches, renewal != Renewal.NOT_SAID);
            if (renewal == Renewal.OFF && parsed.stream().anyMatch(one -> one.verdict() == Verdict.RENEW)) {
                refused.put(partition, Errors.INVALID_RECORD_STATE);
            } else {
                said.put(partition, parsed);
            }
        } catch (InvalidRequestException e) {
            refused.put(partition, Errors.INVALID_REQUEST);
        }
    }

    /** Tells each partition; completes with what became of it, when all have answered. */
    private CompletionStage<Map<TopicPartitionKey, Errors>> acknowledge(
            ShareSession session, Map<TopicPartitionKey, List<ShareAcknowledgement>> said, int lockMs) {
        Map<TopicPartitionKey, CompletableFuture<Errors>> answers = new LinkedHashMap<>();
        said.forEach((partition, acknowledgements) -> answers.put(
                partition,
                acknowledge(session, partition, acknowledgements, lockMs).toCompletableFuture()));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    Map<TopicPartitionKey, Errors> errors = new LinkedHashMap<>();
                    answers.forEach((partition, answer) -> errors.put(partition, answer.join()));
                    return errors;
                });
    }

    private CompletionStage<Errors> acknowledge(
            ShareSession session, TopicPartitionKey key, List<ShareAcknowledgement> acknowledgements, int lockMs) {
        return switch (topics.partition(key.topicId(), "", key.partition())) {
            case KafkaTopics.Found.Missing missing -> CompletableFuture.completedFuture(missing.error());
            case KafkaTopics.Found.Here here -> {
                Partition partition = here.partition();
                Optional<CursorId> cursor = session.cursorOf(key)
                        .or(() -> cursors.find(partition.logId(), session.key().group()));
                if (cursor.isEmpty()) {
                    yield CompletableFuture.completedFuture(Errors.UNKNOWN_TOPIC_OR_PARTITION);
                }
                FutureReply<ShareConsumers.Taken> reply = new FutureReply<>();
                partition
                        .shard()
                        .execute(() -> partition
                                .shares()
                                .acknowledge(
                                        cursor.get(),
                                        session.consumer(),
                                        acknowledgements,
                                        TimeUnit.MILLISECONDS.toNanos(lockMs),
                                        reply));
                yield reply.future()
                        .handle((taken, failure) -> failure != null ? KafkaErrors.of(failure) : errorOf(taken));
            }
        };
    }

    private static Errors errorOf(ShareConsumers.Taken taken) {
        return switch (taken) {
            case ALL -> Errors.NONE;
            case NOT_HELD -> Errors.INVALID_RECORD_STATE;
            case NEVER_LENT -> Errors.INVALID_REQUEST;
        };
    }

    private static ShareAcknowledgeResponse answer(Map<TopicPartitionKey, Errors> heard, int lockMs) {
        ShareAcknowledgeResponseData data = new ShareAcknowledgeResponseData().setAcquisitionLockTimeoutMs(lockMs);
        heard.forEach((partition, error) -> {
            var topic = data.responses().find(partition.topicId());
            if (topic == null) {
                topic = new ShareAcknowledgeResponseData.ShareAcknowledgeTopicResponse()
                        .setTopicId(partition.topicId());
                data.responses().add(topic);
            }
            topic.partitions()
                    .add(new ShareAcknowledgeResponseData.PartitionData()
                            .setPartitionIndex(partition.partition())
                            .setErrorCode(error.code()));
        });
        return new ShareAcknowledgeResponse(data);
    }
}
