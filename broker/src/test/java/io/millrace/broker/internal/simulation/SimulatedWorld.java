package io.millrace.broker.internal.simulation;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.ControllerSettings;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.MetadataListener;
import io.millrace.coordinator.metadata.MetadataRecord;
import io.millrace.coordinator.quorum.InMemoryMetadataQuorum;
import io.millrace.coordinator.transaction.CommitEngine;
import io.millrace.log.DiskLogStorage;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.frame.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Time, chance, the disk, the broker that runs on it at present, and the connections to it. The metadata outlives brokers, as those of a quorum
 * do that others hold.
 */
final class SimulatedWorld {

    static final String TRANSACTION_LOG = "__transaction_state";
    static final List<String> QUEUES = List.of("red", "green", "blue");

    private static final int MAX_TURNS = 100_000;

    final RandomGenerator random;
    final FakeTimeSource time = new FakeTimeSource();
    final FakeDisk disk;
    final List<String> history = new ArrayList<>();
    final Map<String, Integer> did = new HashMap<>();
    final Ledger ledger = new Ledger();
    private final Function<Executor, CommitEngine> engines;
    private final ArrayDeque<Runnable> metadataTasks = new ArrayDeque<>();
    private final ClusterMetadata metadata;
    private final Links links = new Links();
    private final BrokerConfig config = BrokerConfig.of(
            Map.of("log.segment.bytes", "8000", "log.reserve.bytes", "0", "cursor.window.records", "1000"));
    private final boolean journal;
    private Optional<Throwable> fault = Optional.empty();
    private boolean failing;
    private @Nullable SimulatedBroker broker;
    private int boots;
    private long nextLink = 1;

    /** Nothing is lost and nothing fails any more: so that what is left comes to its end. */
    boolean healed;

    SimulatedWorld(long seed, Function<Executor, CommitEngine> engines) {
        SplittableRandom source = new SplittableRandom(seed);
        this.random = source;
        this.engines = engines;
        this.disk = new FakeDisk(source.split());
        this.journal = random.nextBoolean();
        ControllerSettings settings = ControllerSettings.defaults((scope, key, value) -> Optional.empty());
        this.metadata = new ClusterMetadata(
                new InMemoryMetadataQuorum(SimulatedBroker.ID, metadataTasks::add),
                metadataTasks::add,
                settings,
                source.split(),
                this::onFault);
        metadata.addListener(new ToBroker());
        metadata.start();
        boot();
        for (String queue : QUEUES) {
            var _ = metadata.controller()
                    .submit(new MetadataCommand.CreateLog(
                            new UUID(random.nextLong(), random.nextLong()),
                            queue,
                            LogKind.QUEUE,
                            LogOrigin.JMS,
                            Optional.of(1),
                            Map.of()));
        }
        settle();
    }

    // ---- chance and memory ----------------------------------------------------------------------------------------

    void say(String what) {
        history.add(what);
    }

    void did(String what) {
        did.merge(what, 1, Integer::sum);
    }

