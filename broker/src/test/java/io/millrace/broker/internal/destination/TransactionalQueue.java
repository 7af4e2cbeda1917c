package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.destination.SharedPartition.FirstAnswer;
import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.partition.AcknowledgedRecords;
import io.millrace.broker.internal.partition.ConsumerRequest;
import io.millrace.broker.internal.partition.CursorStart;
import io.millrace.broker.internal.partition.Delivery;
import io.millrace.broker.internal.partition.DeliverySink;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.ReleasedRecords;
import io.millrace.broker.internal.partition.SendReply;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.AcquisitionId;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.CursorSummary;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A partition of a queue in which transactions write, in one thread, with time and disk in the hands of the test. */
final class TransactionalQueue {

    /** A consumer that takes whatever it gets. */
    final class Client implements DeliverySink {
        final ConsumerKey key = new ConsumerKey(new UUID(2, nextSession++), 1);
        private final CursorId cursor;
        /** How often each record that it got was delivered, by offset. */
        final TreeMap<Long, Integer> got = new TreeMap<>();

        private final Map<Long, Long> acquisitions = new HashMap<>();

        Client(CursorId cursor) {
            this.cursor = cursor;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void whenReady(Runnable task) {
            throw new AssertionError("it is ready");
        }

        @Override
        public void deliver(Delivery delivery) {
            for (int entry = 0; entry < delivery.entries().count(); entry++) {
                long offset = delivery.baseOffset() + delivery.entries().offsetDelta(entry);
                got.put(offset, delivery.entries().deliveryCount(entry));
                acquisitions.put(offset, delivery.acquisition());
            }
        }

        @Override
        public void closed(ErrorCode code, String message) {
            throw new AssertionError(code + " " + message);
        }

        /** Returns what it got since it was asked the last time. */
        List<Long> take() {
            settle();
            List<Long> taken = List.copyOf(got.keySet());
            got.clear();
            return taken;
        }

        AcknowledgedRecords records(long first, long last) {
            AcquisitionId acquisition =
                    new AcquisitionId(partition.term(leaderEpoch), Objects.requireNonNull(acquisitions.get(first)));
            return new AcknowledgedRecords(cursor, key, acquisition, List.of(new OffsetRange(first, last + 1)));
        }

        FirstAnswer<List<List<OffsetRange>>> acknowledge(ProducerIdentity transaction, long first, long last) {
            FirstAnswer<List<List<OffsetRange>>> reply = new FirstAnswer<>();
            partition.transactions().acknowledge(List.of(records(first, last)), transaction, reply);
            settle();
            return reply;
        }

        /** Gives back what it has seen. */
        void release(long first, long last) {
            AcknowledgedRecords records = records(first, last);
            partition
                    .consumers()
                    .release(
                            cursor,
                            key,
                            List.of(new ReleasedRecords(records.acquisition(), records.ranges(), true)),
                            new FirstAnswer<>());
            settle();
        }

        /** Asks whether there is more than was sent to it. */
        FirstAnswer<Boolean> pull() {
            FirstAnswer<Boolean> reply = new FirstAnswer<>();
            partition.consumers().pull(key, reply);
            // It waits for what was written before to be synced, which takes 50 ms if nobody is in a hurry.
            pass(60);
            return reply;
        }
    }

    private final FakeTimeSource time = new FakeTimeSource();
    private final SplittableRandom random = new SplittableRandom(1);
    private final FakeDisk disk = new FakeDisk(random.split());
    private final ArrayDeque<Runnable> ioTasks = new ArrayDeque<>();
    private final UUID logId = new UUID(1, 1);
    private final Map<ProducerIdentity, Integer> sequences = new HashMap<>();
    private final Map<String, String> ownConfig;
    private int leaderEpoch = -1;
    private long nextSession;
    private Shard shard;
    private DiskLogStorage storage;
    private Partition partition;

    TransactionalQueue() {
        this(Map.of());
    }

