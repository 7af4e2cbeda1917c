package io.millrace.wire.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LegacyMessagesTest {
    private static final int MAX = 1 << 20;

    private static org.apache.kafka.common.compress.Compression codec(String name) {
        return switch (name) {
            case "gzip" -> org.apache.kafka.common.compress.Compression.gzip().build();
            case "snappy" ->
                org.apache.kafka.common.compress.Compression.snappy().build();
            case "lz4" -> org.apache.kafka.common.compress.Compression.lz4().build();
            default -> org.apache.kafka.common.compress.Compression.NONE;
        };
    }

    /** As Kafka's own classes write it. */
    private static ByteBuffer kafkaSet(byte magic, String codec, int count) {
        MemoryRecordsBuilder builder =
                MemoryRecords.builder(ByteBuffer.allocate(MAX), magic, codec(codec), TimestampType.CREATE_TIME, 0);
        for (int i = 0; i < count; i++) {
            builder.append(1_000L + i, i % 3 == 0 ? null : ("key-" + i).getBytes(UTF_8), i % 5 == 4 ? null : value(i));
        }
        return builder.build().buffer();
    }

    private static byte[] value(int i) {
        return ("value-" + i + "-" + "x".repeat(i * 7 % 90)).getBytes(UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"0,none", "0,gzip", "0,snappy", "0,lz4", "1,none", "1,gzip", "1,snappy", "1,lz4"})
    void shouldMakeABatchOfWhatOldClientsSend(byte magic, String codec) {
        ByteBuffer set = kafkaSet(magic, codec, 50);
        assertThat(LegacyMessages.isLegacy(set)).isTrue();

        RecordBatch batch = RecordBatch.at(LegacyMessages.toBatch(set, MAX, DecompressionLimits.DEFAULT), 0);

        batch.validateRecords(BatchLimits.forClient(MAX));
        assertThat(batch.compression().name().toLowerCase(java.util.Locale.ROOT))
                .isEqualTo(codec);
        int i = 0;
        try (RecordCursor cursor = batch.records()) {
            for (; cursor.next(); i++) {
                assertThat(cursor.offset()).isEqualTo(i);
                assertThat(cursor.timestampMs()).isEqualTo(magic == 0 ? -1 : 1_000 + i);
                assertThat(cursor.key()).isEqualTo(i % 3 == 0 ? null : ByteBuffer.wrap(("key-" + i).getBytes(UTF_8)));
                assertThat(cursor.value()).isEqualTo(i % 5 == 4 ? null : ByteBuffer.wrap(value(i)));
            }
        }
        assertThat(i).isEqualTo(50);
        assertThat(set.position()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0,gzip", "1,gzip", "1,lz4", "1,none"})
    void shouldFindTheOffsetsOfStoredMessages(byte magic, String codec) {
        MemoryRecordsBuilder builder =
                MemoryRecords.builder(ByteBuffer.allocate(MAX), magic, codec(codec), TimestampType.CREATE_TIME, 700);
        for (int i = 0; i < 4; i++) {
            builder.append(5L, null, value(i));
        }
        List<Long> offsets = new ArrayList<>();

        LegacyMessages.read(
                builder.build().buffer(),
                DecompressionLimits.DEFAULT,
                (offset, timestampMs, key, value) -> offsets.add(offset));

        assertThat(offsets).containsExactly(700L, 701L, 702L, 703L);
    }

    @Test
    void shouldRefuseCompressedEntriesWithinCompressedOnes() {
        ByteBuffer inner = kafkaSet((byte) 1, "gzip", 3);
        ByteBuffer outer = entry((byte) 1, 1, gzip(inner));

        assertThatThrownBy(() -> LegacyMessages.toBatch(outer, MAX, DecompressionLimits.DEFAULT))
                .isInstanceOf(InvalidBatchException.class)
                .hasMessageContaining("within another");
    }

    @Test
    void shouldNotBlowUpOnABomb() {
        ByteBuffer bomb = entry((byte) 1, 1, gzip(ByteBuffer.allocate(8 << 20)));

        assertThatThrownBy(() -> LegacyMessages.toBatch(bomb, MAX, new DecompressionLimits(1 << 20)))
                .isInstanceOf(BatchTooLargeException.class);
        assertThatThrownBy(
                        () -> LegacyMessages.toBatch(kafkaSet((byte) 1, "gzip", 400), 500, DecompressionLimits.DEFAULT))
                .isInstanceOf(BatchTooLargeException.class);
    }

    @Test
    void shouldRefuseCodecsThatTheseFormatsNeverHad() {
        assertThatThrownBy(() ->
                        LegacyMessages.toBatch(entry((byte) 1, 4, new byte[] {1}), MAX, DecompressionLimits.DEFAULT))
                .isInstanceOf(UnsupportedCompressionException.class);
    }

    /** Whatever the bytes are, the answer is a batch or a refusal. */
    @Test
    void shouldRefuseDamageByNameWhateverItIs() {
        Random random = new Random(3);
        int refused = 0;
        for (int i = 0; i < 4_000; i++) {
            String codec = List.of("none", "gzip", "snappy", "lz4").get(random.nextInt(4));
            ByteBuffer set = ByteBuffer.allocate(MAX)
                    .put(kafkaSet((byte) random.nextInt(2), codec, 1 + random.nextInt(4)))
                    .flip();
            int flips = 1 + random.nextInt(3);
            for (int flip = 0; flip < flips; flip++) {
                int at = random.nextInt(set.limit());
                set.put(at, (byte) (set.get(at) ^ (1 << random.nextInt(8))));
            }
            if (random.nextInt(4) == 0) {
                set.limit(random.nextInt(set.limit() + 1));
            }
            try {
                LegacyMessages.toBatch(set, MAX, new DecompressionLimits(MAX));
            } catch (RecordFormatException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(3_000);
    }

    private static byte[] gzip(ByteBuffer content) {
        BoundedOutput output = new BoundedOutput(16 << 20, BufferSupplier.allocating(), 1_024);
        Codecs.compress(Compression.GZIP, content, output);
        ByteBuffer compressed = output.toBuffer();
        byte[] bytes = new byte[compressed.remaining()];
        compressed.get(bytes);
        return bytes;
    }

    private static ByteBuffer entry(byte magic, int attributes, byte @Nullable [] value) {
        int valueBytes = value == null ? 0 : value.length;
        ByteBuffer entry = ByteBuffer.allocate(12 + 6 + 8 + 8 + valueBytes);
        entry.putLong(0)
                .putInt(entry.capacity() - 12)
                .putInt(0)
                .put(magic)
                .put((byte) attributes)
                .putLong(9)
                .putInt(-1);
        entry.putInt(value == null ? -1 : valueBytes);
        if (value != null) {
            entry.put(value);
        }
        CRC32 sum = new CRC32();
        sum.update(entry.array(), 16, entry.position() - 16);
        return entry.putInt(12, (int) sum.getValue()).flip();
    }

    @Test
    void shouldLayOutTheEntryOfTheFirstFormat() {
        ByteBuffer entry = FirstFormat.encode(ByteBuffer.wrap("hello".getBytes(UTF_8)));

        assertThat(entry.remaining()).isEqualTo(4 + 1 + 4 + 5);
        assertThat(entry.getInt(0)).as("length: 1 + 4 + n").isEqualTo(10);
        assertThat(entry.get(4)).as("magic").isZero();
        assertThat(entry.getInt(5)).as("crc").isEqualTo(0x3610a686);
        FirstFormat.Entry read = FirstFormat.at(entry, 0);
        assertThat(read.crcValid()).isTrue();
        assertThat(UTF_8.decode(read.payload()).toString()).isEqualTo("hello");
        entry.put(9, (byte) 'H');
        assertThat(FirstFormat.at(entry, 0).crcValid()).isFalse();
        assertThatThrownBy(() -> FirstFormat.at(entry.limit(13), 0)).isInstanceOf(CorruptBatchException.class);
    }
}
