package io.millrace.coordinator.quorum;

import io.millrace.wire.time.TimeSource;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.ExpirationService;
import org.apache.kafka.raft.KafkaRaftClient;
import org.apache.kafka.raft.errors.BufferAllocationException;
import org.apache.kafka.raft.errors.NotLeaderException;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.SnapshotWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of the quorum, stepped by whoever calls {@link #poll}: a thread in production, the test in a simulation. All methods are for
 * that thread, except those that say "from any thread".
 */
final class RaftMember {

    private static final Logger LOG = LoggerFactory.getLogger(RaftMember.class);

    private final QuorumSettings settings;
    private final QuorumDirectory directory;
    private final MetadataLog log;
    private final RaftPeers peers;
    private final RaftEvents events;
    private final Time time;
    private final KafkaRaftClient<byte[]> client;
    private final AtomicReference<@Nullable QuorumSnapshot> wantedSnapshot = new AtomicReference<>();

    RaftMember(
            QuorumSettings settings,
            UUID incarnation,
            QuorumDirectory directory,
            PeerTransport transport,
            TimeSource timeSource,
            ExpirationService expirations,
            RaftClients clients,
            RaftEvents events) {
        this.settings = settings;
        this.directory = directory;
        this.time = new QuorumTime(timeSource);
        this.log = new MetadataLog(directory.log(), directory.callbacks(), directory.snapshots());
        this.peers = new RaftPeers(settings, incarnation, transport, directory.voters(), time);
        this.events = events;
        this.client = clients.create(settings, incarnation, log, peers, time, expirations);
    }

    /** Finds out what this member knew when it stopped, and begins to take part. A group of one stands for election at once. */
    void initialize() {
        client.register(events);
        client.initialize(RaftClients.voterAddresses(settings), directory.election(), new Metrics(time), ignored -> {});
    }

    /** Does what is to be done, or waits for something to do. */
    void poll() {
        client.poll();
        events.rethrow();
        directory.callbacks().runPending();
        QuorumSnapshot snapshot = wantedSnapshot.getAndSet(null);
        if (snapshot != null) {
            write(snapshot);
        }
    }

    /** Says whether there is anything left to do. From any thread. */
    boolean isRunning() {
        return client.isRunning();
    }

    /** Returns who leads. From any thread. */
    QuorumLeader leader() {
        return events.leader();
    }

    /** From any thread. */
    ProposeResult propose(int epoch, List<byte[]> records) {
        long bytes = 0;
        for (byte[] record : records) {
            bytes += record.length;
        }
        if (!directory.space().hasRoomForRecords(bytes)) {
            return new ProposeResult.NoSpace(directory.space().describe());
        }
        long lastOffset;
        try {
            lastOffset = client.prepareAppend(epoch, records);
        } catch (NotLeaderException e) {
            return new ProposeResult.NotLeader(events.leader());
        } catch (IllegalArgumentException e) {
            // An epoch that this member has not reached.
            return new ProposeResult.NotLeader(events.leader());
        } catch (RecordBatchTooLargeException e) {
            return new ProposeResult.TooLarge(KafkaRaftClient.MAX_BATCH_SIZE_BYTES);
        } catch (BufferAllocationException | IllegalStateException e) {
            // Ten batches wait to be written.
            return new ProposeResult.Busy();
        }
        try {
            client.schedulePreparedAppend();
        } catch (NotLeaderException e) {
            // Lost between the two calls. The records may be in a batch with others that went out: their fate is not
            // known, and the
            // change of leader, which comes next, says so to whoever waits for them.
            return new ProposeResult.Accepted(lastOffset);
        }
        return new ProposeResult.Accepted(lastOffset);
    }

    /** Written after a later {@link #poll}. From any thread. */
    void requestSnapshot(QuorumSnapshot snapshot) {
        wantedSnapshot.set(snapshot);
    }

    /** From any thread. */
    void resign(int epoch) {
        if (events.leader().epoch() == epoch && events.leader().isLeader(settings.memberId())) {
            try {
                client.resign(epoch);
            } catch (IllegalArgumentException e) {
                // It does not lead any more, which is what was wanted.
                return;
            }
        }
    }

    /** Takes a request of another member. From any thread. */
    CompletionStage<ByteBuffer> onPeerRequest(ByteBuffer request) {
        return peers.onRequest(request, client::handle);
    }

    /** Begins to leave: hands leadership over, if there is anybody to take it. From any thread. */
    void shutdown(int timeoutMs) {
        var _ = client.shutdown(timeoutMs);
    }

    /** After the last poll: gives the files up. */
    void close() {
        client.close();
        log.close();
    }

    /** Without space there is no snapshot: the log stays as long as it is, and a later one will do. */
    private void write(QuorumSnapshot snapshot) {
        long bytes = 0;
        for (byte[] record : snapshot.records()) {
            bytes += record.length;
        }
        if (!directory.space().hasRoomForSnapshot(bytes)) {
            skip(snapshot, directory.space().describe());
            return;
        }
        try {
            writeWhole(snapshot);
        } catch (QuorumStorageException e) {
            if (directory.space().hasRoomForSnapshot(bytes)) {
                throw e;
            }
            skip(snapshot, String.valueOf(e.getMessage()));
        }
    }

    private static void skip(QuorumSnapshot snapshot, String why) {
        LOG.atWarn()
                .addKeyValue("event", "metadata_snapshot_skipped")
                .addKeyValue("end", snapshot.end().endOffset())
                .addKeyValue("cause", why)
                .log("There is no space for a snapshot of the metadata: its log goes on growing until a later one");
    }

    private void writeWhole(QuorumSnapshot snapshot) {
        OffsetAndEpoch id =
                new OffsetAndEpoch(snapshot.end().endOffset(), snapshot.end().epoch());
        Optional<SnapshotWriter<byte[]>> wanted = client.createSnapshot(id, snapshot.appendTimeMs());
        if (wanted.isEmpty()) {
            // The log begins there already: a newer one was downloaded meanwhile.
            return;
        }
        try (SnapshotWriter<byte[]> writer = wanted.get()) {
            for (byte[] record : snapshot.records()) {
                writer.append(List.of(record));
            }
            writer.freeze();
        }
    }
}
