package io.millrace.broker.internal.kafka.fetch;

import io.millrace.broker.internal.kafka.Isolation;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchMetadata;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;

/** Begins fetches, each with or without a session as its request says. On the connection's loop. */
public final class Fetches {

    /** The first version that names topics by id (KIP-516). */
    private static final short TOPIC_IDS_SINCE = 13;

    private final FetchReader reader;
    private final FetchSessions sessions;
    private final int maxBytes;
    private final TimeSource time;
    private final Executor io;

    /**
     * @param maxBytes most bytes of records in one answer, whatever is asked for
     * @param io runs reads that may wait for the disk
     */
    public Fetches(FetchReader reader, FetchSessions sessions, int maxBytes, TimeSource time, Executor io) {
        this.reader = reader;
        this.sessions = sessions;
        this.maxBytes = maxBytes;
        this.time = time;
        this.io = io;
    }

    /** Begins a fetch; it answers when there is enough. */
    public void begin(FetchRequest request, KafkaExchange exchange) {
        FetchMetadata metadata = request.metadata();
        boolean topicIds = exchange.version() >= TOPIC_IDS_SINCE;
        List<FetchedPartition> named = named(request);
        if (metadata.isFull()) {
            if (metadata.sessionId() != FetchMetadata.INVALID_SESSION_ID) {
                sessions.remove(metadata.sessionId());
            }
            Optional<FetchSession> session = metadata.epoch() == FetchMetadata.FINAL_EPOCH || named.isEmpty()
                    ? Optional.empty()
                    : sessions.create(topicIds, named);
            start(request, exchange, named, session, false);
            return;
        }
        Optional<FetchSession> session = sessions.find(metadata.sessionId());
        Errors error = session.isEmpty()
                ? Errors.FETCH_SESSION_ID_NOT_FOUND
                : session.get().update(metadata.epoch(), topicIds, named, forgotten(request), time.nanoTime());
        if (error == Errors.NONE && !named.isEmpty() && sessions.isOver()) {
            sessions.remove(metadata.sessionId());
            error = Errors.FETCH_SESSION_ID_NOT_FOUND;
        }
        if (error != Errors.NONE) {
            exchange.answer(FetchResponse.of(new FetchResponseData().setErrorCode(error.code())));
        } else if (session.get().size() == 0) {
            sessions.remove(metadata.sessionId());
            start(request, exchange, List.of(), Optional.empty(), false);
        } else {
            start(request, exchange, session.get().wanted(), session, true);
        }
    }

    private void start(
            FetchRequest request,
            KafkaExchange exchange,
            List<FetchedPartition> wanted,
            Optional<FetchSession> session,
            boolean incremental) {
        PendingFetch.Terms terms = new PendingFetch.Terms(
                request.minBytes(),
                Math.min(request.maxBytes(), maxBytes),
                request.maxWait(),
                Isolation.isCommitted(request.data().isolationLevel()));
        new PendingFetch(exchange, terms, reader, wanted, session.orElse(null), incremental, io).begin();
    }

    private static List<FetchedPartition> named(FetchRequest request) {
        List<FetchedPartition> named = new ArrayList<>();
        for (FetchTopic topic : request.data().topics()) {
            for (FetchPartition partition : topic.partitions()) {
                named.add(FetchedPartition.of(topic.topicId(), topic.topic(), partition));
            }
        }
        return named;
    }

    private static List<FetchedPartition.Key> forgotten(FetchRequest request) {
        List<FetchedPartition.Key> forgotten = new ArrayList<>();
        for (ForgottenTopic topic : request.data().forgottenTopicsData()) {
            Uuid id = topic.topicId();
            for (int partition : topic.partitions()) {
                forgotten.add(new FetchedPartition.Key(id, topic.topic(), partition));
            }
        }
        return forgotten;
    }
}
