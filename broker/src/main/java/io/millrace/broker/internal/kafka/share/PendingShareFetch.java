package io.millrace.broker.internal.kafka.share;

import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.MemoryRecordBytes;
import io.millrace.broker.internal.kafka.share.ShareSession.TopicPartitionKey;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.partition.ShareConsumers;
import io.millrace.broker.internal.partition.ShareDelivery;
import io.millrace.broker.internal.partition.ShareTerms;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.Grant;
import io.millrace.wire.ErrorCode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchResponseData.AcquiredRecords;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ShareFetchResponse;
import org.jspecify.annotations.Nullable;

/**
 * A member of a share group waits for records: they are lent partition by partition, until there are as many as it wants; if there are none,
 * when some come, or its time is over. On the connection's loop.
 */
final class PendingShareFetch {

    /** Not a record more than was asked for (KIP-1206). */
    static final byte RECORD_LIMIT = 1;

    private final KafkaExchange exchange;
    private final ShareFetchRequestData request;
    private final ShareSession session;
    private final KafkaTopics topics;
    private final ShareCursors cursors;
    private final ShareTerms terms;
    private final int lockMs;
    private final Map<TopicPartitionKey, PartitionData> answers = new LinkedHashMap<>();
    private final List<Partition> watched = new ArrayList<>();
    private final AtomicBoolean lookScheduled = new AtomicBoolean();
    private final Runnable onProgress = this::scheduleLook;
    private final int maxRecords;
    private int records;
    private int bytes;
    private boolean failed;
    private boolean passing;
    private boolean again;
    private boolean due;
    private boolean done;
    private @Nullable Runnable timer;

    /** @param heard what became of the acknowledgements that the request brought */
    PendingShareFetch(
            KafkaExchange exchange,
            ShareFetchRequestData request,
            ShareSession session,
            KafkaTopics topics,
            ShareCursors cursors,
            ShareTerms terms,
            int lockMs,
            Map<TopicPartitionKey, Errors> heard) {
        this.exchange = exchange;
        this.request = request;
        this.session = session;
        this.topics = topics;
        this.cursors = cursors;
        this.terms = terms;
        this.lockMs = lockMs;
        this.maxRecords = request.maxRecords();
        heard.forEach((partition, error) -> answer(partition).setAcknowledgeErrorCode(error.code()));
    }

    void begin() {
        if (request.maxWaitMs() > 0) {
            timer = exchange.client().schedule(request.maxWaitMs(), () -> {
                due = true;
                look();
            });
        } else {
            due = true;
        }
        pass();
    }

    /** Answers what the member said, and lends nothing. */
    void answerWithoutRecords() {
        finish();
    }

    private void scheduleLook() {
        if (lookScheduled.compareAndSet(false, true)) {
            exchange.client().execute(() -> {
                lookScheduled.set(false);
                look();
            });
        }
    }

    private void look() {
        if (done) {
            return;
        }
        if (passing) {
            again = true;
        } else {
            pass();
        }
    }

    /** Asks one partition after the other. */
    private void pass() {
        passing = true;
        again = false;
        next(session.rotated().iterator());
    }

    private void next(Iterator<TopicPartitionKey> rest) {
        while (!exchange.isFinished()
                && !session.isClosed()
                && rest.hasNext()
                && records < maxRecords
                && (bytes == 0 || bytes < request.maxBytes())) {
            TopicPartitionKey key = rest.next();
            switch (find(key)) {
                case KafkaTopics.Found.Missing missing -> {
                    answer(key).setErrorCode(missing.error().code()).setErrorMessage(missing.why());
                    failed = true;
                }
                case KafkaTopics.Found.Here here -> {
                    acquire(key, here.partition(), rest);
                    return;
                }
            }
        }
        if (exchange.isFinished() || session.isClosed()) {
            finish();
        } else {
            endPass();
        }
    }

    /** Finds a partition, if the client may read it: what it may is looked at each time, as sessions are long. */
    private KafkaTopics.Found find(TopicPartitionKey key) {
        boolean allowed = exchange.access().mayDoEverything()
                || topics.nameOf(key.topicId(), null)
                        .map(name -> exchange.access().mayTopic(AclOperation.READ, name))
                        .orElse(true);
        return allowed
                ? topics.partition(key.topicId(), "", key.partition())
                : new KafkaTopics.Found.Missing(
                        Errors.TOPIC_AUTHORIZATION_FAILED, "no access control list allows to read it");
    }

