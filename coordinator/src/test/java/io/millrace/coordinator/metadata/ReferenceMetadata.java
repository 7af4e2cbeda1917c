package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import io.millrace.coordinator.quorum.CommittedBatch;
import io.millrace.coordinator.quorum.LogPoint;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/** The metadata as the first member to commit each batch saw it; what every other member has is held against it. */
public final class ReferenceMetadata {
    private final Map<Long, Long> batchDigests = new HashMap<>();
    private final Map<Long, MetadataImage> images = new HashMap<>();
    private MetadataImage latest = MetadataImage.EMPTY;

    /** What is wrong with a batch that a member saw committed, or nothing. */
    public Optional<String> onCommitted(int member, CommittedBatch batch) {
        Long known = batchDigests.putIfAbsent(batch.baseOffset(), digest(batch));
        if (known != null) {
            return known == digest(batch)
                    ? Optional.empty()
                    : Optional.of("member " + member + " has another batch at offset " + batch.baseOffset());
        }
        if (batch.baseOffset() < latest.end().endOffset()) {
            return Optional.of("member " + member + " has a batch at offset " + batch.baseOffset()
                    + ", where others saw none, up to " + latest.end());
        }
        MetadataState state = new MetadataState(latest);
        batch.records().forEach(record -> state.replay(MetadataRecordCodec.decode(record)));
        latest = state.image(batch.end());
        images.put(batch.end().endOffset(), latest);
        return Optional.empty();
    }

    /** What is wrong with an image that a member has, or nothing. */
    public Optional<String> onImage(int member, MetadataImage image) {
        MetadataImage expected = images.get(image.end().endOffset());
        if (expected == null) {
            return image.end().equals(LogPoint.START)
                    ? Optional.empty()
                    : Optional.of(
                            "member " + member + " has a snapshot at " + image.end() + ", which no batch ends at");
        }
        return expected.end().equals(image.end()) && digest(expected) == digest(image)
                ? Optional.empty()
                : Optional.of("member " + member + " has another state at " + image.end());
    }

    /** The newest state that any member committed. */
    public MetadataImage latest() {
        return latest;
    }

    /** Whether an operation is among those done, as far as they are remembered. */
    public boolean hasDone(UUID operationId) {
        return latest.operationsImage().find(operationId).isPresent();
    }

    /** The operations done, in order, as far as they are remembered. */
    public static List<UUID> operations(MetadataImage image) {
        java.util.ArrayList<UUID> ids = new java.util.ArrayList<>();
        for (OperationRecorded operation : image.operationsImage().byAge()) {
            ids.add(operation.operationId());
        }
        return ids;
    }

    /** Equal for equal states. */
    public static long digest(MetadataImage image) {
        CRC32C crc = new CRC32C();
        new ImageRecords(image).forEach(crc::update);
        return crc.getValue();
    }

    private static long digest(CommittedBatch batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch.epoch());
        batch.records().forEach(crc::update);
        return crc.getValue() << 16 | batch.records().size();
    }

    /** For a message: the state as records. */
    public static String dump(MetadataImage image) {
        StringBuilder dump = new StringBuilder(image.toString());
        new ImageRecords(image)
                .forEach(record -> dump.append('\n').append(HexFormat.of().formatHex(record)));
        return dump.toString();
    }
}
