package io.millrace.broker.internal.destination;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.partition.AcknowledgedRecords;
import io.millrace.broker.internal.partition.ConsumerRequest;
import io.millrace.broker.internal.partition.CursorStart;
import io.millrace.broker.internal.partition.Delivery;
import io.millrace.broker.internal.partition.DeliverySink;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.ReleasedRecords;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.partition.SendReply;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.AcquisitionId;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.HeldRecords;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.PartitionInfo;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.log.CleanerConfig;
import io.millrace.log.DiskLogStorage;
import io.millrace.log.LogCleaner;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.DeliveryForm;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a queue, one producer, some consumers and the cleaner in one thread, on a disk that crashes: a seed gives the same run again.
 *
 * <p>It keeps a model of what was confirmed to whom, and throws an {@link AssertionError} as soon as the partition contradicts it: an
 * answered send that is lost, doubled or out of order; an acknowledged message that comes again; a message that two consumers hold; a
 * redelivery that is not marked.
 */
final class PartitionSimulation {

    private static final int MAX_UNANSWERED = 5;

    private final SplittableRandom random;
    private final FakeTimeSource time = new FakeTimeSource();
    private final FakeDisk disk;
    private final ArrayDeque<Runnable> ioTasks = new ArrayDeque<>();
    private final UUID logId = new UUID(1, 1);
    private final BrokerConfig config = BrokerConfig.of(
            Map.of("log.segment.bytes", "4000", "log.reserve.bytes", "0", "cursor.window.records", "50"));

    private Shard shard;
    private DiskLogStorage storage;
    private Partition partition;
    private int leaderEpoch = -1;
    private boolean killed;
    private boolean uncertain;
    private LogCleaner cleaner;
    private boolean cleaning;
    private boolean answering;
    private long removed;
    private int boots;

    // ---- the model ----
    private final List<Batch> unanswered = new ArrayList<>();
    private final Map<Long, String> stored = new HashMap<>();
    final Map<String, Message> messages = new HashMap<>();
    private final List<Client> clients = new ArrayList<>();
    private final Optional<SimulatedTransactions> transactions;
    private int nextSequence;
    private int nextSession = 1;

    /** A batch that is not confirmed yet. */
    private record Batch(int firstSequence, List<String> texts, Compression compression) {}

    /** What is known of one message. */
    static final class Message {
        private int counted;
        private boolean exact = true;
        boolean answered;
        boolean maybeAcknowledged;
        boolean acknowledged;
        /** Sent in a transaction that has not ended. */
        boolean undecided;
        /** Sent in a transaction that was rolled back. */
        boolean aborted;
        /** Acknowledged in a transaction that has not ended. */
        boolean pending;
        /** Acknowledged, but not durably: survives the end of the process, not of the machine. */
        private boolean applied;

        @Nullable
        Client holder;
    }

    record Held(String text, long offset, long acquisition) {}

    /** A session with one consumer. */
    final class Client implements DeliverySink {
        private final UUID session = new UUID(2, nextSession++);
        final ConsumerKey key = new ConsumerKey(session, 1);
        final List<Held> held = new ArrayList<>();
        private boolean ready = true;
        private boolean alive = true;
        private final List<Runnable> waiting = new ArrayList<>();

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void whenReady(Runnable task) {
            waiting.add(task);
        }

        @Override
        public void deliver(Delivery delivery) {
            check(alive, "delivery to a session that has ended");
            int count = delivery.entries().count();
            try (RecordCursor records = delivery.form() == DeliveryForm.RECORDS
                    ? RecordCursor.overRecords(
                            delivery.payload(), delivery.baseOffset(), delivery.baseTimestampMs(), count)
                    : RecordBatch.at(delivery.payload(), 0).records()) {
                int entry = 0;
                while (entry < count && records.next()) {
                    if (records.offset()
                            == delivery.baseOffset() + delivery.entries().offsetDelta(entry)) {
                        String text = StandardCharsets.UTF_8
                                .decode(Objects.requireNonNull(records.value()))
                                .toString();
                        onMessage(
                                this,
                                text,
                                records.offset(),
                                delivery.entries().deliveryCount(entry),
                                delivery.acquisition());
                        entry++;
                    }
                }
                check(entry == count, "entries without records");
            }
        }

        @Override
        public void closed(ErrorCode code, String message) {
            check(disk.isDown(), "consumer closed though nothing failed: " + code + " " + message);
        }
    }

    /** @param transactional whether there are transactions, too */
    PartitionSimulation(long seed, boolean transactional) {
        this.random = new SplittableRandom(seed);
        this.disk = new FakeDisk(random.split());
        this.shard = newShard();
        this.storage = openStorage();
        this.cleaner = openCleaner();
        this.partition = openPartition();
        clients.add(new Client());
        clients.add(new Client());
        clients.forEach(this::attach);
        this.transactions =
                transactional ? Optional.of(new SimulatedTransactions(this, random.split())) : Optional.empty();
    }

