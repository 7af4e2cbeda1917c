package io.millrace.wire.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Everything that a batch can be made of, drawn from a seed. */
record RandomBatch(
        Compression compression,
        long baseOffset,
        int partitionLeaderEpoch,
        long producerId,
        short producerEpoch,
        int baseSequence,
        boolean transactional,
        List<Record> records) {

    static RandomBatch ofSeed(long seed) {
        Random random = new Random(seed);
        Compression compression = Compression.forId(random.nextInt(5));
        long baseOffset = random.nextBoolean() ? 0 : random.nextLong(1L << 62);
        boolean idempotent = random.nextBoolean();
        boolean transactional = idempotent && random.nextBoolean();
        int count = random.nextInt(8) == 0 ? 1 + random.nextInt(400) : 1 + random.nextInt(10);
        List<Record> records = new ArrayList<>();
        long baseTimestampMs = random.nextLong(1L << 41);
        for (int i = 0; i < count; i++) {
            records.add(record(random, baseOffset + i, baseTimestampMs));
        }
        return new RandomBatch(
                compression,
                baseOffset,
                random.nextInt(5) - 1,
                idempotent ? random.nextLong(1L << 62) : RecordBatch.NO_PRODUCER_ID,
                idempotent ? (short) random.nextInt(Short.MAX_VALUE) : RecordBatch.NO_PRODUCER_EPOCH,
                idempotent ? random.nextInt(Integer.MAX_VALUE) : RecordBatch.NO_SEQUENCE,
                transactional,
                records);
    }

    private static Record record(Random random, long offset, long baseTimestampMs) {
        long timestampMs = switch (random.nextInt(4)) {
            case 0 -> baseTimestampMs;
            case 1 -> baseTimestampMs + random.nextInt(1000);
            case 2 -> Math.max(0, baseTimestampMs - random.nextInt(1_000_000));
            default -> random.nextLong(1L << 50);
        };
        List<RecordHeader> headers = new ArrayList<>();
        int headerCount = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(4);
        for (int i = 0; i < headerCount; i++) {
            headers.add(new RecordHeader(name(random), bytes(random, 40)));
        }
        return new Record(offset, timestampMs, bytes(random, 100), bytes(random, 3_000), headers);
    }

    private static String name(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> "größe \uD83D\uDE80";
            default -> "header" + random.nextInt(10);
        };
    }

    private static byte @Nullable [] bytes(Random random, int most) {
        int kind = random.nextInt(5);
        if (kind == 0) {
            return null;
        }
        byte[] bytes = new byte[kind == 1 ? 0 : random.nextInt(most)];
        if (random.nextBoolean()) {
            random.nextBytes(bytes);
        }
        return bytes;
    }

    RecordBatchBuilder into(RecordBatchBuilder builder) {
        builder.reset()
                .compression(compression)
                .baseOffset(baseOffset)
                .partitionLeaderEpoch(partitionLeaderEpoch)
                .producer(producerId, producerEpoch, baseSequence)
                .transactional(transactional);
        for (Record record : records) {
            if (!builder.tryAppend(record.timestampMs(), record.key(), record.value(), record.headers())) {
                throw new AssertionError("the builder is too small for this test");
            }
        }
        return builder;
    }
}
