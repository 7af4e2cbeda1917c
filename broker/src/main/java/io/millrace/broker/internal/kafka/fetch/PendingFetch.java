package io.millrace.broker.internal.kafka.fetch;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.partition.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchResponse;
import org.jspecify.annotations.Nullable;

/**
 * A fetch that is answered when there is enough for it, or after a while with what there is. Looks at its partitions when it begins and
 * each time one of them has more. On the connection's loop.
 */
final class PendingFetch {

    /**
     * What is asked for, besides partitions.
     *
     * @param committed whether only what is committed may be read
     */
    record Terms(int minBytes, int maxBytes, int maxWaitMs, boolean committed) {}

    private final KafkaExchange exchange;
    private final Terms terms;
    private final FetchReader reader;
    private final List<FetchedPartition> wanted;
    private final @Nullable FetchSession session;
    private final boolean incremental;
    private final Executor io;
    private final AtomicBoolean lookScheduled = new AtomicBoolean();
    private final Runnable onProgress = this::scheduleLook;
    private final List<Partition> watched = new ArrayList<>();
    private @Nullable Runnable timer;
    private boolean reading;
    private boolean mustAfterReading;
    private boolean done;

    /**
     * Creates a fetch that has not begun.
     *
     * @param session what its client reads, if it is remembered
     * @param incremental whether the answer holds only what is news to the client
     * @param io runs reads that may wait for the disk
     */
    PendingFetch(
            KafkaExchange exchange,
            Terms terms,
            FetchReader reader,
            List<FetchedPartition> wanted,
            @Nullable FetchSession session,
            boolean incremental,
            Executor io) {
        this.exchange = exchange;
        this.terms = terms;
        this.reader = reader;
        this.wanted = wanted;
        this.session = session;
        this.incremental = incremental;
        this.io = io;
    }

    void begin() {
        if (look(terms.maxWaitMs() <= 0)) {
            return;
        }
        for (FetchedPartition partition : wanted) {
            if (reader.find(partition, exchange.access()) instanceof KafkaTopics.Found.Here found) {
                found.partition().watch(onProgress);
                watched.add(found.partition());
            }
        }
        // A client that is gone waits for nothing.
        exchange.whenFinished(() -> exchange.client().execute(this::end));
        timer = exchange.client().schedule(terms.maxWaitMs(), () -> look(true));
        // What came between the first look and the watch was told to nobody.
        look(false);
    }

    private void scheduleLook() {
        if (lookScheduled.compareAndSet(false, true)) {
            exchange.client().execute(() -> {
                lookScheduled.set(false);
                look(false);
            });
        }
    }

    /** Answers if there is enough, or if it must; returns whether it is answered. */
    private boolean look(boolean must) {
        if (done) {
            return true;
        }
        if (exchange.isFinished()) {
            end();
            return true;
        }
        if (reading) {
            mustAfterReading |= must;
            return false;
        }
        if (wanted.stream().anyMatch(partition -> reader.isCold(partition, exchange.access()))) {
            readElsewhere(must);
            return false;
        }
        return answerIfEnough(read(), must);
    }

    /** What was written long ago may not be in the page cache: reading it must not hold up the others of this loop. */
    private void readElsewhere(boolean must) {
        reading = true;
        mustAfterReading = must;
        io.execute(() -> {
            List<PartitionData> read = read();
            read.forEach(FetchReader::warm);
            exchange.client().execute(() -> {
                reading = false;
                if (exchange.isFinished()) {
                    read.forEach(FetchReader::release);
                    end();
                } else {
                    answerIfEnough(read, mustAfterReading);
                }
            });
        });
    }

    private List<PartitionData> read() {
        List<PartitionData> read = new ArrayList<>(wanted.size());
        int bytes = 0;
        for (FetchedPartition partition : wanted) {
            PartitionData data = reader.read(
                    partition, exchange.access(), terms.committed(), Math.max(0, terms.maxBytes() - bytes), bytes == 0);
            bytes += FetchResponse.recordsSize(data);
            read.add(data);
        }
        return read;
    }

    private boolean answerIfEnough(List<PartitionData> read, boolean must) {
        long bytes = 0;
        boolean failed = false;
        for (PartitionData data : read) {
            bytes += FetchResponse.recordsSize(data);
            failed |= data.errorCode() != Errors.NONE.code();
        }
        if (bytes < terms.minBytes() && !failed && !must && !wanted.isEmpty()) {
            read.forEach(FetchReader::release);
            return false;
        }
        end();
        exchange.answer(answer(read), () -> read.forEach(FetchReader::release));
        return true;
    }

    private void end() {
        done = true;
        watched.forEach(partition -> partition.unwatch(onProgress));
        Runnable cancel = timer;
        if (cancel != null) {
            cancel.run();
        }
    }

    private FetchResponse answer(List<PartitionData> read) {
        FetchSession remembered = session;
        FetchResponseData data = new FetchResponseData().setSessionId(remembered == null ? 0 : remembered.id());
        FetchableTopicResponse last = null;
        for (int i = 0; i < read.size(); i++) {
            FetchedPartition.Key key = wanted.get(i).key();
            if (remembered != null) {
                if (incremental && !remembered.isNews(key, read.get(i))) {
                    continue;
                }
                remembered.told(key, read.get(i));
            }
            if (last == null
                    || !last.topicId().equals(key.topicId())
                    || !last.topic().equals(key.topic())) {
                last = new FetchableTopicResponse().setTopic(key.topic()).setTopicId(key.topicId());
                data.responses().add(last);
            }
            last.partitions().add(read.get(i));
        }
        return FetchResponse.of(data);
    }
}