    private Shard newShard() {
        return new Shard("shard", time, 10_000, (where, fault) -> {
            if (!disk.isDown()) {
                throw new AssertionError("fault in " + where, fault);
            }
        });
    }

    private DiskLogStorage openStorage() {
        return DiskLogStorage.builder(List.of(disk.root().resolve("data")), time, random.split())
                .bootId("boot-" + boots)
                .open();
    }

    private LogCleaner openCleaner() {
        return storage.cleaner(CleanerConfig.DEFAULT, time);
    }

    /** The cleaner, which has a thread of its own in a broker, waits for what it asks of the shard: here that is done at once. */
    private Executor answeringCleaner(Executor executor) {
        return task -> {
            executor.execute(task);
            if (cleaning && !answering) {
                answering = true;
                try {
                    for (int round = 0; round < 3; round++) {
                        settle();
                        storage.runSyncRounds();
                    }
                    settle();
                } finally {
                    answering = false;
                }
            }
        };
    }

    private Partition openPartition() {
        leaderEpoch++;
        PartitionInfo info = new PartitionInfo(OptionalInt.of(1), leaderEpoch, leaderEpoch, List.of(1), List.of(1));
        LogInfo log = new LogInfo(logId, "orders", LogKind.QUEUE, LogOrigin.JMS, Map.of(), List.of(info));
        HastyStorage hasty = new HastyStorage(storage, random.split(), this::answeringCleaner);
        PartitionMetrics metrics = new BrokerMetrics(1).partition(logId, "orders", "queue", 0, 0);
        CompletableFuture<Partition> opened = HastyPartitions.opener(hasty, new LiveConfig(config, 1), this::later)
                .open(log, 0, leaderEpoch + 1, shard, metrics);
        settle();
        Partition partition = opened.join();
        check(partition.lostBelow() == 0, "a disk that does not lie has lost records below " + partition.lostBelow());
        return partition;
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    // ---- what happens ---------------------------------------------------------------------------------------------

    /** Does something by chance. */
    void step() {
        if (transactions.isPresent() && random.nextInt(3) == 0) {
            transactions.get().act(random.nextInt(100), anyClient());
        } else {
            act(random.nextInt(100));
        }
        time.advanceNs(random.nextLong(2_000_000));
        if (random.nextInt(3) == 0) {
            storage.runSyncRounds();
        }
        if (random.nextInt(4) != 0) {
            settle();
        }
        while (disk.isDown()) {
            recover();
        }
    }

    private void act(int dice) {
        if (dice < 25) {
            send();
        } else if (dice < 45) {
            Client client = anyClient();
            partition.consumers().addCredit(client.key, 1 + random.nextInt(20), random.nextInt(2_000));
        } else if (dice < 75) {
            acknowledge(anyClient());
        } else if (dice < 85) {
            release(anyClient());
        } else if (dice < 90) {
            congest(anyClient());
        } else if (dice < 93) {
            endSession(anyClient());
        } else if (dice < 95) {
            comeBack(anyClient());
        } else if (dice < 96) {
            partition.retain();
        } else if (dice < 97) {
            clean();
        } else if (dice < 98) {
            disk.crashAfterOperations(1 + random.nextInt(40));
        } else if (dice < 99) {
            crash(true);
        } else {
            crash(false);
        }
    }

    /** A crash may be planned, and come in the middle. */
    private void clean() {
        if (random.nextInt(3) == 0) {
            disk.crashAfterOperations(1 + random.nextInt(60));
        }
        long before = cleaner.stats().consumed().recordsRemoved();
        cleaning = true;
        try {
            while (cleaner.cleanDirtiest()) {
                time.advanceMs(1);
            }
        } finally {
            cleaning = false;
        }
        removed += cleaner.stats().consumed().recordsRemoved() - before;
    }

    /** Records that the cleaner took out of files. */
    long removed() {
        return removed;
    }

    private Client anyClient() {
        return clients.get(random.nextInt(clients.size()));
    }

    private void send() {
        if (unanswered.size() >= MAX_UNANSWERED) {
            return;
        }
        List<String> texts = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            String text = "m" + (nextSequence + i) + "x".repeat(random.nextInt(60));
            texts.add(text);
            messages.put(text, new Message());
        }
        Batch batch = new Batch(nextSequence, texts, random.nextInt(4) == 0 ? Compression.GZIP : Compression.NONE);
        nextSequence += count;
        unanswered.add(batch);
        submit(batch);
    }

