package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.deadletter.DeadLetterWriter;
import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.partition.ConsumerRequest;
import io.millrace.broker.internal.partition.CursorRequests;
import io.millrace.broker.internal.partition.CursorStart;
import io.millrace.broker.internal.partition.DeadLetters;
import io.millrace.broker.internal.partition.Delivery;
import io.millrace.broker.internal.partition.DeliverySink;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.partition.SendReply;
import io.millrace.broker.internal.partition.ShareAcknowledgement;
import io.millrace.broker.internal.partition.ShareAcknowledgement.Verdict;
import io.millrace.broker.internal.partition.ShareConsumers;
import io.millrace.broker.internal.partition.ShareConsumers.Taken;
import io.millrace.broker.internal.partition.ShareDelivery;
import io.millrace.broker.internal.partition.ShareTerms;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.Grant;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.PartitionInfo;
import io.millrace.coordinator.transaction.Participant.Part;
import io.millrace.coordinator.transaction.Participants.Ending;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.log.DiskLogStorage;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A partition that a share group consumes, in one thread, with time and disk in the hands of the test. */
final class SharedPartition {

    static final CursorId GROUP = new CursorId(new UUID(7, 7));
    static final long LOCK_MS = 30_000;

    /** Lent records: how often each was delivered, by offset; or why there was no answer but a failure. */
    record Lent(TreeMap<Long, Integer> counts, @Nullable ErrorCode failure) {
        List<Long> offsets() {
            return List.copyOf(counts.keySet());
        }
    }

    private final FakeTimeSource time = new FakeTimeSource();
    private final SplittableRandom random = new SplittableRandom(1);
    private final FakeDisk disk = new FakeDisk(random.split());
    private final ArrayDeque<Runnable> ioTasks = new ArrayDeque<>();
    private final UUID logId = new UUID(1, 1);
    private final BrokerConfig config;
    private final long coldBytes;
    private final LendingMemory memory;
    private int leaderEpoch = -1;
    private long nextMember;
    private Shard shard;
    private DiskLogStorage storage;
    private Partition partition;
    private Optional<Partition> letters = Optional.empty();

    /** @param memory in which it is noted what is lent */
    SharedPartition(LendingMemory memory) {
        this(Map.of("log.reserve.bytes", "0"), Long.MAX_VALUE, memory);
    }

    SharedPartition(Map<String, String> config, long coldBytes) {
        this(config, coldBytes, LendingMemory.unlimited());
    }

    private SharedPartition(Map<String, String> config, long coldBytes, LendingMemory memory) {
        this.config = BrokerConfig.of(config);
        this.coldBytes = coldBytes;
        this.memory = memory;
        this.shard = newShard();
        this.storage = openStorage();
        this.partition = open();
        FirstAnswer<Long> created = new FirstAnswer<>();
        partition.cursors().create(GROUP, true, created);
        settle();
        assertThat(created.result()).isZero();
    }

    SharedPartition() {
        this(Map.of("log.reserve.bytes", "0"), Long.MAX_VALUE);
    }

    private Shard newShard() {
        return new Shard("shard", time, 10_000, (where, fault) -> {
            throw new AssertionError("fault in " + where, fault);
        });
    }

    private DiskLogStorage openStorage() {
        return DiskLogStorage.builder(List.of(disk.root().resolve("data")), time, random.split())
                .bootId("boot")
                .open();
    }

    private Partition open() {
        leaderEpoch++;
        return open(logId, "events");
    }

    private Partition open(UUID logId, String name) {
        PartitionInfo info = new PartitionInfo(OptionalInt.of(1), leaderEpoch, leaderEpoch, List.of(1), List.of(1));
        LogInfo log = new LogInfo(logId, name, LogKind.TOPIC, LogOrigin.KAFKA, Map.of(), List.of(info));
        PartitionMetrics metrics = new BrokerMetrics(1).partition(logId, name, "topic", 0, 0);
        CompletableFuture<Partition> opened = new PartitionOpener(
                        storage, new LiveConfig(config, 1), ioTasks::add, memory, coldBytes, 1 << 20)
                .open(log, 0, leaderEpoch + 1, shard, metrics);
        settle();
        return opened.join();
    }

    Partition partition() {
        return partition;
    }

