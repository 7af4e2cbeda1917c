package io.millrace.broker.internal.kafka.quota;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.CreatePartitionsRequest;
import org.apache.kafka.common.requests.CreatePartitionsResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ProduceRequest;

/**
 * Counts what requests use of quotas, tells clients in their answers for how long they should be quiet, and does not read them for so long
 * (KIP-219). On the connection's loop; what is done with an answer, on the thread that answers.
 */
public final class QuotaRules {

    private static final String USER_PREFIX = "User:";
    private static final double PERCENT_PER_NANO = 100 / 1e9;

    private static final short CREATE_STRICT_SINCE = 6;
    private static final short DELETE_STRICT_SINCE = 5;
    private static final short PARTITIONS_STRICT_SINCE = 3;

    private final ClientQuotas quotas;
    private final KafkaTopics topics;
    private final TimeSource time;
    private final int defaultPartitions;

    /** @param defaultPartitions partitions of a topic that is created without a number */
    public QuotaRules(ClientQuotas quotas, KafkaTopics topics, TimeSource time, int defaultPartitions) {
        this.quotas = quotas;
        this.topics = topics;
        this.time = time;
        this.defaultPartitions = defaultPartitions;
    }

    /** Counts what a request brings, and has what its answer takes counted; before it is given to its handler. */
    public void begin(KafkaExchange exchange) {
        ApiKeys key = exchange.header().apiKey();
        switch (key) {
            case PRODUCE -> produce(exchange);
            case FETCH -> fetch(exchange);
            case CREATE_TOPICS -> createTopics((CreateTopicsRequest) exchange.request(), exchange);
            case DELETE_TOPICS -> deleteTopics((DeleteTopicsRequest) exchange.request(), exchange);
            case CREATE_PARTITIONS -> createPartitions((CreatePartitionsRequest) exchange.request(), exchange);
            default -> {}
        }
    }

    /**
     * Begins to count the time that a request takes of its loop, if that is limited for its client; before anything is done with it. An answer that
     * leaves before the handler has returned tells what was used until then.
     */
    public TimeUsed enter(KafkaExchange exchange) {
        if (!quotas.isLimited(QuotaKey.REQUEST_PERCENTAGE, user(exchange), clientId(exchange))) {
            return TimeUsed.UNLIMITED;
        }
        CountedTime counted = new CountedTime(exchange, time.nanoTime());
        exchange.completeAnswer((AbstractResponse answer) -> throttle(exchange, answer, counted.take(false)));
        return counted;
    }

    /** The time that one request takes. */
    @FunctionalInterface
    public interface TimeUsed {

        /** Of who may take as much as he wants. */
        TimeUsed UNLIMITED = () -> {};

        /** The handler has returned; what the request takes elsewhere is not counted. */
        void end();
    }

    private final class CountedTime implements TimeUsed {

        private final KafkaExchange exchange;
        private final ReentrantLock lock = new ReentrantLock();
        private long countedToNs;
        private long throttleMs;
        private boolean ended;

        CountedTime(KafkaExchange exchange, long beganNs) {
            this.exchange = exchange;
            this.countedToNs = beganNs;
        }

        @Override
        public void end() {
            long found = take(true);
            if (found > 0) {
                exchange.throttle(found);
            }
        }

        private long take(boolean last) {
            lock.lock();
            try {
                if (!ended) {
                    long nowNs = time.nanoTime();
                    double percent = (nowNs - countedToNs) * PERCENT_PER_NANO;
                    throttleMs = Math.max(throttleMs, use(exchange, QuotaKey.REQUEST_PERCENTAGE, percent));
                    countedToNs = nowNs;
                    ended = last;
                }
                return throttleMs;
            } finally {
                lock.unlock();
            }
        }
    }

    private void produce(KafkaExchange exchange) {
        ProduceRequest request = (ProduceRequest) exchange.request();
        long throttleMs = use(exchange, QuotaKey.PRODUCER_BYTE_RATE, exchange.requestBytes());
        if (throttleMs <= 0) {
            return;
        }
        if (request.acks() == 0) {
            exchange.throttle(throttleMs);
        } else {
            exchange.completeAnswer((AbstractResponse answer) -> throttle(exchange, answer, throttleMs));
        }
    }

    /** One answer must not be more than all samples together may have: who asked for less would be quiet for long. */
    private void fetch(KafkaExchange exchange) {
        long most = quotas.mostAtOnce(QuotaKey.CONSUMER_BYTE_RATE, user(exchange), clientId(exchange));
        if (most == Long.MAX_VALUE) {
            return;
        }
        FetchRequest request = (FetchRequest) exchange.request();
        request.data().setMaxBytes((int) Math.min(request.maxBytes(), Math.max(1, most)));
        exchange.completeAnswer((FetchResponse answer) -> throttle(
                exchange, answer, use(exchange, QuotaKey.CONSUMER_BYTE_RATE, (double) FetchedBytes.of(answer))));
    }

