package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.partition.ConsumerRequest;
import io.millrace.broker.internal.partition.CursorStart;
import io.millrace.broker.internal.partition.Delivery;
import io.millrace.broker.internal.partition.DeliverySink;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.partition.SendReply;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.PartitionInfo;
import io.millrace.log.DiskLogStorage;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A power loss takes the trace of a delivery. The broker that starts next notes, in the first turn of the partition, that all such traces may
 * be missing. It may end before that turn in any way, and the one after it must know all the same.
 */
class RedeliveryAfterPowerLossTest {

    private static final int MESSAGES = 3;
    private static final int SEEDS = 10;

    private final FakeTimeSource time = new FakeTimeSource();
    private SplittableRandom random = new SplittableRandom(0);
    private final UUID logId = new UUID(1, 1);
    private final BrokerConfig config = BrokerConfig.of(Map.of("log.reserve.bytes", "0"));
    private FakeDisk disk = new FakeDisk(random.split());
    private int boots;
    private int leaderEpoch = -1;
    private int sessions;

    enum End {
        KILLED,
        CLOSED_IN_ORDER
    }

    /** A broker's life, as far as one partition sees it. Without threads. */
    private final class Life {
        private final Shard shard = new Shard("shard", time, 10_000, (where, fault) -> {
            throw new AssertionError("fault in " + where, fault);
        });
        private final DiskLogStorage storage;
        private final CompletableFuture<Partition> opened;

        Life(List<Path> directories) {
            storage = DiskLogStorage.builder(directories, time, random.split())
                    .bootId("boot-" + boots)
                    .open();
            leaderEpoch++;
            PartitionInfo info = new PartitionInfo(OptionalInt.of(1), leaderEpoch, leaderEpoch, List.of(1), List.of(1));
            LogInfo log = new LogInfo(logId, "orders", LogKind.QUEUE, LogOrigin.JMS, Map.of(), List.of(info));
            PartitionMetrics metrics = new BrokerMetrics(1).partition(logId, "orders", "queue", 0, 0);
            opened = new PartitionOpener(storage, new LiveConfig(config, 1), Runnable::run, LendingMemory.unlimited())
                    .open(log, 0, leaderEpoch + 1, shard, metrics);
        }

        Partition partition() {
            settle();
            return opened.join();
        }

        /** What happens from now on is written and not synced. */
        private boolean unsynced;

        void settle() {
            for (int quiet = 0; quiet < 3; ) {
                time.advanceMs(60);
                boolean turned = shard.runTurn();
                boolean synced = !unsynced && storage.runSyncRounds() > 0;
                quiet = turned || synced ? 0 : quiet + 1;
            }
        }

        /** Delivers everything to a new consumer; returns the delivery counts. */
        List<Integer> deliver() {
            return deliver(MESSAGES);
        }

        List<Integer> deliver(int credit) {
            List<Integer> counts = new ArrayList<>();
            ConsumerKey key = new ConsumerKey(new UUID(2, sessions++), 1);
            partition()
                    .consumers()
                    .open(
                            new ConsumerRequest(
                                    key, CursorId.QUEUE, new CursorStart.OfQueue(), credit, 1_000, List.of()),
                            new Counting(counts),
                            new Expected<>());
            settle();
            return counts;
        }

        void send() {
            RecordBatchBuilder builder = new RecordBatchBuilder(1 << 20, 1 << 20);
            for (int i = 0; i < MESSAGES; i++) {
                builder.tryAppend(time.wallClockMs(), null, ("m" + i).getBytes(StandardCharsets.UTF_8));
            }
            ByteBuffer built = builder.producer(9, (short) 0, 0).build();
            partition()
                    .append(
                            ByteBuffer.allocate(built.remaining()).put(built).flip(),
                            leaderEpoch,
                            true,
                            new SendReply() {
                                @Override
                                public void onStored(long baseOffset) {
                                    assertThat(baseOffset).isZero();
                                }

                                @Override
                                public void onFailed(ErrorCode code, String message) {
                                    throw new AssertionError(code + " " + message);
                                }
                            });
            settle();
        }
    }

