package io.millrace.broker.internal.kafka.quota;

import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.requests.FetchResponse;

/** How many bytes of records an answer to a fetch has. */
final class FetchedBytes {

    private FetchedBytes() {}

    static long of(FetchResponse answer) {
        long bytes = 0;
        for (FetchableTopicResponse topic : answer.data().responses()) {
            for (PartitionData partition : topic.partitions()) {
                bytes += FetchResponse.recordsSize(partition);
            }
        }
        return bytes;
    }
}
