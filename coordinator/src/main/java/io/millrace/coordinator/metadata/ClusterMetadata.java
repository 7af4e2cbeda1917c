package io.millrace.coordinator.metadata;

import io.millrace.coordinator.FaultHandler;
import io.millrace.coordinator.quorum.CommittedBatch;
import io.millrace.coordinator.quorum.LogPoint;
import io.millrace.coordinator.quorum.MetadataQuorum;
import io.millrace.coordinator.quorum.QuorumLeader;
import io.millrace.coordinator.quorum.QuorumListener;
import io.millrace.coordinator.quorum.QuorumSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The cluster's metadata at this broker: the newest committed image, whoever wants to hear of changes, and the controller.
 *
 * <p>Assembled once per broker: create, {@link #addListener}, {@link #start}, wait for {@link #whenLeading()} where this broker is the
 * only voter, register the broker through the {@link #controller()}. Everything that changes runs on the executor;
 * {@link #image()} and {@link #controller()} may be used from any thread.
 */
public final class ClusterMetadata implements AutoCloseable {

    private final MetadataQuorum quorum;
    private final Executor executor;
    private final ControllerSettings settings;
    private final FaultHandler faults;
    private final LocalController controller;
    private final CompletableFuture<QuorumLeader> leading = new CompletableFuture<>();
    private final List<MetadataListener> listeners = new ArrayList<>();
    private volatile MetadataImage image = MetadataImage.EMPTY;
    private long recordsSinceSnapshot;
    private boolean failed;

    /**
     * Creates the metadata, without doing anything yet.
     *
     * @param quorum not started yet; closed with this object
     * @param executor runs tasks one at a time, in order; may wait for nothing that the quorum does
     * @param settings what the controller decides by
     * @param random source of the ids of logs and subscriptions
     * @param faults told when this broker can no longer follow the metadata
     */
    public ClusterMetadata(
            MetadataQuorum quorum,
            Executor executor,
            ControllerSettings settings,
            RandomGenerator random,
            FaultHandler faults) {
        this.quorum = Objects.requireNonNull(quorum, "quorum");
        this.executor = Objects.requireNonNull(executor, "executor");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.faults = Objects.requireNonNull(faults, "faults");
        this.controller = new LocalController(quorum, this::execute, new Decisions(settings, random));
    }

    /**
     * Adds somebody who is told of every change. Before {@link #start()} only.
     *
     * @param listener whom to tell
     */
    public void addListener(MetadataListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Starts the quorum and follows it. Called once. */
    public void start() {
        quorum.start(new Follower());
    }

    /** Returns the newest committed state that this broker knows. */
    public MetadataImage image() {
        return image;
    }

    /** Returns where commands go. */
    public Controller controller() {
        return controller;
    }

    /**
     * Returns a stage that completes when this broker becomes the controller for the first time; in a group of one, soon. Fails if this
     * object is closed or fails before.
     */
    public CompletionStage<QuorumLeader> whenLeading() {
        return leading.minimalCompletionStage();
    }

    /** Stops the quorum and fails what is under way. */
    @Override
    public void close() {
        quorum.close();
        execute(() -> end("the broker was stopped"));
    }

    /** What the quorum brings: ignored once a task failed, since the state may be half changed then. */
    private void follow(Runnable task) {
        execute(() -> {
            if (!failed) {
                task.run();
            }
        });
    }

    private void execute(Runnable task) {
        executor.execute(() -> {
            try {
                task.run();
            } catch (Throwable e) {
                fail(e);
            }
        });
    }

    /** Nothing may be decided or served by a state that is not known to be right. Commands are refused from here on. */
    private void fail(Throwable cause) {
        boolean first = !failed;
        failed = true;
        end("the metadata failed: " + cause);
        if (first) {
            faults.onFault("metadata of broker " + quorum.memberId(), cause);
        }
    }

    private void end(String why) {
        controller.close();
        leading.completeExceptionally(new IndeterminateException(why + " before this broker led"));
    }

    private void apply(CommittedBatch batch) {
        List<MetadataRecord> records =
                batch.records().stream().map(MetadataRecordCodec::decode).toList();
        MetadataImage before = image;
        MetadataState state = new MetadataState(before);
        records.forEach(state::replay);
        MetadataImage after = state.image(batch.end());
        image = after;
        listeners.forEach(listener -> listener.onCommitted(before, after, records));
        controller.onCommitted(batch, after);
        recordsSinceSnapshot += records.size();
        if (recordsSinceSnapshot >= Math.max(settings.snapshotEveryRecords(), sizeOf(after))) {
            recordsSinceSnapshot = 0;
            quorum.requestSnapshot(new QuorumSnapshot(after.end(), batch.appendTimeMs(), new ImageRecords(after)));
        }
    }

    private void reset(LogPoint end, List<MetadataRecord> records) {
        MetadataImage before = image;
        MetadataState state = new MetadataState(MetadataImage.EMPTY);
        records.forEach(state::replay);
        MetadataImage after = state.image(end);
        image = after;
        recordsSinceSnapshot = 0;
        controller.onSnapshot(after);
        listeners.forEach(listener -> listener.onReset(before, after));
    }

    private void changeLeader(QuorumLeader leader) {
        controller.onLeaderChanged(leader);
        if (leader.isLeader(quorum.memberId())) {
            leading.complete(leader);
        }
    }

    /** About how many records a snapshot of {@code image} would have. */
    private static long sizeOf(MetadataImage image) {
        return 2L * image.logCount()
                + image.subscriptionCount()
                + image.brokerCount()
                + 2L * image.scramUserCount()
                + 2L * image.quotaEntityCount()
                + image.aclCount()
                + image.groupConfigCount()
                + image.clientMetricsCount();
    }

    /** Passes on from the quorum's thread. The number of tasks that can queue up is bounded by the log since the last snapshot. */
    private final class Follower implements QuorumListener {
        @Override
        public void onCommitted(CommittedBatch batch) {
            follow(() -> apply(batch));
        }

        @Override
        public void onSnapshot(QuorumSnapshot snapshot) {
            List<MetadataRecord> records = new ArrayList<>();
            snapshot.records().forEach(record -> records.add(MetadataRecordCodec.decode(record)));
            follow(() -> reset(snapshot.end(), records));
        }

        @Override
        public void onLeaderChanged(QuorumLeader leader) {
            follow(() -> changeLeader(leader));
        }
    }
}
