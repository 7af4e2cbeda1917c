package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.kafka.transaction.TransactionalAppends;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.DecompressionLimits;
import io.millrace.wire.record.LegacyMessages;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordRefusedException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRequiredAcksException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.jspecify.annotations.Nullable;

/**
 * Appends batches to partitions: what the producer built is what is stored. Each partition is answered for itself; the answer leaves
 * when the last one is known. With {@code acks=all} that is below the high watermark. Batches of transactions go through {@link
 * TransactionalAppends}.
 */
public final class ProduceHandler implements KafkaHandler<ProduceRequest> {

    private static final short ALL = -1;
    private static final short NONE = 0;
    private static final short LEADER = 1;

    /** The first version in which zstd may be used (KIP-110). */
    private static final short ZSTD_SINCE = 7;

    private static final DecompressionLimits LEGACY_LIMITS = DecompressionLimits.DEFAULT;

    private final KafkaTopics topics;
    private final TransactionalAppends transactional;

    public ProduceHandler(KafkaTopics topics, TransactionalAppends transactional) {
        this.topics = topics;
        this.transactional = transactional;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.PRODUCE;
    }

    @Override
    public void handle(ProduceRequest request, KafkaExchange exchange) {
        short acks = request.acks();
        if (acks != ALL && acks != NONE && acks != LEADER) {
            exchange.fail(new InvalidRequiredAcksException("acks " + acks + ": may be -1 (all), 0 or 1"));
            return;
        }
        Answer answer = new Answer(exchange, acks, request.transactionalId());
        for (TopicProduceData topic : request.data().topicData()) {
            TopicProduceResponse responses = answer.topic(topic);
            for (PartitionProduceData partition : topic.partitionData()) {
                append(topic, partition, acks, answer.partition(responses, partition.index()));
            }
        }
        answer.allAsked();
    }

