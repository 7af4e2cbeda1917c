package io.millrace.coordinator.quorum;

import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.ControllerSettings;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.MetadataListener;
import io.millrace.coordinator.metadata.MetadataRecord;
import io.millrace.log.DiskLogStorage;
import io.millrace.testkit.disk.FakeDisk;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.ExpirationService;
import org.apache.kafka.raft.KafkaRaftClient;
import org.apache.kafka.raft.RaftLog;
import org.apache.kafka.raft.RaftMessage;
import org.apache.kafka.raft.RaftMessageQueue;
import org.apache.kafka.raft.internals.BatchMemoryPool;
import org.jspecify.annotations.Nullable;

/**
 * One process of the simulation, from its start to its end: a member of the quorum with its metadata and controller, on a disk that
 * outlives it. Stepped by the events of {@link SimulatedTime}.
 */
final class SimulatedMember implements MetadataQuorum {
    private static final int MAX_SLEEP_MS = 2_000;
    private static final int SNAPSHOT_EVERY = 60;
    private static final int SYNCER_IDLE_ONE_IN = 8;
    /** Of 8 MiB each; one thread runs all members, so they share them. */
    private static final BatchMemoryPool BUFFERS = new BatchMemoryPool(4, KafkaRaftClient.MAX_BATCH_SIZE_BYTES);

    /** The one that takes a queue and randomness; package-private, for tests. */
    private static final Constructor<?> RAFT_CLIENT = Arrays.stream(KafkaRaftClient.class.getDeclaredConstructors())
            .filter(constructor -> constructor.getParameterCount() == 18)
            .findFirst()
            .orElseThrow();

    static {
        RAFT_CLIENT.setAccessible(true);
    }

    /** What the simulation wants to know of its members. */
    interface Observer {
        void onCommitted(SimulatedMember member, CommittedBatch batch);

        void onLeaderChanged(SimulatedMember member, QuorumLeader leader);

        void onSnapshotLoaded(SimulatedMember member, MetadataImage image);

        void onFailure(SimulatedMember member, Throwable cause);
    }

    private final int id;
    private final SimulatedTime time;
    private final Observer observer;
    private final UnaryOperator<RaftLog> flaw;
    private final RaftQueue queue = new RaftQueue();
    private final SerialExecutor executor = new SerialExecutor();
    private final DiskLogStorage storage;
    private final RaftMember raft;
    private final ClusterMetadata metadata;
    private final RaftEvents events;
    private @Nullable QuorumListener listener;
    private boolean alive = true;
    private boolean pollScheduled;
    private long pollNumber;

    /**
     * Starts the process.
     *
     * @param flaw puts a planted bug between the Raft core and its log
     * @throws RuntimeException if the disk fails
     */
    SimulatedMember(
            QuorumSettings settings,
            FakeDisk disk,
            SimulatedTime time,
            SimulatedNetwork network,
            Observer observer,
            UnaryOperator<RaftLog> flaw) {
        this.id = settings.memberId();
        this.time = time;
        this.observer = observer;
        this.flaw = flaw;
        this.events = new RaftEvents(new Listener());
        storage = DiskLogStorage.builder(List.of(disk.root().resolve("data")), time, time.random("identities of " + id))
                .brokerId(id)
                .clusterId(settings.clusterId())
                .open();
        raft = new RaftMember(
                settings,
                storage.incarnation(),
                QuorumDirectory.open(storage, new LogCallbacks(storage::runSyncRounds)),
                network.transportOf(id),
                time,
                new Timers(),
                this::createClient,
                events);
        metadata = new ClusterMetadata(
                this,
                executor,
                ControllerSettings.defaults((scope, key, value) -> Optional.empty())
                        .withSnapshotEveryRecords(SNAPSHOT_EVERY),
                time.random("ids of " + id),
                (part, cause) -> fail(cause));
        metadata.addListener(new Images());
        metadata.start();
        raft.initialize();
        wakeup();
    }

    int id() {
        return id;
    }

    ClusterMetadata metadata() {
        return metadata;
    }

    boolean isLeader() {
        return alive && leader().isLeader(id);
    }

    /** The process is gone: nothing of it happens any more. */
    void die() {
        alive = false;
    }

    CompletionStage<ByteBuffer> onPeerRequest(ByteBuffer request) {
        return alive ? raft.onPeerRequest(request) : new CompletableFuture<>();
    }

    // ---- MetadataQuorum, as RaftMetadataQuorum does it -------------------------------------------------------------

    @Override
    public void start(QuorumListener newListener) {
        listener = newListener;
    }

    @Override
    public int memberId() {
        return id;
    }

    @Override
    public QuorumLeader leader() {
        return raft.leader();
    }

    @Override
    public ProposeResult propose(int epoch, List<byte[]> records) {
        return raft.propose(epoch, records);
    }

    @Override
    public void requestSnapshot(QuorumSnapshot snapshot) {
        raft.requestSnapshot(snapshot);
    }

    @Override
    public void resign(int epoch) {
        raft.resign(epoch);
    }

