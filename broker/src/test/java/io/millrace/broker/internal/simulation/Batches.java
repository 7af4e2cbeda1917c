package io.millrace.broker.internal.simulation;

import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Batches of messages in transactions. */
final class Batches {

    private static final int MAX_BYTES = 1 << 16;

    private Batches() {}

    /** Returns some new messages. */
    static List<String> texts(SimulatedWorld world, Trial trial) {
        List<String> texts = new ArrayList<>();
        int count = 1 + world.random.nextInt(3);
        for (int i = 0; i < count; i++) {
            texts.add(world.ledger.newMessage(trial));
        }
        return texts;
    }

    static ByteBuffer of(SimulatedWorld world, List<String> texts, long producerId, short epoch, int sequence) {
        RecordBatchBuilder builder = new RecordBatchBuilder(MAX_BYTES, MAX_BYTES)
                .compression(world.random.nextInt(6) == 0 ? Compression.GZIP : Compression.NONE);
        for (String text : texts) {
            builder.tryAppend(world.time.wallClockMs(), null, text.getBytes(StandardCharsets.UTF_8));
        }
        ByteBuffer built = builder.producer(producerId, epoch, sequence)
                .transactional(true)
                .build();
        return ByteBuffer.allocate(built.remaining()).put(built).flip();
    }
}
