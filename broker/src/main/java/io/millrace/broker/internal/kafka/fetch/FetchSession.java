package io.millrace.broker.internal.kafka.fetch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchMetadata;
import org.apache.kafka.common.requests.FetchResponse;

/**
 * What one consumer reads, and what it was told last about each partition: the next fetch names only what changed, and the answer holds
 * only what is new (KIP-227). Partitions that gave records go to the end, so that none starves. Guarded by its own lock, since a client
 * may come again on another connection.
 */
final class FetchSession {

    private static final class Cached {
        private FetchedPartition wanted;
        private long highWatermark = -1;
        private long logStartOffset = -1;

        private Cached(FetchedPartition wanted) {
            this.wanted = wanted;
        }
    }

    private final int id;
    private final boolean topicIds;
    private final LinkedHashMap<FetchedPartition.Key, Cached> partitions = new LinkedHashMap<>();
    private int nextEpoch = FetchMetadata.nextEpoch(FetchMetadata.INITIAL_EPOCH);
    private volatile long lastUsedNs;
    private volatile int size;

    FetchSession(int id, boolean topicIds, List<FetchedPartition> wanted, long nowNs) {
        this.id = id;
        this.topicIds = topicIds;
        this.lastUsedNs = nowNs;
        wanted.forEach(partition -> partitions.put(partition.key(), new Cached(partition)));
        this.size = partitions.size();
    }

    int id() {
        return id;
    }

    long lastUsedNs() {
        return lastUsedNs;
    }

    /** Returns how many partitions it remembers. */
    int size() {
        return size;
    }

    /**
     * Takes the changes that a fetch brings.
     *
     * @return why it cannot
     */
    synchronized Errors update(
            int epoch,
            boolean withTopicIds,
            List<FetchedPartition> changed,
            List<FetchedPartition.Key> forgotten,
            long nowNs) {
        if (withTopicIds != topicIds) {
            return Errors.FETCH_SESSION_TOPIC_ID_ERROR;
        }
        if (epoch != nextEpoch) {
            return Errors.INVALID_FETCH_SESSION_EPOCH;
        }
        nextEpoch = FetchMetadata.nextEpoch(nextEpoch);
        lastUsedNs = nowNs;
        for (FetchedPartition partition : changed) {
            Cached cached = partitions.get(partition.key());
            if (cached == null) {
                partitions.put(partition.key(), new Cached(partition));
            } else {
                cached.wanted = partition;
            }
        }
        forgotten.forEach(partitions::remove);
        size = partitions.size();
        return Errors.NONE;
    }

    /** Returns all that is to be read, in the order in which it should be. */
    synchronized List<FetchedPartition> wanted() {
        List<FetchedPartition> wanted = new ArrayList<>(partitions.size());
        partitions.values().forEach(cached -> wanted.add(cached.wanted));
        return wanted;
    }

    /** Says whether a partition's answer tells its client anything new. Changes nothing. */
    synchronized boolean isNews(FetchedPartition.Key key, PartitionData data) {
        Cached cached = partitions.get(key);
        return cached == null
                || FetchResponse.recordsSize(data) > 0
                || data.errorCode() != Errors.NONE.code()
                || data.highWatermark() != cached.highWatermark
                || data.logStartOffset() != cached.logStartOffset;
    }

    /** Notes what its client is told. */
    synchronized void told(FetchedPartition.Key key, PartitionData data) {
        Cached cached = partitions.get(key);
        if (cached == null) {
            return;
        }
        // After an error the next good answer is news, even if it says the same as the last good one.
        cached.highWatermark = data.errorCode() == Errors.NONE.code() ? data.highWatermark() : -1;
        cached.logStartOffset = data.logStartOffset();
        if (FetchResponse.recordsSize(data) > 0) {
            partitions.remove(key);
            partitions.put(key, cached);
        }
    }
}
