package io.millrace.jms.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Murmur2Test {

    /** Published by Kafka for clients in other languages. */
    @ParameterizedTest
    @CsvSource({
        "21, -973932308",
        "foobar, -790332482",
        "a-little-bit-long-string, -985981536",
        "a-little-bit-longer-string, -1486304829",
        "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8, -58897971",
        "abc, 479470107"
    })
    void shouldHashAsKafkasClientsDo(String key, int hash) {
        assertThat(Murmur2.hash(key.getBytes(StandardCharsets.UTF_8))).isEqualTo(hash);
    }

    @ParameterizedTest
    @CsvSource({"21, 1", "21, 7", "foobar, 12", "'', 3"})
    void shouldChooseAPartitionThatExists(String key, int partitions) {
        assertThat(Murmur2.partition(key.getBytes(StandardCharsets.UTF_8), partitions))
                .isBetween(0, partitions - 1);
    }
}
