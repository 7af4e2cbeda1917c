package io.millrace.wire.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bytes in {@code vectors/*.hex} mean what {@code vectors/*.txt} says. These files are the format, fixed: a change of them is a
 * change of what is on people's disks.
 */
class VectorsTest {
    static Stream<String> vectors() throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.list(directory())) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".hex"))
                    .map(name -> name.substring(0, name.length() - 4))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @Test
    void shouldHaveVectorsOfEveryKind() throws IOException, URISyntaxException {
        assertThat(vectors())
                .contains("two-records", "commit-marker", "gzip", "snappy", "lz4", "zstd", "compacted")
                .hasSizeGreaterThanOrEqualTo(17);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldReadWhatTheTextSays(String name) throws IOException, URISyntaxException {
        assertThat(BatchText.byUs(bytes(name))).isEqualTo(text(name));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldBeReadByKafkaAsTheTextSays(String name) throws IOException, URISyntaxException {
        assertThat(BatchText.byKafka(kafkaBatch(bytes(name)))).isEqualTo(text(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"two-records", "null-and-empty", "transactional", "large-numbers", "many-headers"})
    void shouldWriteTheSameBytes(String name) throws IOException, URISyntaxException {
        RecordBatch vector = RecordBatch.at(bytes(name), 0);

        RecordBatchBuilder builder = new RecordBatchBuilder(100_000, 100_000)
                .baseOffset(vector.baseOffset())
                .partitionLeaderEpoch(vector.partitionLeaderEpoch())
                .producer(vector.producerId(), vector.producerEpoch(), vector.baseSequence())
                .transactional(vector.isTransactional());
        for (Record record : TestBytes.records(vector)) {
            builder.tryAppend(record.timestampMs(), record.key(), record.value(), record.headers());
        }

        assertThat(hex(builder.build())).isEqualTo(hex(vector.slice()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit-marker", "abort-marker"})
    void shouldWriteTheSameMarkers(String name) throws IOException, URISyntaxException {
        RecordBatch vector = RecordBatch.at(bytes(name), 0);
        EndTransactionMarker marker;
        try (RecordCursor cursor = vector.records()) {
            cursor.next();
            marker = EndTransactionMarker.readFrom(cursor);
        }

        RecordBatchBuilder builder = new RecordBatchBuilder(1_000, 1_000)
                .baseOffset(vector.baseOffset())
                .partitionLeaderEpoch(vector.partitionLeaderEpoch())
                .producer(vector.producerId(), vector.producerEpoch(), RecordBatch.NO_SEQUENCE)
                .appendEndTransaction(vector.maxTimestampMs(), marker);

        assertThat(hex(builder.build())).isEqualTo(hex(vector.slice()));
        assertThat(marker.type().name().toLowerCase(java.util.Locale.ROOT) + "-marker")
                .isEqualTo(name);
        assertThat(ControlRecordType.fromTypeId(marker.type().id()).name())
                .isEqualTo(marker.type().name());
    }

    @ParameterizedTest
    @ValueSource(strings = {"two-records", "null-and-empty", "transactional", "large-numbers", "many-headers"})
    void shouldBeWhatKafkaWrites(String name) throws IOException, URISyntaxException {
        DefaultRecordBatch vector = kafkaBatch(bytes(name));

        try (MemoryRecordsBuilder kafka = MemoryRecords.builder(
                ByteBuffer.allocate(1_000),
                org.apache.kafka.common.record.internal.RecordBatch.MAGIC_VALUE_V2,
                org.apache.kafka.common.compress.Compression.NONE,
                org.apache.kafka.common.record.TimestampType.CREATE_TIME,
                vector.baseOffset(),
                RecordBatch.NO_TIMESTAMP,
                vector.producerId(),
                vector.producerEpoch(),
                vector.baseSequence(),
                vector.isTransactional(),
                vector.partitionLeaderEpoch())) {
            for (Record record : BatchText.records(vector)) {
                RecordHeaders headers = new RecordHeaders();
                record.headers().forEach(header -> headers.add(header.name(), header.value()));
                kafka.append(new SimpleRecord(record.timestampMs(), record.key(), record.value(), headers.toArray()));
            }
            assertThat(hex(kafka.build().buffer())).isEqualTo(hex(bytes(name)));
        }
    }

    @Test
    void shouldBeTheExampleInTheDocumentation() throws IOException, URISyntaxException {
        String page = Files.readString(Path.of("..", "docs", "log-format.md"));
        String example = page.substring(page.indexOf("### An example")).split("```", 3)[1];

        String bytes = example.lines()
                .filter(line -> !line.isBlank())
                .map(line -> line.split(" {2,}", 2)[0])
                .collect(Collectors.joining(" "));

        assertThat(bytes).isEqualTo(hex(bytes("two-records")));
    }

    private static DefaultRecordBatch kafkaBatch(ByteBuffer bytes) {
        List<MutableRecordBatch> batches = new ArrayList<>();
        MemoryRecords.readableRecords(bytes).batches().forEach(batches::add);
        assertThat(batches).hasSize(1);
        return (DefaultRecordBatch) batches.get(0);
    }

    private static ByteBuffer bytes(String name) throws IOException, URISyntaxException {
        String digits =
                lines(name + ".hex").stream().map(line -> line.replace(" ", "")).collect(Collectors.joining());
        return ByteBuffer.wrap(HexFormat.of().parseHex(digits));
    }

    private static List<String> text(String name) throws IOException, URISyntaxException {
        return lines(name + ".txt");
    }

    private static List<String> lines(String file) throws IOException, URISyntaxException {
        return Files.readAllLines(directory().resolve(file)).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    private static Path directory() throws URISyntaxException {
        return Path.of(VectorsTest.class.getResource("/vectors").toURI());
    }

    private static String hex(ByteBuffer bytes) {
        return HexFormat.ofDelimiter(" ").formatHex(TestBytes.copy(bytes));
    }
}
