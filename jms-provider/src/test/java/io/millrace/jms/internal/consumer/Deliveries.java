package io.millrace.jms.internal.consumer;

import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.DeliveryEntries;
import io.millrace.wire.frame.DeliveryForm;
import io.millrace.wire.message.Message;
import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.MessageRecords;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordCursor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Makes deliveries of text messages as a server does. */
public final class Deliveries {

    private static final int BATCH_BYTES = 4_000_000;

    private Deliveries() {}

    /** A delivery of new messages with offsets from {@code baseOffset} on, each delivered for the first time. */
    public static Deliver records(int session, int consumer, long acquisition, long baseOffset, String... texts) {
        int[] counts = new int[texts.length];
        Arrays.fill(counts, 1);
        return records(session, consumer, acquisition, 1, baseOffset, counts, texts);
    }

    /** A delivery with everything that may differ. */
    public static Deliver records(
            int session,
            int consumer,
            long acquisition,
            int leaderEpoch,
            long baseOffset,
            int[] counts,
            String... texts) {
        ByteBuffer batch = batch(baseOffset, Compression.NONE, texts);
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        try (RecordCursor records = RecordBatch.at(batch, 0).records()) {
            while (records.next()) {
                ByteBuffer record = records.rawRecord();
                byte[] bytes = new byte[record.remaining()];
                record.get(bytes);
                raw.writeBytes(bytes);
            }
        }
        int[] deltas = new int[texts.length];
        Arrays.setAll(deltas, i -> i);
        return new Deliver(
                session,
                consumer,
                0,
                leaderEpoch,
                acquisition,
                DeliveryForm.RECORDS,
                baseOffset,
                1_000,
                DeliveryEntries.of(deltas, counts),
                ByteBuffer.wrap(raw.toByteArray()));
    }

    /** A delivery of some messages of a compressed batch. */
    public static Deliver wholeBatch(
            int session, int consumer, long acquisition, long baseOffset, int[] deltas, String... texts) {
        int[] counts = new int[deltas.length];
        Arrays.fill(counts, 1);
        return new Deliver(
                session,
                consumer,
                0,
                1,
                acquisition,
                DeliveryForm.BATCH,
                baseOffset,
                0,
                DeliveryEntries.of(deltas, counts),
                batch(baseOffset, Compression.GZIP, texts));
    }

    private static ByteBuffer batch(long baseOffset, Compression compression, String... texts) {
        RecordBatchBuilder builder = new RecordBatchBuilder(BATCH_BYTES, BATCH_BYTES).compression(compression);
        builder.baseOffset(baseOffset);
        for (String text : texts) {
            Message message =
                    Message.builder(MessageBody.text(text)).timestampMs(1_000).build();
            MessageRecords.encode(message).tryAppendTo(builder);
        }
        return builder.build();
    }
}
