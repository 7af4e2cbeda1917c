package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.systemtests.process.Distribution;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kafka-transactions.sh}: what is seen of a transaction, and how one that hangs is ended. */
final class TransactionsToolTest {

    @TempDir
    static Path directory;

    @Test
    @Tag("long")
    void shouldShowATransactionAndEndIt() throws IOException, InterruptedException, ExecutionException {
        Scripts scripts = new Scripts(directory);
        try (BrokerProcess broker = BrokerProcess.start(
                        Distribution.home(), directory.resolve("data"), 0, directory.resolve("broker.log"), List.of());
                KafkaProducer<String, String> producer = new KafkaProducer<>(
                        Map.of(
                                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                                broker.address(),
                                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                                "hanging"),
                        new StringSerializer(),
                        new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("orders", 0, null, "x")).get();

            assertThat(transactions(scripts, broker, "list")).containsPattern("hanging\\s+\\d+\\s+\\d+\\s+Ongoing");
            assertThat(transactions(scripts, broker, "describe", "--transactional-id", "hanging"))
                    .contains("Ongoing", "orders-0");
            assertThat(transactions(scripts, broker, "describe-producers", "--topic", "orders", "--partition", "0"))
                    .containsPattern("\\d+\\s+0\\s+-?\\d+\\s+0\\s+\\d+\\s+0");

            transactions(scripts, broker, "abort", "--topic", "orders", "--partition", "0", "--start-offset", "0");

            assertThat(transactions(scripts, broker, "describe-producers", "--topic", "orders", "--partition", "0"))
                    .contains("None");
            assertThatThrownBy(producer::commitTransaction).isInstanceOf(KafkaException.class);
        }
    }

    private static String transactions(Scripts scripts, BrokerProcess broker, String... arguments)
            throws IOException, InterruptedException {
        String[] all = new String[arguments.length + 2];
        all[0] = "--bootstrap-server";
        all[1] = broker.address();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return scripts.out("kafka-transactions.sh", all);
    }
}
