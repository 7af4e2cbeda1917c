package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the state machines of groups answer and write, step by step, as text. Lines that begin with {@code >} are asked; what follows them is
 * what must come of it. With {@code -Dtranscripts.write=true} the files are written anew, to be reviewed as a difference.
 */
class GroupTranscriptTest {

    private static final Path FILES = Path.of("src/test/resources/io/millrace/broker/groups");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "classic",
                "classic-static",
                "consumer",
                "consumer-regex",
                "offsets",
                "streams",
                "share",
                "restart"
            })
    void shouldGoAsWritten(String name, @TempDir Path directory) throws IOException {
        Path file = FILES.resolve(name + ".txt");
        List<String> written = Files.readAllLines(file);

        List<String> happened = new ArrayList<>();
        try (GroupScript script = new GroupScript(directory)) {
            for (String line : written) {
                if (line.isEmpty() || line.startsWith("#")) {
                    happened.add(line);
                } else if (line.startsWith("> ")) {
                    happened.add(line);
                    happened.addAll(script.run(line.substring(2)));
                }
            }
        } finally {
            if (Boolean.getBoolean("transcripts.write")) {
                Files.write(file, happened);
            }
        }

        assertThat(happened).isEqualTo(written);
    }
}