    private void acquire(TopicPartitionKey key, Partition partition, Iterator<TopicPartitionKey> rest) {
        cursors.open(partition.logId(), request.groupId())
                .whenComplete((cursor, failure) -> exchange.client().execute(() -> {
                    if (failure != null) {
                        refused(key, failure);
                        next(rest);
                    } else {
                        session.uses(key, partition, cursor);
                        acquire(key, partition, cursor, rest);
                    }
                }));
    }

    private void acquire(
            TopicPartitionKey key, Partition partition, CursorId cursor, Iterator<TopicPartitionKey> rest) {
        long highWatermark = partition.snapshot().highWatermark();
        ShareConsumers.Wanted wanted = new ShareConsumers.Wanted(
                cursor,
                session.consumer(),
                terms,
                maxRecords - records,
                Math.max(1, request.maxBytes() - bytes),
                request.shareAcquireMode() == RECORD_LIMIT,
                terms.committed() ? Math.min(highWatermark, partition.log().lastStableOffset()) : highWatermark);
        Reply<ShareDelivery> reply = new Reply<>() {
            @Override
            public void onDone(ShareDelivery delivery) {
                goOn(() -> lent(key, delivery));
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                goOn(() -> refused(key, new RequestFailedException(code, message)));
            }

            private void goOn(Runnable answered) {
                exchange.client().execute(() -> {
                    answered.run();
                    next(rest);
                });
            }
        };
        partition.shard().execute(() -> partition.shares().acquire(wanted, reply));
    }

    private void refused(TopicPartitionKey key, Throwable failure) {
        answer(key).setErrorCode(KafkaErrors.of(failure).code()).setErrorMessage(failure.getMessage());
        failed = true;
    }

    private void lent(TopicPartitionKey key, ShareDelivery delivery) {
        if (delivery.grants().isEmpty()) {
            return;
        }
        List<AcquiredRecords> acquired = new ArrayList<>();
        for (Grant grant : delivery.grants()) {
            acquired.add(new AcquiredRecords()
                    .setFirstOffset(grant.firstOffset())
                    .setLastOffset(grant.endOffset() - 1)
                    .setDeliveryCount((short) Math.min(Short.MAX_VALUE, grant.deliveryCount())));
            records += grant.count();
        }
        bytes += delivery.batches().remaining();
        answer(key).setRecords(new MemoryRecordBytes(delivery.batches())).setAcquiredRecords(acquired);
    }

    private void endPass() {
        passing = false;
        if (records > 0 || failed || due) {
            finish();
            return;
        }
        if (watched.isEmpty()) {
            for (TopicPartitionKey key : session.rotated()) {
                if (find(key) instanceof KafkaTopics.Found.Here here) {
                    here.partition().watchShares(onProgress);
                    watched.add(here.partition());
                }
            }
            // What came before the watch was told to nobody.
            again = !watched.isEmpty();
            // A client that is gone waits for nothing.
            exchange.whenFinished(() -> exchange.client().execute(this::finish));
        }
        if (again) {
            pass();
        }
    }

    private PartitionData answer(TopicPartitionKey key) {
        return answers.computeIfAbsent(
                key,
                absent -> new PartitionData()
                        .setPartitionIndex(absent.partition())
                        .setRecords(MemoryRecords.EMPTY)
                        .setAcquiredRecords(List.of()));
    }

    private void finish() {
        if (done) {
            return;
        }
        done = true;
        watched.forEach(partition -> partition.unwatchShares(onProgress));
        Runnable cancel = timer;
        if (cancel != null) {
            cancel.run();
        }
        LinkedHashMap<TopicIdPartition, PartitionData> data = new LinkedHashMap<>();
        answers.forEach(
                (key, partition) -> data.put(new TopicIdPartition(key.topicId(), key.partition(), ""), partition));
        exchange.answer(ShareFetchResponse.of(Errors.NONE, 0, data, List.of(), lockMs));
    }
}
