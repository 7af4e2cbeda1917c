package io.millrace.coordinator.metadata;

import io.millrace.coordinator.quorum.CommittedBatch;
import io.millrace.coordinator.quorum.LogPoint;
import io.millrace.coordinator.quorum.QuorumLeader;
import io.millrace.coordinator.quorum.QuorumListener;
import io.millrace.coordinator.quorum.QuorumReader;
import io.millrace.coordinator.quorum.QuorumSnapshot;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the metadata out of a data directory, with no broker at work. For commands. */
public final class MetadataFiles {

    /**
     * What was read.
     *
     * @param image the metadata as far as they could be read
     * @param problem what kept from reading on; empty if nothing did
     */
    public record Contents(MetadataImage image, Optional<String> problem) {}

    private MetadataFiles() {}

    /**
     * Reads the newest snapshot and the log behind it. Changes nothing.
     *
     * @param dataDirectory the first of {@code log.dirs}
     * @throws io.millrace.coordinator.quorum.QuorumStorageException if there is no metadata log, or it cannot be read
     * @throws MetadataFormatException if it has records of a newer version than this one knows
     */
    public static Contents read(Path dataDirectory) {
        Replay replay = new Replay();
        Optional<String> problem = QuorumReader.read(dataDirectory, replay);
        return new Contents(replay.state.image(replay.end), problem);
    }

    private static final class Replay implements QuorumListener {
        private MetadataState state = new MetadataState(MetadataImage.EMPTY);
        private LogPoint end = LogPoint.START;

        @Override
        public void onCommitted(CommittedBatch batch) {
            batch.records().forEach(record -> state.replay(MetadataRecordCodec.decode(record)));
            end = batch.end();
        }

        @Override
        public void onSnapshot(QuorumSnapshot snapshot) {
            state = new MetadataState(MetadataImage.EMPTY);
            snapshot.records().forEach(record -> state.replay(MetadataRecordCodec.decode(record)));
            end = snapshot.end();
        }

        @Override
        public void onLeaderChanged(QuorumLeader leader) {
            // Files have none.
        }
    }
}
