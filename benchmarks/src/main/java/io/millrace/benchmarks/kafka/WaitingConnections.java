package io.millrace.benchmarks.kafka;

import io.millrace.benchmarks.program.BenchmarkException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.RequestHeader;

/** Connections that each wait in a fetch for a record that does not come. */
final class WaitingConnections implements AutoCloseable {

    private static final short FETCH_VERSION = 11;
    private static final int WAIT_MS = 600_000;

    private final List<SocketChannel> channels = new ArrayList<>();

    static WaitingConnections open(String address, int count, String topic) {
        int colon = address.lastIndexOf(':');
        InetSocketAddress at =
                new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        WaitingConnections waiting = new WaitingConnections();
        try {
            for (int i = 0; i < count; i++) {
                SocketChannel channel = SocketChannel.open(at);
                waiting.channels.add(channel);
                ByteBuffer request = fetch(topic, i);
                while (request.hasRemaining()) {
                    channel.write(request);
                }
                channel.configureBlocking(false);
            }
            return waiting;
        } catch (IOException e) {
            waiting.close();
            throw new BenchmarkException("connection " + waiting.channels.size() + " failed: " + e, e);
        }
    }

    private static ByteBuffer fetch(String topic, int correlationId) {
        FetchRequestData data = new FetchRequestData()
                .setReplicaId(-1)
                .setMaxWaitMs(WAIT_MS)
                .setMinBytes(1)
                .setMaxBytes(1 << 20)
                .setSessionEpoch(-1)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic(topic)
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setPartition(0)
                                .setFetchOffset(0)
                                .setPartitionMaxBytes(1 << 20)))));
        ByteBuffer bytes = new FetchRequest(data, FETCH_VERSION)
                .serializeWithHeader(new RequestHeader(ApiKeys.FETCH, FETCH_VERSION, "waiting", correlationId));
        return ByteBuffer.allocate(Integer.BYTES + bytes.remaining())
                .putInt(bytes.remaining())
                .put(bytes)
                .flip();
    }

    /** Returns how many the broker has neither closed nor answered. */
    int stillOpen() {
        int open = 0;
        for (SocketChannel channel : channels) {
            try {
                open += channel.read(ByteBuffer.allocate(1)) == 0 ? 1 : 0;
            } catch (IOException e) {
                // It is not.
            }
        }
        return open;
    }

    @Override
    public void close() {
        for (SocketChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is gone either way.
            }
        }
    }
}
