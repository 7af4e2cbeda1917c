package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.broker.config.BrokerConfig;
import io.millrace.log.config.InvalidConfigException;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Whatever a configuration file holds: it is refused with a message for its user, or is a configuration. */
class SettingsFileFuzzTest {
    @FuzzTest
    void file(byte[] input) throws IOException {
        Path file = new FakeDisk(new Random(1)).root().resolve("server.properties");
        Files.write(file, input);
        try {
            assertThat(BrokerConfig.of(SettingsFile.read(file, List.of())).shards())
                    .isPositive();
        } catch (InvalidConfigException | CommandFailure refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }
}
