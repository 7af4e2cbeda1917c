package io.millrace.broker.internal.kafka.share;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ShareRequestMetadata;

/**
 * What a member of a share group fetches over its connection, which ends with the connection: then all that the member holds comes back.
 * On the connection's loop.
 */
final class ShareSession {

    /** A member of a group, by the id that it gave itself. */
    record Key(String group, String memberId) {
        Key {
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(memberId, "memberId");
        }
    }

    /** A partition by its topic's id. */
    record TopicPartitionKey(Uuid topicId, int partition) {}

    /** Where the member may hold records. */
    private record Used(Partition partition, CursorId cursor) {}

    private final Key key;
    private final ConsumerKey consumer;
    private final LinkedHashMap<TopicPartitionKey, Integer> partitions = new LinkedHashMap<>();
    private final Map<TopicPartitionKey, Used> used = new HashMap<>();
    private int nextEpoch = ShareRequestMetadata.nextEpoch(ShareRequestMetadata.INITIAL_EPOCH);
    private boolean closed;

    /** @param id of its own: what an earlier session of the same member held is not this one's */
    ShareSession(Key key, UUID id) {
        this.key = key;
        this.consumer = new ConsumerKey(id, 0);
    }

    Key key() {
        return key;
    }

    ConsumerKey consumer() {
        return consumer;
    }

    /** Takes the epoch of the next request; says why it cannot. */
    Errors advance(int epoch) {
        if (epoch != nextEpoch) {
            return Errors.INVALID_SHARE_SESSION_EPOCH;
        }
        nextEpoch = ShareRequestMetadata.nextEpoch(nextEpoch);
        return Errors.NONE;
    }

    void add(TopicPartitionKey partition, int maxBytes) {
        partitions.put(partition, maxBytes);
    }

    void forget(TopicPartitionKey partition) {
        partitions.remove(partition);
    }

    /** Returns what is fetched, beginning behind what was first the last time, so that none starves. */
    List<TopicPartitionKey> rotated() {
        List<TopicPartitionKey> wanted = new ArrayList<>(partitions.keySet());
        if (wanted.size() > 1) {
            TopicPartitionKey first = wanted.getFirst();
            partitions.put(first, partitions.remove(first));
        }
        return wanted;
    }

    void uses(TopicPartitionKey partition, Partition here, CursorId cursor) {
        used.put(partition, new Used(here, cursor));
    }

    Optional<CursorId> cursorOf(TopicPartitionKey partition) {
        return Optional.ofNullable(used.get(partition)).map(Used::cursor);
    }

    boolean isClosed() {
        return closed;
    }

    /** Gives back all that the member holds. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        used.values()
                .forEach(place -> place.partition()
                        .shard()
                        .execute(() -> place.partition().shares().leave(place.cursor(), consumer)));
    }
}
