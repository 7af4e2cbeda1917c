package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataFiles;
import io.millrace.coordinator.metadata.MetadataImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the metadata, read without a quorum. */
class QuorumReaderTest {

    @TempDir
    Path directory;

    private static List<LogInfo> logs(MetadataImage image) {
        List<LogInfo> logs = new ArrayList<>();
        image.logs().forEach(logs::add);
        return logs;
    }

    @Test
    void shouldReadTheNewestSnapshotAndWhatWasWrittenSince() throws IOException {
        MetadataImage last;
        try (OneBroker broker = new OneBroker(directory, 40).start()) {
            broker.awaitLeading();
            broker.register();
            for (int i = 0; i < 150; i++) {
                broker.run(OneBroker.createLog("log-" + i));
            }
            last = broker.metadata.image();

            assertThat(logs(MetadataFiles.read(directory).image()))
                    .as("while it runs")
                    .isEqualTo(logs(last));
        }
        try (Stream<Path> files = Files.list(directory.resolve("__cluster_metadata-0"))) {
            assertThat(files).anyMatch(file -> file.toString().endsWith(SnapshotFiles.SUFFIX));
        }

        MetadataFiles.Contents contents = MetadataFiles.read(directory);

        assertThat(contents.problem()).isEmpty();
        assertThat(logs(contents.image())).hasSize(150).isEqualTo(logs(last));
        assertThat(contents.image().lastBrokerEpoch()).isEqualTo(last.lastBrokerEpoch());
        assertThat(contents.image().end()).isEqualTo(last.end());
    }

    @Test
    void shouldSayThatThereIsNoMetadataLog() {
        assertThatExceptionOfType(QuorumStorageException.class)
                .isThrownBy(() -> MetadataFiles.read(directory))
                .withMessageContaining("log.dirs");
    }
}
