package io.millrace.coordinator.quorum;

import io.millrace.log.DirectoryCheck;
import io.millrace.log.VerifyReport.Finding;
import io.millrace.log.VerifyReport.Severity;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.raft.ElectionState;
import org.apache.kafka.server.common.KRaftVersion;
import org.jspecify.annotations.Nullable;

/**
 * Checks and mends what the metadata quorum keeps beside its log: the vote, the voters, the snapshots. For {@code millrace log verify}, while
 * no broker uses the directory.
 */
public final class QuorumFiles implements DirectoryCheck {
    private static final String REPAIR = "`millrace log verify --repair` mends it, and nothing is lost";
    private static final String DAMAGED = ".damaged";

    @Override
    public List<Finding> check(Path directory) {
        Path quorum = directory.resolve(QuorumDirectory.PARTITION.directoryName());
        List<Finding> findings = new ArrayList<>();
        if (Files.isDirectory(quorum)) {
            try {
                checkElection(quorum, findings);
                checkVoters(quorum, findings);
                checkSnapshots(quorum, findings);
            } catch (IOException e) {
                throw new QuorumStorageException("cannot read " + quorum + ": " + e, e);
            }
        }
        return findings;
    }

    // ---- the vote ---------------------------------------------------------------------------------------------------

    private static void checkElection(Path quorum, List<Finding> findings) throws IOException {
        Path file = quorum.resolve(ElectionFile.NAME);
        ElectionFile.Health health = ElectionFile.health(file);
        switch (health) {
            case WHOLE -> {
                // Nothing to say.
            }
            case ONE_SLOT_UNREADABLE ->
                findings.add(new Finding(
                        Severity.REPAIRABLE,
                        file,
                        0,
                        -1,
                        "one of its two slots is unreadable: a crash tore it, or it is damaged",
                        "the other one counts; the next vote replaces it"));
            case UNREADABLE ->
                findings.add(new Finding(
                        Severity.NEEDS_REPAIR,
                        file,
                        0,
                        -1,
                        "it is missing or unreadable, so this member does not know whom it voted for",
                        isAlone(quorum)
                                ? REPAIR + ", since this member is the only voter"
                                : "restore it from a backup, or replace this member of the quorum"));
        }
    }

    /** Another voter that was ever met is remembered. */
    private static boolean isAlone(Path quorum) {
        return !Files.exists(quorum.resolve(VoterIncarnations.NAME));
    }

    private static void checkVoters(Path quorum, List<Finding> findings) {
        try {
            VoterIncarnations.check(quorum);
        } catch (QuorumStorageException e) {
            findings.add(new Finding(
                    Severity.NEEDS_REPAIR,
                    quorum.resolve(VoterIncarnations.NAME),
                    0,
                    -1,
                    String.valueOf(e.getMessage()),
                    "restore it from a backup, or replace this member of the quorum"));
        }
    }

    // ---- snapshots --------------------------------------------------------------------------------------------------

    /** The snapshots by the offset that they end at, with what is wrong with each, or {@code null}. */
    private static Map<Path, @Nullable String> snapshots(Path quorum) throws IOException {
        Map<Path, @Nullable String> snapshots = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(quorum, "*" + SnapshotFiles.SUFFIX)) {
            for (Path file : files) {
                snapshots.put(file, problem(ByteBuffer.wrap(Files.readAllBytes(file))));
            }
        }
        return snapshots;
    }

    /** A snapshot is batches from its header to its footer, which are control batches. */
    private static @Nullable String problem(ByteBuffer content) {
        boolean footer = false;
        try {
            RecordBatches batches = RecordBatches.over(content);
            int end = 0;
            while (batches.next()) {
                RecordBatch batch = batches.current();
                if (!batch.isCrcValid()) {
                    return "the checksum of the batch at position " + batch.position() + " is wrong";
                }
                footer = end > 0 && batch.isControl();
                end = batch.position() + batch.sizeInBytes();
            }
            return footer && end == content.limit() ? null : "it ends before its end";
        } catch (RecordFormatException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void checkSnapshots(Path quorum, List<Finding> findings) throws IOException {
        Map<Path, @Nullable String> snapshots = snapshots(quorum);
        snapshots.forEach((file, problem) -> {
            if (problem != null) {
                findings.add(new Finding(
                        Severity.NEEDS_REPAIR,
                        file,
                        0,
                        -1,
                        "this snapshot of the metadata is damaged: " + problem,
                        isDispensable(quorum, file, snapshots) ? REPAIR : "restore it from a backup"));
            }
        });
    }

    /** Whether the metadata are whole without a snapshot: the log begins at 0, or at or before the end of another snapshot. */
    private static boolean isDispensable(Path quorum, Path snapshot, Map<Path, @Nullable String> all) {
        long start = firstOffset(quorum);
        return start == 0
                || all.entrySet().stream()
                        .anyMatch(other -> other.getValue() == null
                                && !other.getKey().equals(snapshot)
                                && offset(other.getKey()) >= start);
    }

    private static long firstOffset(Path quorum) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(quorum, "*.log")) {
            long first = Long.MAX_VALUE;
            for (Path file : files) {
                first = Math.min(first, offset(file));
            }
            return first;
        } catch (IOException e) {
            throw new QuorumStorageException("cannot list " + quorum + ": " + e, e);
        }
    }

    private static long offset(Path file) {
        return Long.parseLong(String.valueOf(file.getFileName()).substring(0, 20));
    }

    // ---- repair -----------------------------------------------------------------------------------------------------

    @Override
    public List<String> repair(Path directory, UUID incarnation) {
        Path quorum = directory.resolve(QuorumDirectory.PARTITION.directoryName());
        List<String> done = new ArrayList<>();
        if (Files.isDirectory(quorum)) {
            try {
                repairElection(quorum, incarnation, done);
                repairSnapshots(quorum, done);
            } catch (IOException e) {
                throw new QuorumStorageException("cannot repair " + quorum + ": " + e, e);
            }
        }
        return done;
    }

    private static void repairElection(Path quorum, UUID incarnation, List<String> done) throws IOException {
        Path file = quorum.resolve(ElectionFile.NAME);
        OptionalInt epoch = lastEpoch(quorum);
        if (ElectionFile.health(file) != ElectionFile.Health.UNREADABLE || !isAlone(quorum) || epoch.isEmpty()) {
            return;
        }
        if (Files.exists(file)) {
            moveAside(file, done);
        }
        new ElectionFile(quorum, incarnation)
                .writeElectionState(
                        ElectionState.withUnknownLeader(epoch.getAsInt(), Set.of()), KRaftVersion.KRAFT_VERSION_0);
        done.add("made " + file + " anew, in epoch " + epoch.getAsInt() + ", the last one of the metadata log");
    }

    private static OptionalInt lastEpoch(Path quorum) throws IOException {
        Path file = quorum.resolve("leader-epoch-checkpoint");
        if (!Files.exists(file)) {
            return OptionalInt.empty();
        }
        List<String> lines = Files.readAllLines(file);
        return lines.size() < 3
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(lines.getLast().split(" ", -1)[0]));
    }

    private static void repairSnapshots(Path quorum, List<String> done) throws IOException {
        Map<Path, @Nullable String> snapshots = snapshots(quorum);
        for (Path file : List.copyOf(snapshots.keySet())) {
            if (snapshots.get(file) != null && isDispensable(quorum, file, snapshots)) {
                moveAside(file, done);
            }
        }
    }

    private static void moveAside(Path file, List<String> done) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + DAMAGED);
        DurableFile.publish(file, aside);
        done.add("moved " + file + " aside");
    }
}