    /** Returns another partition of the same broker, which is there from now on. */
    Partition letters() {
        if (letters.isEmpty()) {
            letters = Optional.of(open(new UUID(1, 2), "dlq.events"));
        }
        return letters.get();
    }

    /** Returns what writes dead letters here, by the same clock and disk. */
    DeadLetterWriter writer() {
        return new DeadLetterWriter(shard, ioTasks::add);
    }

    ConsumerKey member() {
        return new ConsumerKey(new UUID(2, nextMember++), 0);
    }

    static ShareTerms terms(int maxDeliveries, DeadLetters deadLetters) {
        return new ShareTerms(TimeUnit.MILLISECONDS.toNanos(LOCK_MS), maxDeliveries, 100, false, deadLetters);
    }

    static ShareTerms terms(int maxDeliveries, int maxLocked) {
        return new ShareTerms(
                TimeUnit.MILLISECONDS.toNanos(LOCK_MS), maxDeliveries, maxLocked, false, DeadLetters.NONE);
    }

    /** The process ends between two turns, and another one begins with its files. */
    void restart() {
        settle();
        die(false);
    }

    /**
     * The process ends where it is, and another one begins with its files.
     *
     * @param power whether what was not forced is lost
     */
    void die(boolean power) {
        if (power) {
            disk.crash();
        } else {
            disk.kill();
        }
        disk.restart();
        ioTasks.clear();
        shard = newShard();
        storage = openStorage();
        partition = open();
        letters = letters.map(before -> open(new UUID(1, 2), "dlq.events"));
    }

    /** Does one thing that there is to do: a turn, a task of the I/O pool, a round of syncs. */
    void step() {
        if (shard.runTurn()) {
            return;
        }
        Runnable task = ioTasks.poll();
        if (task != null) {
            task.run();
        } else {
            time.advanceNs(1_000);
            storage.runSyncRounds();
        }
    }

    /** Runs what the shard, the disk and the I/O pool have to do. */
    void settle() {
        for (int quiet = 0; quiet < 3; ) {
            boolean busy = shard.runTurn();
            for (Runnable task = ioTasks.poll(); task != null; task = ioTasks.poll()) {
                task.run();
                busy = true;
            }
            time.advanceNs(1_000);
            busy |= storage.runSyncRounds() > 0;
            quiet = busy ? 0 : quiet + 1;
        }
    }

    /** The same, but the I/O pool does nothing. */
    void settleWithoutIo() {
        while (shard.runTurn()) {
            storage.runSyncRounds();
        }
    }

    void pass(long durationMs) {
        settle();
        time.advanceMs(durationMs);
        settle();
    }

    /** Appends one batch. */
    void send(int records, int bytes) {
        RecordBatchBuilder builder = new RecordBatchBuilder(1 << 20, 1 << 20);
        for (int i = 0; i < records; i++) {
            builder.tryAppend(time.wallClockMs(), null, "x".repeat(bytes).getBytes(StandardCharsets.UTF_8));
        }
        append(builder.build());
    }

    private void append(ByteBuffer built) {
        partition.produce(ByteBuffer.allocate(built.remaining()).put(built).flip(), true, new SendReply() {
            @Override
            public void onStored(long baseOffset) {
                assertThat(baseOffset).isNotNegative();
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                throw new AssertionError(code + " " + message);
            }
        });
        settle();
    }

    void send(int records) {
        send(records, 10);
    }

    /** Appends one batch of a transaction. */
    void send(ProducerIdentity transaction, int records) {
        RecordBatchBuilder builder = new RecordBatchBuilder(1 << 20, 1 << 20);
        for (int i = 0; i < records; i++) {
            builder.tryAppend(time.wallClockMs(), null, "x".getBytes(StandardCharsets.UTF_8));
        }
        append(builder.producer(transaction.id(), transaction.epoch(), 0)
                .transactional(true)
                .build());
    }

    void end(ProducerIdentity transaction, boolean commit) {
        FirstAnswer<Boolean> written = new FirstAnswer<>();
        partition
                .transactions()
                .end(Part.DATA, new Ending(transaction, transaction, commit, 0), written, new FirstAnswer<>());
        settle();
        assertThat(written.result()).isTrue();
    }

