package io.millrace.coordinator.quorum;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.UnalignedMemoryRecords;

/**
 * What travels between members: a message of Kafka's Raft protocol, and who it is from. Bytes: {@code docs/metadata-format.md}.
 *
 * @param clusterId cluster of the sender
 * @param senderId member that sent it
 * @param senderIncarnation identity of that member's data directory
 * @param receiverId member it is meant for
 * @param correlationId the requester's number, repeated in the answer
 * @param apiKey Kafka's number of the kind of request
 * @param apiVersion version of the body
 * @param body request or response
 */
record PeerMessage(
        String clusterId,
        int senderId,
        UUID senderIncarnation,
        int receiverId,
        int correlationId,
        short apiKey,
        short apiVersion,
        ApiMessage body) {

    private static final byte FORMAT = 1;
    private static final byte REQUEST = 0;
    private static final byte RESPONSE = 1;
    private static final int FIXED_BYTES = 2 + 2 + Integer.BYTES + 2 * Long.BYTES + 2 * Integer.BYTES + 2 * Short.BYTES;

    ByteBuffer toRequestBytes() {
        return toBytes(REQUEST);
    }

    ByteBuffer toResponseBytes() {
        return toBytes(RESPONSE);
    }

    static PeerMessage ofRequest(ByteBuffer bytes) {
        return parse(bytes, REQUEST);
    }

    static PeerMessage ofResponse(ByteBuffer bytes) {
        return parse(bytes, RESPONSE);
    }

    private ByteBuffer toBytes(byte direction) {
        byte[] cluster = clusterId.getBytes(StandardCharsets.UTF_8);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + cluster.length + body.size(cache, apiVersion));
        bytes.put(FORMAT).put(direction).putShort((short) cluster.length).put(cluster);
        bytes.putInt(senderId)
                .putLong(senderIncarnation.getMostSignificantBits())
                .putLong(senderIncarnation.getLeastSignificantBits());
        bytes.putInt(receiverId).putInt(correlationId).putShort(apiKey).putShort(apiVersion);
        body.write(new CopyingAccessor(bytes), cache, apiVersion);
        return bytes.flip();
    }

    private static PeerMessage parse(ByteBuffer bytes, byte direction) {
        try {
            byte format = bytes.get();
            if (format != FORMAT) {
                throw new PeerRefusedException("a message of the metadata quorum in format " + format
                        + "; this member knows " + FORMAT + ": run the same version at all members");
            }
            byte actual = bytes.get();
            if (actual != direction) {
                throw new PeerRefusedException("direction " + actual + " where " + direction + " was expected");
            }
            String cluster = text(bytes, Short.toUnsignedInt(bytes.getShort()));
            int sender = bytes.getInt();
            UUID incarnation = new UUID(bytes.getLong(), bytes.getLong());
            int receiver = bytes.getInt();
            int correlation = bytes.getInt();
            short key = bytes.getShort();
            short version = bytes.getShort();
            ApiMessageType type = ApiMessageType.fromApiKey(key);
            ApiMessage body = direction == REQUEST ? type.newRequest() : type.newResponse();
            body.read(new ByteBufferAccessor(bytes), version);
            return new PeerMessage(cluster, sender, incarnation, receiver, correlation, key, version, body);
        } catch (PeerRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            // The generated readers throw whatever they stumble over.
            throw new PeerRefusedException("a message of the metadata quorum that cannot be read: " + e, e);
        }
    }

    private static String text(ByteBuffer bytes, int length) {
        if (length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] utf8 = new byte[length];
        bytes.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** Puts record batches into the buffer with the rest; Kafka's own senders leave them out and send them from their files. */
    private static final class CopyingAccessor extends ByteBufferAccessor {
        CopyingAccessor(ByteBuffer target) {
            super(target);
        }

        @Override
        public void writeRecords(BaseRecords records) {
            switch (records) {
                case MemoryRecords memory -> writeByteBuffer(memory.buffer().duplicate());
                case UnalignedMemoryRecords memory ->
                    writeByteBuffer(memory.buffer().duplicate());
                default -> throw new IllegalArgumentException("records that are not in memory: " + records.getClass());
            }
        }
    }
}
