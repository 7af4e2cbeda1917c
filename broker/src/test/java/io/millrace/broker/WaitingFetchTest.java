package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.Test;

/** Kafka clients that wait for records for a long time, and are gone before some come. */
class WaitingFetchTest {

    @Test
    void shouldForgetAFetchWhoseClientIsGone() throws IOException {
        try (TestBroker broker = TestBroker.start()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
                ask(socket, ApiKeys.METADATA, (short) 8, metadata());
                // Not before the topic is there.
                DataInputStream in = new DataInputStream(socket.getInputStream());
                assertThat(in.readNBytes(in.readInt())).isNotEmpty();
                for (int i = 0; i < 3; i++) {
                    ask(socket, ApiKeys.FETCH, (short) 11, fetch());
                }
                await().until(() -> broker.waitingReaders() == 3);
            }

            await().until(() -> broker.waitingReaders() == 0);
        }
    }

    private static MetadataRequest metadata() {
        MetadataRequestData data = new MetadataRequestData().setAllowAutoTopicCreation(true);
        data.topics().add(new MetadataRequestData.MetadataRequestTopic().setName("awaited"));
        return new MetadataRequest(data, (short) 8);
    }

    private static FetchRequest fetch() {
        FetchRequestData data = new FetchRequestData()
                .setReplicaId(-1)
                .setMaxWaitMs(Integer.MAX_VALUE)
                .setMinBytes(1)
                .setMaxBytes(1000)
                .setSessionEpoch(-1)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic("awaited")
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setPartition(0)
                                .setFetchOffset(0)
                                .setPartitionMaxBytes(1000)))));
        return new FetchRequest(data, (short) 11);
    }

    private static void ask(Socket socket, ApiKeys key, short version, AbstractRequest request) throws IOException {
        ByteBuffer bytes = request.serializeWithHeader(new RequestHeader(key, version, "gone", 1));
        socket.getOutputStream()
                .write(ByteBuffer.allocate(4 + bytes.remaining())
                        .putInt(bytes.remaining())
                        .put(bytes)
                        .array());
    }
}
