package io.millrace.broker.internal.network;

import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Readable;

/**
 * The bytes of one request, for Kafka's decoder: so many fields of it are read and no more. Each becomes an object or a part of one, and of a few
 * bytes at that: a request of a hundred megabytes that consists of empty structures would take the whole heap, and this is found before
 * it does.
 */
final class RequestFields extends ByteBufferAccessor {

    /** Enough for the largest requests that clients make: 100,000 partitions of a fetch have 700,000 fields. */
    static final int MOST_FIELDS = 1_000_000;

    /** What a field takes of the heap, about. */
    private static final int BYTES_PER_FIELD = 32;

    private final int most;
    private int count;

    RequestFields(ByteBuffer bytes, int most) {
        super(bytes);
        this.most = most;
    }

    /** Returns what was read takes of the heap, about. */
    int heapBytes() {
        return count * BYTES_PER_FIELD;
    }

    private void next() {
        if (++count > most) {
            throw new InvalidRequestException("a request of more than " + most + " fields");
        }
    }

    /** What is left to read, as the decoder asks before it makes a collection: no more elements than fields that may come. */
    @Override
    public int remaining() {
        return Math.min(super.remaining(), most - count);
    }

    @Override
    public byte readByte() {
        next();
        return super.readByte();
    }

    @Override
    public short readShort() {
        next();
        return super.readShort();
    }

    @Override
    public int readInt() {
        next();
        return super.readInt();
    }

    @Override
    public long readLong() {
        next();
        return super.readLong();
    }

    @Override
    public double readDouble() {
        next();
        return super.readDouble();
    }

    @Override
    public int readUnsignedVarint() {
        next();
        return super.readUnsignedVarint();
    }

    @Override
    public int readVarint() {
        next();
        return super.readVarint();
    }

    @Override
    public long readVarlong() {
        next();
        return super.readVarlong();
    }

    @Override
    public Readable slice() {
        return new RequestFields(buffer().slice(), most - count);
    }
}
