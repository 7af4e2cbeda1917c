package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients for Node.js that speak the protocol by themselves: topics, idempotent sends, groups, offsets, compression, transactions. */
@Timeout(300)
final class NodeClientsTest {
    @TempDir
    static Path directory;

    private static NodePrograms programs;
    private static BrokerProcess broker;

    @BeforeAll
    static void startBroker() throws IOException, InterruptedException {
        programs = NodePrograms.installed();
        broker = BrokerProcess.start(
                Distribution.home(), directory.resolve("data"), 0, directory.resolve("broker.log"), List.of());
    }

    @AfterAll
    static void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void shouldServeKafkaJs() throws IOException, InterruptedException {
        assertThat(programs.run("kafkajs.mjs", broker.address()).toString())
                .isEqualTo("{\"created\":true,\"group\":{\"state\":\"Stable\",\"members\":1},\"received\":200,"
                        + "\"intact\":true,\"ordered\":true,\"committed\":200,\"end\":200,"
                        + "\"transactions\":{\"read\":[\"yes\",\"yes\"],\"offset\":\"9\"},\"gone\":true}");
    }

    @Test
    void shouldServePlatformaticKafka() throws IOException, InterruptedException {
        assertThat(programs.run("platformatic.mjs", broker.address()).toString())
                .isEqualTo("{\"created\":true,\"classic\":true,\"consumer\":true,\"listed\":true,\"end\":200,"
                        + "\"committed\":[\"yes\",\"yes\"]}");
    }
}
