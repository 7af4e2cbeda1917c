package io.millrace.coordinator.quorum;

import static org.awaitility.Awaitility.await;

import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.ControllerSettings;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLog;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBroker;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBrokerResult;
import io.millrace.log.DiskLogStorage;
import io.millrace.wire.time.SystemTimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** The metadata of a broker that is a cluster by itself, with its real threads, on a directory that the test gives. */
final class OneBroker implements AutoCloseable {
    static final int ID = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    /** Runs when the quorum reports a fault. */
    volatile Runnable onFault = () -> {};

    final DiskLogStorage storage;
    final RaftMetadataQuorum quorum;
    final ClusterMetadata metadata;
    private final ExecutorService executor;

    OneBroker(Path directory) {
        this(directory, 20_000);
    }

    OneBroker(Path directory, int snapshotEvery) {
        this(directory, snapshotEvery, 0);
    }

    OneBroker(Path directory, int snapshotEvery, long reserveBytes) {
        ThreadFactory threads =
                Thread.ofPlatform().daemon().name("one-broker-", 0).factory();
        storage = DiskLogStorage.builder(List.of(directory), SystemTimeSource.instance(), new Random())
                .brokerId(ID)
                .clusterId("one")
                .reserveBytes(reserveBytes)
                .threads(threads)
                .open();
        boolean opened = false;
        try {
            quorum = new RaftMetadataQuorum(
                    QuorumSettings.alone("one", ID),
                    storage,
                    (peer, request) -> CompletableFuture.failedFuture(new AssertionError("there is no peer " + peer)),
                    SystemTimeSource.instance(),
                    threads,
                    (part, cause) -> {
                        faults.add(cause);
                        onFault.run();
                    });
            opened = true;
        } finally {
            if (!opened) {
                storage.close();
            }
        }
        executor = Executors.newSingleThreadExecutor(threads);
        metadata = new ClusterMetadata(
                quorum,
                executor,
                ControllerSettings.defaults((scope, key, value) -> Optional.empty())
                        .withSnapshotEveryRecords(snapshotEvery),
                new Random(),
                (part, cause) -> faults.add(cause));
    }

    OneBroker start() {
        metadata.start();
        return this;
    }

    QuorumLeader awaitLeading() {
        CompletableFuture<QuorumLeader> leading = metadata.whenLeading().toCompletableFuture();
        await().atMost(PATIENCE).until(leading::isDone);
        return leading.join();
    }

    <R> R run(MetadataCommand<R> command) {
        CompletableFuture<R> answer = metadata.controller().submit(command).toCompletableFuture();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(answer::isDone);
        return answer.join();
    }

    long register() {
        UUID operationId = UUID.randomUUID();
        RegisterBrokerResult result = run(new RegisterBroker(operationId, ID, storage.incarnation(), List.of()));
        return ((RegisterBrokerResult.Registered) result).brokerEpoch();
    }

    static CreateLog createLog(String name) {
        return new CreateLog(UUID.randomUUID(), name, LogKind.QUEUE, LogOrigin.JMS, Optional.empty(), Map.of());
    }

    @Override
    public void close() {
        metadata.close();
        executor.shutdown();
        storage.close();
    }

    /** As the end of a process whose disk is gone: threads end when they next touch it. */
    void abandon() {
        executor.shutdownNow();
    }
}