    private void submit(Batch batch) {
        ByteBuffer bytes =
                batch(batch.texts, batch.compression, new ProducerIdentity(9, (short) 0), batch.firstSequence, false);
        partition.append(bytes, leaderEpoch, true, new SendReply() {
            @Override
            public void onStored(long baseOffset) {
                onAnswered(batch, baseOffset);
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                check(disk.isDown(), "send failed though nothing is broken: " + code + " " + message);
            }
        });
    }

    ByteBuffer batch(
            List<String> texts,
            Compression compression,
            ProducerIdentity producer,
            int firstSequence,
            boolean transactional) {
        RecordBatchBuilder builder = new RecordBatchBuilder(1 << 20, 1 << 20).compression(compression);
        for (String text : texts) {
            builder.tryAppend(time.wallClockMs(), null, text.getBytes(StandardCharsets.UTF_8));
        }
        ByteBuffer built = builder.producer(producer.id(), producer.epoch(), firstSequence)
                .transactional(transactional)
                .build();
        return ByteBuffer.allocate(built.remaining()).put(built).flip();
    }

    private void onAnswered(Batch batch, long baseOffset) {
        unanswered.remove(batch);
        onStored(batch.texts, baseOffset);
        batch.texts.forEach(text -> message(text).answered = true);
    }

