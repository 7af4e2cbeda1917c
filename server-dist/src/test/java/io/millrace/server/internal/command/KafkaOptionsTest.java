package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.internal.kafka.KafkaCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class KafkaOptionsTest {

    @TempDir
    private Path directory;

    private static KafkaCluster cluster(String... arguments) throws IOException {
        return CommandLine.populateCommand(new KafkaOptions(), arguments).cluster();
    }

    @Test
    void shouldAddTheDefaultPort() throws IOException {
        assertThat(cluster("--server", "one,two:7,[::1],[::1]:8").servers())
                .isEqualTo("one:9092,two:7,[::1]:9092,[::1]:8");
    }

    @Test
    void shouldTakeSettingsOfAFileUnlessTheyAreGiven() throws IOException {
        Path file = Files.writeString(directory.resolve("client.properties"), "client.id=file\nacks=1\n");

        assertThat(cluster("--client-config", file.toString(), "--client", "client.id=given")
                        .settings())
                .containsEntry("client.id", "given")
                .containsEntry("acks", "1");
    }
}