    /** Whether something happens that is not to happen in the end. */
    boolean chance(int percent) {
        return !healed && random.nextInt(100) < percent;
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    // ---- the broker -----------------------------------------------------------------------------------------------

    SimulatedBroker broker() {
        SimulatedBroker present = broker;
        if (present == null) {
            throw new IllegalStateException("there is no broker");
        }
        return present;
    }

    UUID logOf(String name) {
        return metadata.image().logNamed(name).map(LogInfo::logId).orElseThrow();
    }

    /** Starts a broker on what the disk has; a planned crash may come in the middle of that. */
    private void boot() {
        workOnMetadata();
        DiskLogStorage storage = DiskLogStorage.builder(
                        List.of(disk.root().resolve("data")), time, new SplittableRandom(random.nextLong()))
                .bootId("boot-" + boots)
                .commitJournalBytes(journal ? 1 << 14 : 0)
                .open();
        SimulatedBroker started = new SimulatedBroker(
                config, storage, metadata, time, new SplittableRandom(random.nextLong()), engines, this::onFault);
        broker = started;
        started.start();
        for (int turn = 0; !started.isReady(); turn++) {
            check(turn < MAX_TURNS, "the broker does not get ready");
            workOnMetadata();
            started.work();
            if (disk.isDown()) {
                return;
            }
            checkFaults();
        }
        check(disk.isDown() || started.serves(), "a partition is offline after a start");
    }

    private void onFault(String where, Throwable what) {
        if (fault.isEmpty()) {
            fault = Optional.of(new AssertionError("fault in " + where, what));
        }
    }

    private void checkFaults() {
        if (fault.isPresent() && !disk.isDown() && !failing) {
            throw new AssertionError("the broker has a bug", fault.get());
        }
    }

    /** The machine stops, or only the process; then it starts again, maybe several times. */
    void crash(boolean power) {
        did(power ? "power cut" : "kill");
        say(power ? "---- power cut" : "---- kill");
        if (power) {
            disk.crash();
            boots++;
        } else {
            disk.kill();
        }
        restart();
    }

    /** To be called after whatever touches the disk: its crash may have been planned. */
    void recoverIfDown() {
        if (disk.isDown()) {
            did("crash in the middle");
            say("---- crash in the middle");
            boots++;
            restart();
        }
    }

    private void restart() {
        do {
            broker = null;
            fault = Optional.empty();
            failing = false;
            disk.restart();
            disk.failWrites(false);
            disk.failForces(false);
            disk.capacityBytes(Long.MAX_VALUE);
            if (chance(15)) {
                disk.crashAfterOperations(1 + random.nextInt(60));
            }
            try {
                boot();
            } catch (RuntimeException e) {
                if (!disk.isDown()) {
                    throw e;
                }
            }
            if (disk.isDown()) {
                did("crash at the start");
                say("---- crash at the start");
                boots++;
            }
        } while (disk.isDown());
        links.drop();
    }

    /** A transaction ends, or has just ended: now and then the power goes soon after that. */
    void onEnd() {
        if (chance(3)) {
            disk.crashAfterOperations(1 + random.nextInt(25));
        }
    }

    /** From now on the disk has room for so much only. */
    void fill(int leftBytes) {
        did("full disk");
        say("---- the disk is full");
        disk.capacityBytes(disk.usedBytes() + leftBytes);
    }

    void makeRoom() {
        disk.capacityBytes(Long.MAX_VALUE);
    }

    /** The disk fails for good: what can be done about it is a restart. */
    void fail(boolean writes) {
        did("failing disk");
        say("---- the disk fails");
        failing = true;
        disk.failWrites(writes);
        disk.failForces(!writes);
    }

    boolean isFailing() {
        return failing;
    }

    private void workOnMetadata() {
        for (Runnable task = metadataTasks.poll(); task != null; task = metadataTasks.poll()) {
            task.run();
        }
    }

    private final class ToBroker implements MetadataListener {

        @Override
        public void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records) {
            if (broker != null) {
                broker.onCommitted(before, after, records);
            }
        }

        @Override
        public void onReset(MetadataImage before, MetadataImage after) {
            if (broker != null) {
                broker.onReset(before, after);
            }
        }
    }

    // ---- connections ----------------------------------------------------------------------------------------------

    NativeLink connect(UUID client, Consumer<Frame> receiver, Runnable onCut) {
        NativeLink link = new NativeLink(nextLink++, client, broker().router(), receiver, onCut);
        links.add(link);
        return link;
    }

    Link connect(Runnable onCut) {
        Link link = new Link(onCut);
        links.add(link);
        return link;
    }

    void cutSome() {
        links.pick(random).ifPresent(this::cut);
    }

    void cut(Link link) {
        did("cut");
        link.cut(random.nextInt(link.waitingForBroker() + 1));
    }

    // ---- steps ----------------------------------------------------------------------------------------------------

    /** Has something go on that is under way. */
    void step() {
        int dice = random.nextInt(100);
        guarded(() -> {
            if (dice < 35) {
                broker().work();
            } else if (dice < 45) {
                broker().workAll();
            } else if (dice < 85) {
                links.deliver(random);
            } else if (dice < 95) {
                broker().sync();
            } else {
                workOnMetadata();
            }
        });
    }

    /** Has everything go on until nothing happens without time going by. */
    void settle() {
        boolean[] worked = {true};
        for (int turn = 0; worked[0]; turn++) {
            check(turn < MAX_TURNS, "the broker does not come to rest");
            guarded(() -> {
                workOnMetadata();
                worked[0] = broker().workAll();
                broker().sync();
                while (links.deliver(random)) {
                    worked[0] = true;
                }
            });
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            if (!disk.isDown() && !failing) {
                throw e;
            }
        }
        recoverIfDown();
        checkFaults();
    }
}
