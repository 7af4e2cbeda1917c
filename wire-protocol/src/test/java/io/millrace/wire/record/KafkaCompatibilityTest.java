package io.millrace.wire.record;

import static io.millrace.wire.record.TestBytes.copy;
import static io.millrace.wire.record.TestBytes.records;
import static io.millrace.wire.record.TestBytes.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Kafka's own classes read what we write, and the reverse. */
class KafkaCompatibilityTest {
    private static final int SEEDS = 300;
    private static final int LARGE = 16 * 1024 * 1024;
    private static final BatchLimits CLIENT = BatchLimits.forClient(LARGE);
    private static final BatchLimits LOG = BatchLimits.forLog(LARGE);

    private final RecordBatchBuilder builder = new RecordBatchBuilder(LARGE, LARGE);

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldBeReadByKafka(long seed) {
        RandomBatch random = RandomBatch.ofSeed(seed);

        ByteBuffer written = random.into(builder).build();

        DefaultRecordBatch batch = onlyBatch(written);
        batch.ensureValid();
        assertThat(batch.baseOffset()).isEqualTo(random.baseOffset());
        assertThat(batch.lastOffset())
                .isEqualTo(random.baseOffset() + random.records().size() - 1);
        assertThat(batch.partitionLeaderEpoch()).isEqualTo(random.partitionLeaderEpoch());
        assertThat(batch.producerId()).isEqualTo(random.producerId());
        assertThat(batch.producerEpoch()).isEqualTo(random.producerEpoch());
        assertThat(batch.baseSequence()).isEqualTo(random.baseSequence());
        assertThat(batch.isTransactional()).isEqualTo(random.transactional());
        assertThat(batch.isControlBatch()).isFalse();
        assertThat((int) batch.compressionType().id)
                .isEqualTo(random.compression().id());
        assertThat(batch.countOrNull()).isEqualTo(random.records().size());
        assertThat(batch.maxTimestamp())
                .isEqualTo(random.records().stream()
                        .mapToLong(Record::timestampMs)
                        .max()
                        .orElseThrow());
        assertThat(batch.sizeInBytes()).isEqualTo(written.remaining());
        assertThat(BatchText.records(batch)).isEqualTo(random.records());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldReadWhatKafkaWrote(long seed) {
        RandomBatch random = RandomBatch.ofSeed(seed);

        ByteBuffer written = writtenByKafka(random);

        for (ByteBuffer buffer : List.of(written, TestBytes.direct(written), written.asReadOnlyBuffer())) {
            RecordBatch batch = RecordBatch.at(buffer, buffer.position());
            RecordsSummary summary = batch.validateRecords(CLIENT);
            DefaultRecordBatch kafkas = onlyBatch(written.duplicate());
            assertThat(summary.maxTimestampMs()).isEqualTo(kafkas.maxTimestamp());
            assertThat(batch.baseOffset()).isEqualTo(kafkas.baseOffset());
            assertThat(batch.nextOffset()).isEqualTo(kafkas.nextOffset());
            assertThat(batch.baseTimestampMs()).isEqualTo(kafkas.baseTimestamp());
            assertThat(batch.maxTimestampMs()).isEqualTo(kafkas.maxTimestamp());
            assertThat(batch.partitionLeaderEpoch()).isEqualTo(kafkas.partitionLeaderEpoch());
            assertThat(batch.compression().id()).isEqualTo(kafkas.compressionType().id);
            assertThat(batch.producerId()).isEqualTo(kafkas.producerId());
            assertThat(batch.producerEpoch()).isEqualTo(kafkas.producerEpoch());
            assertThat(batch.baseSequence()).isEqualTo(kafkas.baseSequence());
            assertThat(batch.lastSequence()).isEqualTo(kafkas.lastSequence());
            assertThat(batch.isTransactional()).isEqualTo(kafkas.isTransactional());
            assertThat(batch.crc()).isEqualTo(kafkas.checksum());
            assertThat(records(batch)).isEqualTo(random.records());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldWriteTheSameBytesAsKafkaWithoutCompression(long seed) {
        RandomBatch some = RandomBatch.ofSeed(seed);
        RandomBatch random = new RandomBatch(
                Compression.NONE,
                some.baseOffset(),
                some.partitionLeaderEpoch(),
                some.producerId(),
                some.producerEpoch(),
                some.baseSequence(),
                some.transactional(),
                some.records());

        assertThat(copy(random.into(builder).build())).isEqualTo(copy(writtenByKafka(random)));
    }

    @ParameterizedTest
    @EnumSource(
            value = io.millrace.wire.record.ControlRecordType.class,
            names = {"COMMIT", "ABORT"})
    void shouldWriteTheSameEndOfTransactionAsKafka(io.millrace.wire.record.ControlRecordType type) {
        ControlRecordType kafkaType = ControlRecordType.fromTypeId(type.id());
        MemoryRecords byKafka = MemoryRecords.withEndTransactionMarker(
                1_000,
                1_700_000_000_000L,
                4,
                9_000,
                (short) 3,
                new org.apache.kafka.common.record.internal.EndTransactionMarker(kafkaType, 17));

        ByteBuffer written = builder.appendEndTransaction(1_700_000_000_000L, new EndTransactionMarker(type, 17))
                .baseOffset(1_000)
                .partitionLeaderEpoch(4)
                .producer(9_000, (short) 3, RecordBatch.NO_SEQUENCE)
                .build();

        assertThat(copy(written)).isEqualTo(copy(byKafka.buffer()));
        RecordBatch batch = RecordBatch.at(byKafka.buffer(), 0);
        batch.validateRecords(LOG);
        try (RecordCursor cursor = batch.records()) {
            assertThat(cursor.next()).isTrue();
            assertThat(EndTransactionMarker.readFrom(cursor)).isEqualTo(new EndTransactionMarker(type, 17));
        }
    }

    @Test
    void shouldTellTheQuorumsControlRecordsFromEndsOfTransactions() {
        MemoryRecords records = MemoryRecords.withLeaderChangeMessage(
                5, 1_000, 2, ByteBuffer.allocate(256), new LeaderChangeMessage().setLeaderId(1));

        RecordBatch batch = RecordBatch.at(records.buffer(), 0);

        batch.validateRecords(LOG);
        assertThat(batch.isControl()).isTrue();
        try (RecordCursor cursor = batch.records()) {
            assertThat(cursor.next()).isTrue();
            assertThat(EndTransactionMarker.typeOf(cursor))
                    .isEqualTo(io.millrace.wire.record.ControlRecordType.LEADER_CHANGE);
            assertThatThrownBy(() -> EndTransactionMarker.readFrom(cursor))
                    .isInstanceOf(CorruptBatchException.class)
                    .hasMessageContaining("LEADER_CHANGE");
        }
    }

    @Test
    void shouldGiveAllRecordsTheAppendTimeLikeKafka() {
        ByteBuffer ours =
                ByteBuffer.wrap(copy(RandomBatch.ofSeed(1).into(builder).build()));
        ByteBuffer kafkas = ByteBuffer.wrap(copy(ours));

        RecordBatch.setMaxTimestamp(ours, 0, TimestampType.LOG_APPEND_TIME, 1_234_567);
        onlyBatch(kafkas).setMaxTimestamp(org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME, 1_234_567);

        assertThat(copy(ours)).isEqualTo(copy(kafkas));
        RecordBatch batch = RecordBatch.at(ours, 0);
        batch.validateRecords(CLIENT);
        assertThat(batch.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(records(batch)).extracting(Record::timestampMs).containsOnly(1_234_567L);
        assertThat(records(batch)).isEqualTo(BatchText.records(onlyBatch(kafkas)));
    }

    @Test
    void shouldPatchOffsetAndEpochLikeKafka() {
        ByteBuffer ours =
                ByteBuffer.wrap(copy(RandomBatch.ofSeed(2).into(builder).build()));
        ByteBuffer kafkas = ByteBuffer.wrap(copy(ours));
        DefaultRecordBatch kafkaBatch = onlyBatch(kafkas);
        long count = kafkaBatch.countOrNull();

        RecordBatch.setBaseOffset(ours, 0, 5_000);
        RecordBatch.setPartitionLeaderEpoch(ours, 0, 12);
        kafkaBatch.setLastOffset(5_000 + count - 1);
        kafkaBatch.setPartitionLeaderEpoch(12);

        assertThat(copy(ours)).isEqualTo(copy(kafkas));
        RecordBatch.at(ours, 0).validateRecords(CLIENT);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldReadBatchesThatCompactionLeft(long seed) {
        RandomBatch random = RandomBatch.ofSeed(seed);
        boolean evenOnly = seed % 3 != 0;

        ByteBuffer compacted = compact(writtenByKafka(random), record -> evenOnly && record.offset() % 2 == 0);

        List<Record> kept = random.records().stream()
                .filter(record -> evenOnly && record.offset() % 2 == 0)
                .toList();
        RecordBatch batch = RecordBatch.at(compacted, 0);
        RecordsSummary summary = batch.validateRecords(LOG);
        assertThat(summary.recordCount()).isEqualTo(kept.size());
        assertThat(records(batch)).isEqualTo(kept);
        assertThat(batch.lastOffset())
                .isEqualTo(random.baseOffset() + random.records().size() - 1);
        if (kept.size() < random.records().size()) {
            assertThatThrownBy(() -> batch.validate(CLIENT)).isInstanceOf(InvalidBatchException.class);
        }
    }

    @Test
    void shouldReadTombstonesWithDeleteHorizon() {
        RandomBatch random = RandomBatch.ofSeed(3);
        Record tombstone = new Record(random.baseOffset(), 5_000, utf8("k"), null, List.of());
        RandomBatch batchWithTombstone = new RandomBatch(
                Compression.NONE, random.baseOffset(), 1, -1, (short) -1, -1, false, List.of(tombstone));

        ByteBuffer compacted = compact(writtenByKafka(batchWithTombstone), record -> true);

        RecordBatch batch = RecordBatch.at(compacted, 0);
        batch.validateRecords(LOG);
        assertThat(batch.hasDeleteHorizon()).isTrue();
        assertThat(onlyBatch(compacted).deleteHorizonMs()).isEqualTo(OptionalLong.of(batch.baseTimestampMs()));
        assertThat(records(batch)).containsExactly(tombstone);
    }

    private static DefaultRecordBatch onlyBatch(ByteBuffer buffer) {
        List<MutableRecordBatch> batches = new ArrayList<>();
        MemoryRecords.readableRecords(buffer.duplicate()).batches().forEach(batches::add);
        assertThat(batches).hasSize(1);
        return (DefaultRecordBatch) batches.get(0);
    }

    private static ByteBuffer writtenByKafka(RandomBatch random) {
        try (MemoryRecordsBuilder kafka = MemoryRecords.builder(
                ByteBuffer.allocate(4096),
                org.apache.kafka.common.record.internal.RecordBatch.MAGIC_VALUE_V2,
                org.apache.kafka.common.compress.Compression.of(
                                random.compression().name().toLowerCase(java.util.Locale.ROOT))
                        .build(),
                org.apache.kafka.common.record.TimestampType.CREATE_TIME,
                random.baseOffset(),
                RecordBatch.NO_TIMESTAMP,
                random.producerId(),
                random.producerEpoch(),
                random.baseSequence(),
                random.transactional(),
                random.partitionLeaderEpoch())) {
            for (Record record : random.records()) {
                RecordHeaders headers = new RecordHeaders();
                record.headers().forEach(header -> headers.add(header.name(), header.value()));
                kafka.append(new SimpleRecord(record.timestampMs(), record.key(), record.value(), headers.toArray()));
            }
            return ByteBuffer.wrap(copy(kafka.build().buffer()));
        }
    }

    /** Kafka's log cleaner, down to its rewriting of a batch. */
    private static ByteBuffer compact(
            ByteBuffer batch, java.util.function.Predicate<org.apache.kafka.common.record.internal.Record> kept) {
        ByteBuffer target = ByteBuffer.allocate(batch.remaining() + 1024);
        MemoryRecords.RecordFilter filter = new MemoryRecords.RecordFilter(1_000, 2_000) {
            @Override
            protected BatchRetentionResult checkBatchRetention(
                    org.apache.kafka.common.record.internal.RecordBatch ignored) {
                return new BatchRetentionResult(BatchRetention.RETAIN_EMPTY, false);
            }

            @Override
            protected boolean shouldRetainRecord(
                    org.apache.kafka.common.record.internal.RecordBatch ignored,
                    org.apache.kafka.common.record.internal.Record record) {
                return kept.test(record);
            }
        };
        ByteBuffer output = MemoryRecords.readableRecords(batch)
                .filterTo(filter, target, BufferSupplier.NO_CACHING, LARGE)
                .outputBuffer();
        return ByteBuffer.wrap(copy(output.duplicate().flip()));
    }
}
