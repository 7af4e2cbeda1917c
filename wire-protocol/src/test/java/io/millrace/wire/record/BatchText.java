package io.millrace.wire.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.jspecify.annotations.Nullable;

/** A batch in words, the same whether our classes or Kafka's have read it. */
final class BatchText {
    private BatchText() {}

    static List<String> byUs(ByteBuffer buffer) {
        RecordBatch batch = RecordBatch.at(buffer, buffer.position());
        batch.validateRecords(BatchLimits.forLog(1_000_000));
        List<String> lines = new ArrayList<>(header(
                batch.baseOffset(),
                batch.lastOffset(),
                batch.partitionLeaderEpoch(),
                batch.crc(),
                batch.compression().name(),
                batch.timestampType().name(),
                batch.isTransactional(),
                batch.isControl(),
                batch.baseTimestampMs(),
                batch.maxTimestampMs(),
                batch.producerId() + "/" + batch.producerEpoch() + "/" + batch.baseSequence(),
                batch.recordCount()));
        TestBytes.records(batch).forEach(record -> lines.add(line(record)));
        return lines;
    }

    static List<String> byKafka(DefaultRecordBatch batch) {
        batch.ensureValid();
        List<String> lines = new ArrayList<>(header(
                batch.baseOffset(),
                batch.lastOffset(),
                batch.partitionLeaderEpoch(),
                batch.checksum(),
                batch.compressionType().name.toUpperCase(Locale.ROOT),
                batch.timestampType().name(),
                batch.isTransactional(),
                batch.isControlBatch(),
                batch.baseTimestamp(),
                batch.maxTimestamp(),
                batch.producerId() + "/" + batch.producerEpoch() + "/" + batch.baseSequence(),
                batch.countOrNull()));
        records(batch).forEach(record -> lines.add(line(record)));
        return lines;
    }

    /** Kafka's records as ours. */
    static List<Record> records(DefaultRecordBatch batch) {
        List<Record> records = new ArrayList<>();
        for (org.apache.kafka.common.record.internal.Record record : batch) {
            List<RecordHeader> headers = new ArrayList<>();
            for (Header header : record.headers()) {
                headers.add(new RecordHeader(header.key(), header.value()));
            }
            records.add(new Record(
                    record.offset(), record.timestamp(), bytes(record.key()), bytes(record.value()), headers));
        }
        return records;
    }

    @SuppressWarnings("TooManyParameters") // one line of text each
    private static List<String> header(
            long baseOffset,
            long lastOffset,
            int leaderEpoch,
            long crc,
            String compression,
            String timestampType,
            boolean transactional,
            boolean control,
            long baseTimestampMs,
            long maxTimestampMs,
            String producer,
            int recordCount) {
        return List.of(
                "offsets: " + baseOffset + " to " + lastOffset,
                "leader epoch: " + leaderEpoch,
                "crc: " + HexFormat.of().toHexDigits(crc, 8),
                "compression: " + compression,
                "timestamps: " + timestampType + " base " + baseTimestampMs + " max " + maxTimestampMs,
                "transactional: " + transactional,
                "control: " + control,
                "producer: " + producer,
                "records: " + recordCount);
    }

    private static String line(Record record) {
        String headers = record.headers().stream()
                .map(header -> text(header.name().getBytes(UTF_8)) + "=" + text(header.value()))
                .collect(Collectors.joining(", "));
        return "- " + record.offset() + " at " + record.timestampMs() + ": key " + text(record.key()) + ", value "
                + text(record.value()) + ", headers [" + headers + "]";
    }

    private static String text(byte @Nullable [] bytes) {
        if (bytes == null) {
            return "null";
        }
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            if (text.chars().noneMatch(Character::isISOControl)) {
                return '"' + text + '"';
            }
        } catch (CharacterCodingException notText) {
            // Shown as numbers.
        }
        return "0x" + HexFormat.of().formatHex(bytes);
    }

    private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
        return buffer == null ? null : TestBytes.copy(buffer);
    }
}