    /** @param ownConfig settings of the queue */
    TransactionalQueue(Map<String, String> ownConfig) {
        this.ownConfig = ownConfig;
        this.shard = newShard();
        this.storage = openStorage();
        this.partition = open();
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
        PartitionInfo info = new PartitionInfo(OptionalInt.of(1), leaderEpoch, leaderEpoch, List.of(1), List.of(1));
        LogInfo log = new LogInfo(logId, "orders", LogKind.QUEUE, LogOrigin.JMS, ownConfig, List.of(info));
        PartitionMetrics metrics = new BrokerMetrics(1).partition(logId, "orders", "queue", 0, 0);
        BrokerConfig config = BrokerConfig.of(Map.of("log.reserve.bytes", "0", "log.segment.bytes", "2000"));
        CompletableFuture<Partition> opened = new PartitionOpener(
                        storage,
                        new LiveConfig(config, 1),
                        ioTasks::add,
                        LendingMemory.unlimited(),
                        Long.MAX_VALUE,
                        1 << 20)
                .open(log, 0, leaderEpoch + 1, shard, metrics);
        settle();
        return opened.join();
    }

    Partition partition() {
        return partition;
    }

    /** The process ends, and another one begins with its files. */
    void restart(boolean power) {
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
    }

    /** Runs what the shard and the I/O pool have to do; nothing is synced. */
    void runTurns() {
        while (shard.runTurn() || !ioTasks.isEmpty()) {
            for (Runnable task = ioTasks.poll(); task != null; task = ioTasks.poll()) {
                task.run();
            }
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

    void pass(long durationMs) {
        settle();
        time.advanceMs(durationMs);
        settle();
    }

    /** Opens a consumer of the queue. */
    Client consumer() {
        Client client = new Client(CursorId.QUEUE);
        open(client, new CursorStart.OfQueue());
        return client;
    }

    /** Opens a consumer of what is there, with a cursor of its own. */
    Client consumerFromStart() {
        Client client = new Client(new CursorId(new UUID(9, nextSession)));
        open(client, new CursorStart.Earliest());
        return client;
    }

    private void open(Client client, CursorStart start) {
        FirstAnswer<Long> opened = new FirstAnswer<>();
        partition
                .consumers()
                .open(new ConsumerRequest(client.key, client.cursor, start, 1_000, 1 << 20, List.of()), client, opened);
        settle();
        assertThat(opened.result()).isNotNegative();
    }

    /** Sends messages outside of transactions. */
    void send(int records) {
        assertThat(append(new ProducerIdentity(1, (short) 0), false, records).failure())
                .isNull();
        settle();
    }

    /** Sends messages in a transaction. */
    void send(ProducerIdentity transaction, int records) {
        assertThat(append(transaction, true, records).failure()).isNull();
        settle();
    }

    /** Appends a batch, without waiting for anything. */
    FirstAnswer<Long> append(ProducerIdentity producer, boolean transactional, int records) {
        RecordBatchBuilder builder = new RecordBatchBuilder(1 << 20, 1 << 20);
        for (int i = 0; i < records; i++) {
            builder.tryAppend(time.wallClockMs(), null, "x".repeat(20).getBytes(StandardCharsets.UTF_8));
        }
        int sequence = sequences.getOrDefault(producer, 0);
        ByteBuffer built = builder.producer(producer.id(), producer.epoch(), sequence)
                .transactional(transactional)
                .build();
        FirstAnswer<Long> answer = new FirstAnswer<>();
        partition.append(ByteBuffer.allocate(built.remaining()).put(built).flip(), leaderEpoch, true, new SendReply() {
            @Override
            public void onStored(long baseOffset) {
                answer.onDone(baseOffset);
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                answer.onFailed(code, message);
            }
        });
        if (answer.failure() == null) {
            sequences.put(producer, sequence + records);
        }
        return answer;
    }

    /** What came of an end. */
    record Told(FirstAnswer<Boolean> written, FirstAnswer<Boolean> durable) {}

    Told end(Part part, ProducerIdentity transaction, boolean commit) {
        Told told = new Told(new FirstAnswer<>(), new FirstAnswer<>());
        partition
                .transactions()
                .end(part, new Ending(transaction, transaction.bumped(), commit, 3), told.written, told.durable);
        return told;
    }

    FirstAnswer<Boolean> secure(Part part, ProducerIdentity transaction) {
        FirstAnswer<Boolean> reply = new FirstAnswer<>();
        partition.transactions().secure(part, transaction, reply);
        return reply;
    }

    CursorSummary queue() {
        return partition.cursors().summaries().stream()
                .filter(cursor -> cursor.id().equals(CursorId.QUEUE))
                .findFirst()
                .orElseThrow();
    }
}
