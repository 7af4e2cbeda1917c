package io.millrace.broker.internal.kafka.fetch;

import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;

/**
 * What a client wants of one partition.
 *
 * @param key which partition
 * @param offset the first one wanted
 * @param maxBytes most bytes of records, except that one batch is always given
 * @param leaderEpoch epoch of the leader that the client knows, if it says
 */
record FetchedPartition(Key key, long offset, int maxBytes, Optional<Integer> leaderEpoch) {

    /**
     * A partition as requests name it.
     *
     * @param topicId {@link Uuid#ZERO_UUID} where the topic is named
     * @param topic empty where the topic has an id
     */
    record Key(Uuid topicId, String topic, int partition) {}

    static FetchedPartition of(Uuid topicId, String topic, FetchPartition asked) {
        return new FetchedPartition(
                new Key(topicId, topic, asked.partition()),
                asked.fetchOffset(),
                asked.partitionMaxBytes(),
                asked.currentLeaderEpoch() < 0 ? Optional.empty() : Optional.of(asked.currentLeaderEpoch()));
    }
}