    private long use(KafkaExchange exchange, QuotaKey key, double amount) {
        return quotas.use(key, user(exchange), clientId(exchange), amount);
    }

    private static void throttle(KafkaExchange exchange, AbstractResponse answer, long throttleMs) {
        if (throttleMs > 0) {
            answer.maybeSetThrottleTimeMs((int) Math.max(throttleMs, answer.throttleTimeMs()));
            exchange.throttle(throttleMs);
        }
    }

    private static String user(KafkaExchange exchange) {
        String principal = exchange.principal();
        return principal.startsWith(USER_PREFIX) ? principal.substring(USER_PREFIX.length()) : principal;
    }

    private static String clientId(KafkaExchange exchange) {
        return Optional.ofNullable(exchange.header().clientId()).orElse("");
    }

    private void createTopics(CreateTopicsRequest request, KafkaExchange exchange) {
        if (request.data().validateOnly()) {
            return;
        }
        List<CreatableTopic> refused =
                refuse(request.data().topics(), exchange, exchange.version() >= CREATE_STRICT_SINCE, topic -> {
                    if (!topic.assignments().isEmpty()) {
                        return topic.assignments().size();
                    }
                    return topic.numPartitions() > 0 ? topic.numPartitions() : defaultPartitions;
                });
        exchange.completeAnswer((CreateTopicsResponse answer) -> {
            refused.forEach(topic -> answer.data()
                    .topics()
                    .add(new CreatableTopicResult()
                            .setName(topic.name())
                            .setErrorCode(Errors.THROTTLING_QUOTA_EXCEEDED.code())
                            .setErrorMessage(Errors.THROTTLING_QUOTA_EXCEEDED.message())));
            tellWait(exchange, answer);
        });
    }

    private void deleteTopics(DeleteTopicsRequest request, KafkaExchange exchange) {
        boolean strict = exchange.version() >= DELETE_STRICT_SINCE;
        List<DeletableTopicResult> refused = new ArrayList<>();
        for (DeleteTopicState topic : refuse(
                request.data().topics(),
                exchange,
                strict,
                topic -> partitionsOf(topics.nameOf(topic.topicId(), topic.name())))) {
            refused.add(throttled().setName(topic.name()).setTopicId(topic.topicId()));
        }
        for (String name :
                refuse(request.data().topicNames(), exchange, strict, name -> partitionsOf(Optional.of(name)))) {
            refused.add(throttled().setName(name));
        }
        exchange.completeAnswer((DeleteTopicsResponse answer) -> {
            answer.data().responses().addAll(refused);
            tellWait(exchange, answer);
        });
    }

    private static DeletableTopicResult throttled() {
        return new DeletableTopicResult()
                .setErrorCode(Errors.THROTTLING_QUOTA_EXCEEDED.code())
                .setErrorMessage(Errors.THROTTLING_QUOTA_EXCEEDED.message());
    }

    private int partitionsOf(Optional<String> name) {
        return name.flatMap(topics::named).map(log -> log.partitions().size()).orElse(0);
    }

    private void createPartitions(CreatePartitionsRequest request, KafkaExchange exchange) {
        if (request.data().validateOnly()) {
            return;
        }
        List<CreatePartitionsTopic> refused = refuse(
                request.data().topics(),
                exchange,
                exchange.version() >= PARTITIONS_STRICT_SINCE,
                topic -> Math.max(0, topic.count() - partitionsOf(Optional.of(topic.name()))));
        exchange.completeAnswer((CreatePartitionsResponse answer) -> {
            List<CreatePartitionsTopicResult> told =
                    new ArrayList<>(answer.data().results());
            refused.forEach(topic -> told.add(new CreatePartitionsTopicResult()
                    .setName(topic.name())
                    .setErrorCode(Errors.THROTTLING_QUOTA_EXCEEDED.code())
                    .setErrorMessage(Errors.THROTTLING_QUOTA_EXCEEDED.message())));
            answer.data().setResults(told);
            tellWait(exchange, answer);
        });
    }

    /** Takes out of a request what is more than its client may change now. */
    private <E> List<E> refuse(
            Collection<E> changes, KafkaExchange exchange, boolean strict, ToIntFunction<E> partitions) {
        List<E> refused = new ArrayList<>();
        for (Iterator<E> each = changes.iterator(); each.hasNext(); ) {
            E change = each.next();
            if (!quotas.change(user(exchange), clientId(exchange), partitions.applyAsInt(change), strict)) {
                refused.add(change);
                each.remove();
            }
        }
        return refused;
    }

    private void tellWait(KafkaExchange exchange, AbstractResponse answer) {
        throttle(exchange, answer, quotas.changeWaitMs(user(exchange), clientId(exchange)));
    }
}