    FirstAnswer<ShareDelivery> ask(ConsumerKey member, ShareTerms terms, int maxRecords, boolean strict) {
        FirstAnswer<ShareDelivery> reply = new FirstAnswer<>();
        partition
                .shares()
                .acquire(
                        new ShareConsumers.Wanted(
                                GROUP,
                                member,
                                terms,
                                maxRecords,
                                1 << 20,
                                strict,
                                partition.snapshot().highWatermark()),
                        reply);
        return reply;
    }

    /** Looks once and, since a group's first look only has the cursor written ahead, once more. */
    Lent acquire(ConsumerKey member, ShareTerms terms, int maxRecords, boolean strict) {
        for (int look = 0; ; look++) {
            FirstAnswer<ShareDelivery> reply = ask(member, terms, maxRecords, strict);
            settle();
            Lent lent = lent(reply);
            if (look == 1 || !lent.counts.isEmpty() || lent.failure != null) {
                return lent;
            }
        }
    }

    Lent acquire(ConsumerKey member) {
        return acquire(member, terms(5, 2_000), 500, false);
    }

    static Lent lent(FirstAnswer<ShareDelivery> reply) {
        TreeMap<Long, Integer> counts = new TreeMap<>();
        if (reply.failure == null) {
            for (Grant grant : reply.result().grants()) {
                for (long offset = grant.firstOffset(); offset < grant.endOffset(); offset++) {
                    counts.put(offset, grant.deliveryCount());
                }
            }
        }
        return new Lent(counts, reply.failure);
    }

    /** Says something of records; returns whether it was taken. */
    boolean say(ConsumerKey member, Verdict verdict, long first, long last) {
        FirstAnswer<Taken> reply = tell(member, verdict, first, last);
        settle();
        return reply.result() == Taken.ALL;
    }

    /** Says something of records. */
    FirstAnswer<Taken> tell(ConsumerKey member, Verdict verdict, long first, long last) {
        FirstAnswer<Taken> reply = new FirstAnswer<>();
        partition
                .shares()
                .acknowledge(
                        GROUP,
                        member,
                        List.of(new ShareAcknowledgement(new OffsetRange(first, last + 1), verdict)),
                        TimeUnit.MILLISECONDS.toNanos(LOCK_MS),
                        reply);
        return reply;
    }

    void leave(ConsumerKey member) {
        partition.shares().leave(GROUP, member);
        settle();
    }

    CursorRequests.CursorPlace place() {
        FirstAnswer<CursorRequests.CursorPlace> reply = new FirstAnswer<>();
        partition.cursors().placeOf(GROUP, reply);
        return reply.result();
    }

    /** A JMS consumer of the same cursor: what it gets, by offset. */
    List<Delivery> consumeByJms(ConsumerKey key, int credit) {
        List<Delivery> deliveries = new ArrayList<>();
        FirstAnswer<Long> opened = new FirstAnswer<>();
        partition
                .consumers()
                .open(
                        new ConsumerRequest(key, GROUP, new CursorStart.Existing(), credit, 1 << 20, List.of()),
                        new DeliverySink() {
                            @Override
                            public boolean isReady() {
                                return true;
                            }

                            @Override
                            public void whenReady(Runnable task) {
                                task.run();
                            }

                            @Override
                            public void deliver(Delivery delivery) {
                                deliveries.add(delivery);
                            }

                            @Override
                            public void closed(ErrorCode code, String message) {
                                throw new AssertionError("consumer closed: " + code + " " + message);
                            }
                        },
                        opened);
        settle();
        assertThat(opened.result()).isNotNegative();
        return deliveries;
    }

    static final class FirstAnswer<T> implements Reply<T> {
        private @Nullable T done;
        private @Nullable ErrorCode failure;

        @Override
        public void onDone(T result) {
            assertThat(isAnswered()).as("answered twice").isFalse();
            done = result;
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            assertThat(isAnswered()).as("answered twice").isFalse();
            failure = code;
        }

        boolean isAnswered() {
            return done != null || failure != null;
        }

        @Nullable
        ErrorCode failure() {
            return failure;
        }

        T result() {
            if (done == null) {
                throw new AssertionError("no answer, but " + failure);
            }
            return done;
        }
    }
}
