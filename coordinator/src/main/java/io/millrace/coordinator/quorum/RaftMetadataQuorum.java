package io.millrace.coordinator.quorum;

import io.millrace.coordinator.FaultHandler;
import io.millrace.log.LogStorage;
import io.millrace.wire.time.TimeSource;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quorum of a real cluster, of one broker as of many: Kafka's Raft core on our log engine.
 *
 * <p>{@link #start} starts the one thread that runs everything. What is acknowledged is on the disks of a majority. Anything unexpected on
 * that thread, a failed force above all, ends this member's part for good and is reported as a fault: there is no safe way on for somebody
 * who cannot know what is on its disk.
 */
public final class RaftMetadataQuorum implements MetadataQuorum {

    private static final Logger LOG = LoggerFactory.getLogger(RaftMetadataQuorum.class);

    private static final int HANDOVER_TIMEOUT_MS = 2_000;

    private final QuorumSettings settings;
    private final UUID incarnation;
    private final QuorumDirectory directory;
    private final PeerTransport transport;
    private final TimeSource time;
    private final ThreadFactory threads;
    private final FaultHandler faults;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    /** Made by the quorum's thread; empty before, and once it has stopped. */
    private volatile @Nullable RaftMember member;

    private volatile QuorumLeader lastLeader = QuorumLeader.UNKNOWN;

    /**
     * Opens what this member has on disk; nothing runs yet.
     *
     * @param settings who takes part
     * @param storage data directories, which stay the caller's; close them after this
     * @param transport way to the other members
     * @param time clocks
     * @param threads makes the quorum's thread
     * @param faults told when this member has to stop
     * @throws QuorumStorageException if what is on disk is incomplete, damaged, or another member's
     */
    public RaftMetadataQuorum(
            QuorumSettings settings,
            LogStorage storage,
            PeerTransport transport,
            TimeSource time,
            ThreadFactory threads,
            FaultHandler faults) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.transport = Objects.requireNonNull(transport, "transport");
        this.time = Objects.requireNonNull(time, "time");
        this.threads = Objects.requireNonNull(threads, "threads");
        this.faults = Objects.requireNonNull(faults, "faults");
        this.incarnation = storage.incarnation();
        this.directory = QuorumDirectory.open(storage);
    }

    @Override
    public void start(QuorumListener listener) {
        Objects.requireNonNull(listener, "listener");
        Thread started = threads.newThread(() -> run(listener));
        if (!thread.compareAndSet(null, started)) {
            throw new IllegalStateException(name() + " was started already");
        }
        started.start();
    }

    @Override
    public int memberId() {
        return settings.memberId();
    }

    @Override
    public QuorumLeader leader() {
        RaftMember running = member;
        return running == null ? lastLeader : running.leader();
    }

    @Override
    public ProposeResult propose(int epoch, List<byte[]> records) {
        RaftMember running = member;
        return running == null ? new ProposeResult.NotLeader(lastLeader) : running.propose(epoch, records);
    }

    @Override
    public void requestSnapshot(QuorumSnapshot snapshot) {
        RaftMember running = member;
        if (running != null) {
            running.requestSnapshot(snapshot);
        }
    }

    @Override
    public void resign(int epoch) {
        RaftMember running = member;
        if (running != null) {
            running.resign(epoch);
        }
    }

    /**
     * Takes a request that arrived from another member's {@link PeerTransport}. Waits for the disk when a voter is heard of for the first
     * time, else never.
     *
     * @param request its bytes
     * @return the answer's bytes; fails with {@link PeerRefusedException} if the sender has no business here, or this member does not run
     */
    public CompletionStage<ByteBuffer> onPeerRequest(ByteBuffer request) {
        RaftMember running = member;
        return running == null
                ? CompletableFuture.failedFuture(new PeerRefusedException(name() + " does not run"))
                : running.onPeerRequest(request);
    }

    @Override
    public void close() {
        if (closing.getAndSet(true)) {
            return;
        }
        Thread running = thread.get();
        if (running == null) {
            directory.log().close();
            return;
        }
        RaftMember leaving = member;
        if (leaving != null) {
            leaving.shutdown(HANDOVER_TIMEOUT_MS);
        }
        // A fault handler that closes the broker is called by the quorum's thread, which has nothing left to do then.
        if (!running.equals(Thread.currentThread())) {
            join(running);
        }
    }

    private static void join(Thread running) {
        boolean interrupted = false;
        while (running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Made here, so that whoever starts the broker does not wait for the Raft core's classes to be loaded. */
    private void run(QuorumListener listener) {
        RaftEvents events = new RaftEvents(listener);
        try (Expirations expirations = new Expirations(threads)) {
            RaftMember running = new RaftMember(
                    settings, incarnation, directory, transport, time, expirations, RaftClients.production(), events);
            running.initialize();
            member = running;
            if (closing.get()) {
                running.shutdown(HANDOVER_TIMEOUT_MS);
            }
            while (running.isRunning()) {
                running.poll();
            }
            stop(events);
            running.close();
        } catch (Throwable e) {
            LOG.error("{} stops: {}", name(), e.getMessage(), e);
            stop(events);
            faults.onFault(name(), e);
        }
    }

    /** From here on nothing is accepted, and whoever waits for a proposal is told that nobody leads. */
    private void stop(RaftEvents events) {
        lastLeader = new QuorumLeader(events.leader().epoch(), OptionalInt.empty());
        member = null;
        events.stopped();
    }

    private String name() {
        return "metadata quorum of broker " + settings.memberId();
    }
}
