package io.millrace.log.internal.producer;

import io.millrace.wire.record.Crc32c;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of all producers as a file, in Kafka's format (version 1): a header, then an entry for each producer with its last batch, oldest
 * producer first. Behind that, where Kafka's readers look no more, come the batches before the last one, so that a retry of any of the last
 * five is recognized after a restart too. {@code docs/log-format.md} has the bytes.
 */
public final class ProducerSnapshot {
    private static final short VERSION = 1;
    private static final int CRC_POSITION = 2;
    private static final int ENTRIES_POSITION = 6;
    private static final int ENTRY_BYTES = 46;

    /** {@code MRPB}: begins the part that is ours. */
    private static final int EXTENSION_MAGIC = 0x4D525042;

    private static final int BATCH_BYTES = 28;

    private ProducerSnapshot() {}

    /** Writes the state. */
    public static ByteBuffer encode(ProducerStates states) {
        int older = 0;
        for (ProducerEntry entry : states.entries()) {
            older += Math.max(0, entry.batchCount() - 1);
        }
        int size = ENTRIES_POSITION
                + Integer.BYTES
                + states.size() * ENTRY_BYTES
                + Integer.BYTES
                + states.size()
                + older * BATCH_BYTES;
        ByteBuffer out = ByteBuffer.allocate(size);
        out.putShort(VERSION).putInt(0).putInt(states.size());
        for (ProducerEntry entry : states.entries()) {
            encode(entry, out);
        }
        out.putInt(EXTENSION_MAGIC);
        for (ProducerEntry entry : states.entries()) {
            int count = Math.max(0, entry.batchCount() - 1);
            out.put((byte) count);
            for (int age = count; age >= 1; age--) {
                ProducerEntry.Batch batch = entry.batch(age);
                out.putInt(batch.firstSequence())
                        .putInt(batch.lastSequence())
                        .putLong(batch.lastOffset())
                        .putInt(batch.offsetDelta())
                        .putLong(batch.timestampMs());
            }
        }
        out.flip();
        out.putInt(CRC_POSITION, (int) Crc32c.of(out, ENTRIES_POSITION, out.limit() - ENTRIES_POSITION));
        return out;
    }

    private static void encode(ProducerEntry entry, ByteBuffer out) {
        boolean empty = entry.batchCount() == 0;
        out.putLong(entry.producerId()).putShort(entry.epoch());
        out.putInt(empty ? -1 : entry.batch(0).lastSequence());
        out.putLong(empty ? ProducerEntry.NO_OFFSET : entry.batch(0).lastOffset());
        out.putInt(empty ? 0 : entry.batch(0).offsetDelta());
        out.putLong(entry.lastTimestampMs()).putInt(entry.coordinatorEpoch()).putLong(entry.transactionFirstOffset());
    }

    /** Whether these bytes are a whole, undamaged snapshot. */
    public static boolean isValid(ByteBuffer file) {
        if (file.remaining() < ENTRIES_POSITION + Integer.BYTES || file.getShort(0) != VERSION) {
            return false;
        }
        int count = file.getInt(ENTRIES_POSITION);
        long entriesEnd = ENTRIES_POSITION + Integer.BYTES + (long) count * ENTRY_BYTES;
        return count >= 0
                && entriesEnd <= file.limit()
                && file.getInt(CRC_POSITION) == (int) Crc32c.of(file, ENTRIES_POSITION, file.limit() - ENTRIES_POSITION)
                && isExtensionWhole(file.duplicate().position((int) entriesEnd), count);
    }

    /** A checksum says that the bytes are those that were written, not that whoever wrote them knew the format. */
    private static boolean isExtensionWhole(ByteBuffer older, int entries) {
        if (older.remaining() < Integer.BYTES || older.getInt() != EXTENSION_MAGIC) {
            return true;
        }
        for (int i = 0; i < entries; i++) {
            int batches = older.hasRemaining() ? older.get() : -1;
            if (batches < 0 || older.remaining() < batches * BATCH_BYTES) {
                return false;
            }
            older.position(older.position() + batches * BATCH_BYTES);
        }
        return true;
    }

    /**
     * Makes the states those of a snapshot.
     *
     * @param file a valid snapshot
     * @param endOffset the offset that it was taken at
     * @param nowMs wall clock, from which on the producers count as idle
     */
    public static void restore(ByteBuffer file, ProducerStates states, long endOffset, long nowMs) {
        states.reset(endOffset);
        ByteBuffer in = file.duplicate().position(ENTRIES_POSITION);
        int count = in.getInt();
        ByteBuffer older = in.duplicate().position(in.position() + count * ENTRY_BYTES);
        boolean extended = older.remaining() >= Integer.BYTES && older.getInt() == EXTENSION_MAGIC;
        for (int i = 0; i < count; i++) {
            long producerId = in.getLong();
            ProducerEntry entry = new ProducerEntry(producerId, in.getShort(), nowMs);
            if (extended) {
                restoreOlder(older, entry);
            }
            restoreLast(in, entry);
            states.restore(entry);
        }
    }

    /** A line for each producer of a valid snapshot. */
    public static List<String> describe(ByteBuffer file) {
        ProducerStates states = new ProducerStates(Integer.MAX_VALUE);
        restore(file, states, 0, 0);
        List<String> lines = new ArrayList<>();
        for (ProducerEntry entry : states.entries()) {
            StringBuilder line = new StringBuilder("producer " + entry.producerId() + " epoch " + entry.epoch());
            if (entry.inTransaction()) {
                line.append(", transaction since offset ").append(entry.transactionFirstOffset());
            }
            for (int age = 0; age < entry.batchCount(); age++) {
                ProducerEntry.Batch batch = entry.batch(age);
                line.append(age == 0 ? ": " : "; ")
                        .append("sequence ")
                        .append(batch.firstSequence())
                        .append("..")
                        .append(batch.lastSequence())
                        .append(" at offset ")
                        .append(batch.firstOffset());
            }
            lines.add(line.toString());
        }
        return lines;
    }

    private static void restoreOlder(ByteBuffer in, ProducerEntry entry) {
        for (int left = in.get(); left > 0; left--) {
            entry.addBatch(new ProducerEntry.Batch(in.getInt(), in.getInt(), in.getLong(), in.getInt(), in.getLong()));
        }
    }

    private static void restoreLast(ByteBuffer in, ProducerEntry entry) {
        int lastSequence = in.getInt();
        long lastOffset = in.getLong();
        int offsetDelta = in.getInt();
        long timestampMs = in.getLong();
        if (lastOffset >= 0) {
            int firstSequence = lastSequence < 0 ? lastSequence : (lastSequence - offsetDelta) & Integer.MAX_VALUE;
            entry.addBatch(new ProducerEntry.Batch(firstSequence, lastSequence, lastOffset, offsetDelta, timestampMs));
        }
        entry.restore(in.getInt(), in.getLong(), timestampMs);
    }
}