    private void append(TopicProduceData topic, PartitionProduceData data, short acks, PartitionAnswer answer) {
        switch (topics.partition(topic.topicId(), topic.name(), data.index())) {
            case KafkaTopics.Found.Missing(Errors error, String why) -> answer.failed(error, why);
            case KafkaTopics.Found.Here here -> {
                // The request may name it by its id alone.
                if (KafkaTopics.isInternal(here.log().name())) {
                    answer.failed(Errors.INVALID_TOPIC_EXCEPTION, "clients cannot write to the broker's own topics");
                    return;
                }
                Partition partition = here.partition();
                try {
                    ByteBuffer batch = batch(data, answer);
                    Reply reply = new Reply(answer, partition);
                    int inSync = here.log().partitions().get(data.index()).isr().size();
                    partition.shard().execute(() -> {
                        int needed = partition.log().config().minInSyncReplicas();
                        if (acks == ALL && inSync < needed) {
                            answer.failed(
                                    Errors.NOT_ENOUGH_REPLICAS,
                                    "in sync are " + inSync + " replicas, and min.insync.replicas is " + needed);
                        } else {
                            append(here, batch, acks == ALL, reply);
                        }
                    });
                } catch (ApiException e) {
                    answer.failed(Errors.forException(e), String.valueOf(e.getMessage()));
                } catch (MillraceException e) {
                    answer.failed(KafkaErrors.of(e), String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** On the shard of the partition. */
    private void append(KafkaTopics.Found.Here here, ByteBuffer batch, boolean wait, Reply reply) {
        Partition partition = here.partition();
        RecordBatch view = RecordBatch.at(batch, batch.position());
        String transactionalId = reply.answer.answer.transactionalId;
        if (view.isTransactional() && transactionalId != null) {
            transactional.append(new TransactionalAppends.Send(
                    partition, here.log().name(), transactionalId, batch, reply.answer.version(), wait, reply));
        } else if (hasProducer(view)
                && partition.transactions().isOpen(new ProducerIdentity(view.producerId(), view.producerEpoch()))) {
            reply.onRefused(
                    Errors.INVALID_TXN_STATE,
                    "the producer has a transaction open here, and its batch is not transactional");
        } else {
            partition.produce(batch, wait, reply);
        }
    }

    private static boolean hasProducer(RecordBatch batch) {
        return batch.hasProducerId() && batch.producerEpoch() >= 0;
    }

    private static ByteBuffer batch(PartitionProduceData data, PartitionAnswer answer) {
        if (!(data.records() instanceof MemoryRecords records) || records.sizeInBytes() == 0) {
            throw new InvalidRecordException("a produce request brings one batch for each partition, this one none");
        }
        ByteBuffer bytes = records.buffer();
        if (LegacyMessages.isLegacy(bytes)) {
            // Old clients. The largest batch of the topic is checked when it is appended.
            bytes = LegacyMessages.toBatch(bytes, LEGACY_LIMITS.maxBytes(), LEGACY_LIMITS);
        }
        RecordBatch view = RecordBatch.at(bytes, bytes.position());
        if (view.sizeInBytes() != bytes.remaining()) {
            throw new InvalidRecordException("a produce request brings exactly one batch for each partition; after "
                    + view.sizeInBytes() + " bytes " + (bytes.remaining() - view.sizeInBytes()) + " are left");
        }
        if (view.isControl()) {
            throw new InvalidRecordException("clients cannot write control batches");
        }
        if (view.isTransactional() && answer.answer.transactionalId == null) {
            throw Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.exception(
                    "a transactional batch, in a request without a transactional id");
        }
        if (view.isTransactional() && !hasProducer(view)) {
            throw new InvalidRecordException("a transactional batch has a producer id and an epoch, this one not");
        }
        if (answer.version() < ZSTD_SINCE && view.compression() == Compression.ZSTD) {
            throw new UnsupportedCompressionTypeException(
                    "zstd comes with version " + ZSTD_SINCE + " of produce requests");
        }
        return bytes;
    }

    /** Collects what comes of the partitions, from several shards. */
    private static final class Answer {

        private final KafkaExchange exchange;
        private final short acks;
        private final @Nullable String transactionalId;
        private final ProduceResponseData data = new ProduceResponseData();
        /** One more than partitions that are not answered, until all have been asked. */
        private final AtomicInteger open = new AtomicInteger(1);

        private boolean failed;

        Answer(KafkaExchange exchange, short acks, @Nullable String transactionalId) {
            this.exchange = exchange;
            this.acks = acks;
            this.transactionalId = transactionalId;
        }

        TopicProduceResponse topic(TopicProduceData topic) {
            TopicProduceResponse response =
                    new TopicProduceResponse().setName(topic.name()).setTopicId(topic.topicId());
            data.responses().add(response);
            return response;
        }

        PartitionAnswer partition(TopicProduceResponse responses, int index) {
            PartitionProduceResponse response = new PartitionProduceResponse().setIndex(index);
            responses.partitionResponses().add(response);
            open.incrementAndGet();
            return new PartitionAnswer(this, response);
        }

        void allAsked() {
            onAnswered(false);
        }

        void onAnswered(boolean failure) {
            synchronized (this) {
                failed |= failure;
            }
            if (open.decrementAndGet() > 0) {
                return;
            }
            if (acks != NONE) {
                exchange.answer(new ProduceResponse(data));
            } else if (failed) {
                // The only way to tell a producer that wants no answers.
                exchange.client().close("a produce request with acks=0 failed: " + data);
                exchange.staySilent();
            } else {
                exchange.staySilent();
            }
        }
    }

    /** Where the answer for one partition goes. */
    private record PartitionAnswer(Answer answer, PartitionProduceResponse response) {

        short version() {
            return answer.exchange.version();
        }

        void failed(Errors error, String why) {
            response.setErrorCode(error.code())
                    .setBaseOffset(ProduceResponse.INVALID_OFFSET)
                    .setErrorMessage(why);
            answer.onAnswered(true);
        }
    }

    /** Takes what the partition says, on its shard. */
    private record Reply(PartitionAnswer answer, Partition partition) implements TransactionalAppends.Answer {

        @Override
        public void onStored(long baseOffset) {
            onStored(baseOffset, -1);
        }

        @Override
        public void onStored(long baseOffset, long logAppendTimeMs) {
            answer.response
                    .setBaseOffset(baseOffset)
                    .setLogAppendTimeMs(logAppendTimeMs)
                    .setLogStartOffset(partition.offsets().logStartOffset());
            answer.answer.onAnswered(false);
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            answer.failed(KafkaErrors.of(code), message);
        }

        @Override
        public void onRefused(Errors error, String why) {
            answer.failed(error, why);
        }

        @Override
        public void onRefused(ErrorCode code, MillraceException why) {
            if (why instanceof RecordRefusedException refused) {
                // KIP-467: the client fails these records for themselves, and the others of the batch because of them.
                for (int index : refused.recordIndexes()) {
                    answer.response
                            .recordErrors()
                            .add(new BatchIndexAndErrorMessage()
                                    .setBatchIndex(index)
                                    .setBatchIndexErrorMessage(why.getMessage()));
                }
            }
            answer.failed(KafkaErrors.of(why), String.valueOf(why.getMessage()));
        }
    }
}
