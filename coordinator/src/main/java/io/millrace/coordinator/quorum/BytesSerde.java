package io.millrace.coordinator.quorum;

import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.server.common.serialization.RecordSerde;

/** The quorum does not look into its records. */
final class BytesSerde implements RecordSerde<byte[]> {

    @Override
    public int recordSize(byte[] record, ObjectSerializationCache cache) {
        return record.length;
    }

    @Override
    public void write(byte[] record, ObjectSerializationCache cache, Writable out) {
        out.writeByteArray(record);
    }

    @Override
    public byte[] read(Readable in, int size) {
        return in.readArray(size);
    }
}