    @Override
    public void close() {
        die();
    }

    // ---- the poll loop ----------------------------------------------------------------------------------------------

    private void wakeup() {
        if (!pollScheduled) {
            pollScheduled = true;
            time.at(0, id, this::poll);
        }
    }

    private void poll() {
        if (!alive) {
            return;
        }
        pollScheduled = false;
        pollNumber++;
        try {
            // Only a poll that found nothing to do says how long there will be nothing.
            do {
                queue.taken = false;
                raft.poll();
            } while (alive && (queue.taken || !queue.isEmpty()));
            if (alive && time.random("syncer of " + id).nextInt(SYNCER_IDLE_ONE_IN) == 0) {
                storage.runSyncRounds();
            }
        } catch (RuntimeException e) {
            fail(e);
            return;
        }
        long number = pollNumber;
        time.at(Math.clamp(queue.timeoutMs, 1, MAX_SLEEP_MS), id, () -> {
            if (number == pollNumber && !pollScheduled) {
                poll();
            }
        });
    }

    private void fail(Throwable cause) {
        if (alive) {
            observer.onFailure(this, cause);
        }
    }

    @SuppressWarnings("unchecked") // the constructor is that of KafkaRaftClient<T>, with our serde of T
    private KafkaRaftClient<byte[]> createClient(
            QuorumSettings settings,
            UUID incarnation,
            RaftLog log,
            RaftPeers peers,
            Time raftTime,
            ExpirationService expirations) {
        try {
            return (KafkaRaftClient<byte[]>) RAFT_CLIENT.newInstance(
                    OptionalInt.of(id),
                    new Uuid(incarnation.getMostSignificantBits(), incarnation.getLeastSignificantBits()),
                    new BytesSerde(),
                    peers,
                    queue,
                    flaw.apply(log),
                    BUFFERS,
                    raftTime,
                    expirations,
                    500,
                    settings.isVoter(),
                    settings.clusterId(),
                    List.of(),
                    RaftClients.localEndpoints(settings),
                    RaftClients.STATIC_VOTERS,
                    RaftClients.logContext(settings),
                    new Random(time.random("elections of " + id).nextLong()),
                    RaftClients.config(settings));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("KafkaRaftClient has changed", e);
        }
    }

    private final class Listener implements QuorumListener {
        @Override
        public void onCommitted(CommittedBatch batch) {
            observer.onCommitted(SimulatedMember.this, batch);
            target().onCommitted(batch);
        }

        @Override
        public void onSnapshot(QuorumSnapshot snapshot) {
            target().onSnapshot(snapshot);
        }

        @Override
        public void onLeaderChanged(QuorumLeader leader) {
            observer.onLeaderChanged(SimulatedMember.this, leader);
            target().onLeaderChanged(leader);
        }

        private QuorumListener target() {
            QuorumListener started = listener;
            if (started == null) {
                throw new IllegalStateException("not started");
            }
            return started;
        }
    }

    private final class Images implements MetadataListener {
        @Override
        public void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records) {}

        @Override
        public void onReset(MetadataImage before, MetadataImage after) {
            observer.onSnapshotLoaded(SimulatedMember.this, after);
        }
    }

    /** Runs tasks in order, sometimes at once, as a fast thread beside the quorum's would, sometimes later. */
    private final class SerialExecutor implements Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private boolean running;

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
            if (time.random("executor of " + id).nextBoolean()) {
                drain();
            } else {
                time.at(0, id, this::drain);
            }
        }

        private void drain() {
            if (running) {
                return;
            }
            running = true;
            for (Runnable task = tasks.poll(); task != null && alive; task = tasks.poll()) {
                task.run();
            }
            running = false;
        }
    }

    private final class Timers implements ExpirationService {
        @Override
        public <T> CompletableFuture<T> failAfter(long timeoutMs) {
            CompletableFuture<T> future = new CompletableFuture<>();
            if (timeoutMs < 60_000) {
                time.at(timeoutMs, id, () -> {
                    if (alive) {
                        future.completeExceptionally(new TimeoutException("simulated"));
                    }
                });
            }
            return future;
        }
    }

    private final class RaftQueue implements RaftMessageQueue {
        private record Entry(RaftMessage message, CompletableFuture<RaftMessage> future) implements QueueEntry {}

        private final Queue<Entry> entries = new ArrayDeque<>();
        private boolean taken;
        private long timeoutMs;

        @Override
        public Optional<QueueEntry> poll(long newTimeoutMs) {
            timeoutMs = newTimeoutMs;
            Entry entry = entries.poll();
            taken = entry != null;
            return Optional.ofNullable(entry);
        }

        @Override
        public CompletionStage<RaftMessage> add(RaftMessage message) {
            Entry entry = new Entry(message, new CompletableFuture<>());
            entries.add(entry);
            wakeup();
            return entry.future();
        }

        @Override
        public boolean isEmpty() {
            return entries.isEmpty();
        }

        @Override
        public void wakeup() {
            SimulatedMember.this.wakeup();
        }
    }
}