    void onStored(List<String> texts, long baseOffset) {
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            String other = stored.putIfAbsent(baseOffset + i, text);
            check(
                    other == null || other.equals(text),
                    "offset " + (baseOffset + i) + " holds " + other + " and " + text);
        }
    }

    Partition partition() {
        return partition;
    }

    int leaderEpoch() {
        return leaderEpoch;
    }

    boolean isDown() {
        return disk.isDown();
    }

    /** What its transactions did. */
    Map<String, Integer> transactions() {
        return transactions.map(all -> all.did).orElse(Map.of());
    }

    Message message(String text) {
        return Objects.requireNonNull(messages.get(text), () -> "a message that nobody sent: " + text);
    }

    private void onMessage(Client client, String text, long offset, int deliveryCount, long acquisition) {
        Message message = message(text);
        check(!message.undecided, text + " comes before its transaction has ended");
        check(!message.aborted, text + " comes though its transaction was rolled back");
        check(!message.pending, text + " comes though it is acknowledged in a transaction");
        check(!message.acknowledged, text + " comes again though its acknowledgement was confirmed");
        check(!message.applied, text + " comes again though its acknowledgement was applied");
        check(message.holder == null, text + " is held by two consumers");
        int least = message.counted + 1;
        if (message.exact) {
            check(deliveryCount == least, text + " says delivery " + deliveryCount + ", it is " + least);
        } else {
            check(deliveryCount >= Math.min(least, 2), text + " is not marked as redelivered");
        }
        message.counted++;
        message.holder = client;
        client.held.add(new Held(text, offset, acquisition));
    }

    AcquisitionId identity(Held held) {
        return new AcquisitionId(partition.term(leaderEpoch), held.acquisition);
    }

    private void acknowledge(Client client) {
        if (client.held.isEmpty()) {
            return;
        }
        Held held = client.held.remove(random.nextInt(client.held.size()));
        Message message = message(held.text);
        message.holder = null;
        message.maybeAcknowledged = true;
        boolean durable = random.nextBoolean();
        AcknowledgedRecords records = new AcknowledgedRecords(
                CursorId.QUEUE, client.key, identity(held), List.of(OffsetRange.of(held.offset)));
        partition.consumers().acknowledge(List.of(records), durable, new Reply<>() {
            @Override
            public void onDone(List<List<OffsetRange>> refused) {
                check(refused.getFirst().isEmpty(), "acknowledgement of " + held.text + " refused");
                if (durable) {
                    message.acknowledged = true;
                } else {
                    message.applied = true;
                }
            }

            @Override
            public void onFailed(ErrorCode code, String why) {
                check(disk.isDown(), "acknowledgement failed though nothing is broken: " + code + " " + why);
            }
        });
    }

    private void release(Client client) {
        if (client.held.isEmpty()) {
            return;
        }
        Held held = client.held.remove(random.nextInt(client.held.size()));
        boolean seen = random.nextBoolean();
        Message message = message(held.text);
        message.holder = null;
        if (!seen) {
            message.counted--;
        }
        partition
                .consumers()
                .release(
                        CursorId.QUEUE,
                        client.key,
                        List.of(new ReleasedRecords(identity(held), List.of(OffsetRange.of(held.offset)), seen)),
                        new Reply<>() {
                            @Override
                            public void onDone(Boolean done) {
                                // Nothing is promised but that the turn has ended.
                            }

                            @Override
                            public void onFailed(ErrorCode code, String why) {
                                check(disk.isDown(), "release failed: " + code + " " + why);
                                message.exact = false;
                            }
                        });
    }

    private static void congest(Client client) {
        client.ready = !client.ready;
        if (client.ready) {
            List<Runnable> waiting = List.copyOf(client.waiting);
            client.waiting.clear();
            waiting.forEach(Runnable::run);
        }
    }

    private void endSession(Client client) {
        partition.consumers().onSessionGone(client.session);
        forget(client);
        Client next = new Client();
        clients.set(clients.indexOf(client), next);
        attach(next);
    }

    private void forget(Client client) {
        client.alive = false;
        for (Held held : client.held) {
            message(held.text).holder = null;
        }
        client.held.clear();
    }

    private void attach(Client client) {
        open(client, List.of());
    }

    private void open(Client client, List<HeldRecords> held) {
        partition
                .consumers()
                .open(
                        new ConsumerRequest(client.key, CursorId.QUEUE, new CursorStart.OfQueue(), 5, 500, held),
                        client,
                        new Reply<>() {
                            @Override
                            public void onDone(Long offset) {
                                check(offset >= 0, "negative offset");
                            }

                            @Override
                            public void onFailed(ErrorCode code, String message) {
                                // An opening that waits is dropped with the session's connection; the session opens
                                // again.
                                check(
                                        code == ErrorCode.UNKNOWN_SESSION || disk.isDown(),
                                        "consumer not opened: " + code + " " + message);
                            }
                        });
    }

    /** The connection breaks, and the session comes back with half of what it had; the other half was never seen. */
    private void comeBack(Client client) {
        partition.consumers().onSessionDetached(client.session);
        settle();
        List<Held> kept = new ArrayList<>();
        List<HeldRecords> named = new ArrayList<>();
        for (Held held : client.held) {
            if (random.nextBoolean()) {
                kept.add(held);
                named.add(new HeldRecords(identity(held), List.of(OffsetRange.of(held.offset))));
            } else {
                message(held.text).holder = null;
                message(held.text).counted--;
            }
        }
        client.held.clear();
        client.held.addAll(kept);
        open(client, named);
    }

    // ---- crashes --------------------------------------------------------------------------------------------------

    /** The machine stops, or only the process; the latter between two turns, so that the model knows what was written. */
    private void crash(boolean power) {
        if (power) {
            disk.crash();
        } else {
            settle();
            killed = !disk.isDown();
            disk.kill();
        }
    }

    private void recover() {
        boolean power = !killed;
        killed = false;
        boots += power ? 1 : 0;
        // Until a close in good order, every start after a power loss has to assume that something is missing.
        uncertain |= power;
        for (Message message : messages.values()) {
            message.holder = null;
            message.exact &= !uncertain;
            message.applied &= !power;
        }
        clients.forEach(this::forget);
        transactions.ifPresent(SimulatedTransactions::onCrash);
        ioTasks.clear();
        disk.restart();
        shard = newShard();
        storage = openStorage();
        cleaner = openCleaner();
        partition = openPartition();
        clients.replaceAll(lost -> new Client());
        List.copyOf(unanswered).forEach(this::submit);
        clients.forEach(this::attach);
        transactions.ifPresent(SimulatedTransactions::onRecovered);
    }

    /** What the I/O pool has to do waits for the next settling. */
    private void later(Runnable task) {
        ioTasks.add(task);
    }

    /** Runs the shard and the I/O pool until they have nothing more to do. */
    private void settle() {
        int turns = 0;
        while (shard.runTurn() || !ioTasks.isEmpty()) {
            check(++turns < 10_000, "the shard does not come to rest");
            for (Runnable task = ioTasks.poll(); task != null; task = ioTasks.poll()) {
                task.run();
            }
        }
    }

    // ---- the end --------------------------------------------------------------------------------------------------

    /** Lets everything finish, and checks that nothing is missing. */
    void finish() {
        disk.cancelPlannedCrash();
        for (int round = 0; round < 20_000 && !isDone(); round++) {
            time.advanceMs(60);
            storage.runSyncRounds();
            settle();
            transactions.ifPresent(SimulatedTransactions::finish);
            for (Client client : clients) {
                if (!client.ready) {
                    congest(client);
                }
                partition.consumers().addCredit(client.key, 10, 1_000);
                while (!client.held.isEmpty()) {
                    acknowledge(client);
                }
            }
            storage.runSyncRounds();
            settle();
        }
        check(unanswered.isEmpty(), unanswered.size() + " sends are never answered");
        messages.forEach((text, message) -> {
            check(message.answered || message.aborted, text + " was not answered");
            check(message.aborted || message.acknowledged || message.maybeAcknowledged, text + " is lost");
        });
    }

    private boolean isDone() {
        return unanswered.isEmpty()
                && transactions.map(SimulatedTransactions::isDone).orElse(true)
                && messages.values().stream()
                        .allMatch(message -> message.aborted || message.acknowledged || message.maybeAcknowledged)
                && clients.stream().allMatch(client -> client.held.isEmpty());
    }
}