    private record Counting(List<Integer> counts) implements DeliverySink {
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
            for (int i = 0; i < delivery.entries().count(); i++) {
                counts.add(delivery.entries().deliveryCount(i));
            }
        }

        @Override
        public void closed(ErrorCode code, String message) {
            throw new AssertionError("consumer closed: " + code + " " + message);
        }
    }

    private static final class Expected<T> implements Reply<T> {
        @Override
        public void onDone(T result) {
            assertThat(result).isNotNull();
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            throw new AssertionError(code + " " + message);
        }
    }

    private Path directory(String name) {
        return disk.root().resolve(name);
    }

    /** A broker delivers, and its machine loses power with nothing synced since: with some seeds all traces of the delivery are lost. */
    private void deliverAndLosePower(List<Path> directories) {
        Life first = new Life(directories);
        first.send();
        assertThat(first.deliver(0))
                .as("its cursor is there, and has lent nothing")
                .isEmpty();
        first.storage.close();
        disk.restart();
        Life second = new Life(directories);
        second.partition();
        second.unsynced = true;
        assertThat(second.deliver()).containsExactly(1, 1, 1);
        disk.crash();
        disk.restart();
        boots++;
    }

    private void end(Life life, End how) {
        switch (how) {
            case KILLED -> disk.kill();
            case CLOSED_IN_ORDER -> life.storage.close();
        }
        disk.restart();
    }

    private void begin(long seed) {
        random = new SplittableRandom(seed);
        disk = new FakeDisk(random.split());
        boots = 0;
        leaderEpoch = -1;
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void shouldMarkRedeliveriesThoughTheStartAfterThePowerLossEndedBeforeItsFirstTurn(End how) {
        for (long seed = 0; seed < SEEDS; seed++) {
            begin(seed);
            List<Path> directories = List.of(directory("data"));
            deliverAndLosePower(directories);
            Life ended = new Life(directories);
            assertThat(ended.opened)
                    .as("its logs are open, and its first turn is to come")
                    .isNotDone();
            end(ended, how);

            assertThat(new Life(directories).deliver())
                    .as("seed " + seed)
                    .hasSize(MESSAGES)
                    .allMatch(count -> count >= 2);
        }
    }

    /** The disk lied, and the table of what was synced is gone with the messages: the cursors still know of them. */
    @Test
    void shouldSayThatMessagesAreLostWhichWereDelivered() throws IOException {
        begin(1);
        List<Path> directories = List.of(directory("data"));
        Life first = new Life(directories);
        first.send();
        assertThat(first.deliver()).containsExactly(1, 1, 1);
        first.storage.close();
        disk.restart();
        Life whole = new Life(directories);
        assertThat(whole.partition().lostBelow()).isZero();
        whole.storage.close();
        disk.restart();

        Files.write(directory("data").resolve("orders-0/00000000000000000000.log"), new byte[0]);
        Files.delete(directory("data").resolve("synced-offsets"));
        Files.deleteIfExists(directory("data").resolve("clean-shutdown"));
        boots++;
        Life shorter = new Life(directories);

        assertThat(shorter.partition().offsets().logEndOffset()).isZero();
        assertThat(shorter.partition().lostBelow()).isEqualTo(MESSAGES);
        assertThat(shorter.partition().snapshot().online()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void shouldMarkRedeliveriesAfterThatTurnToo(End how) {
        for (long seed = 0; seed < SEEDS; seed++) {
            begin(seed);
            List<Path> directories = List.of(directory("data"));
            deliverAndLosePower(directories);
            Life ended = new Life(directories);
            ended.partition();
            end(ended, how);

            assertThat(new Life(directories).deliver())
                    .as("seed " + seed)
                    .hasSize(MESSAGES)
                    .allMatch(count -> count >= 2);
        }
    }
}
