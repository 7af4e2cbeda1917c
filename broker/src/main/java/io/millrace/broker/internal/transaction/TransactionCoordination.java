package io.millrace.broker.internal.transaction;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.TransactionKeys;
import io.millrace.broker.internal.destination.InternalTopic;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.ProducerIds;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.transaction.CommitEngine;
import io.millrace.coordinator.transaction.Participants;
import io.millrace.coordinator.transaction.TransactionCoordinator;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.coordinator.transaction.TransactionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coordinators of this broker: one for each partition of {@code __transaction_state}, on that partition's shard. The topic is created when a
 * client first uses a transaction; after a restart all of it is loaded before anybody is answered, and what was decided is carried on.
 *
 * <p>From any thread, except where it says otherwise.
 */
public final class TransactionCoordination {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionCoordination.class);

    private final InternalTopic topic;
    private final Partitions partitions;
    private final ProducerIds producerIds;
    private final Function<Executor, CommitEngine> engines;
    private final Function<Executor, Participants> participants;
    private final TransactionSettings settings;
    private final int loadBufferBytes;
    private final Executor io;
    private final AtomicReference<@Nullable CompletableFuture<List<CompletableFuture<Led>>>> running =
            new AtomicReference<>();
    private final BranchAlarm alarm = new BranchAlarm();
    private volatile boolean closed;

    /** A coordinator and where it runs. */
    private record Led(Shard shard, TransactionCoordinator coordinator, CommitEngine engine) {}

    /**
     * Creates it, with nothing loaded.
     *
     * @param engines makes what drives commits, for the shard of a coordinator
     * @param participants makes what tells partitions, likewise
     * @param io loads partitions
     */
    public TransactionCoordination(
            BrokerConfig config,
            InternalTopic topic,
            Partitions partitions,
            ProducerIds producerIds,
            Function<Executor, CommitEngine> engines,
            Function<Executor, Participants> participants,
            Executor io) {
        this.topic = topic;
        this.partitions = partitions;
        this.producerIds = producerIds;
        this.engines = engines;
        this.participants = participants;
        this.settings = new TransactionSettings(
                config.get(TransactionKeys.MAX_TIMEOUT_MS),
                config.get(TransactionKeys.MAX_OPEN),
                config.get(TransactionKeys.ID_EXPIRATION_MS));
        this.loadBufferBytes = config.get(TransactionKeys.LOAD_BUFFER_SIZE);
        this.io = io;
    }

    /** Goes on with what was decided before a restart, if there ever were transactions. */
    public void wakeUpIfUsed() {
        if (topic.log().isPresent()) {
            // A failure is logged, and told to whoever uses a transaction.
            var _ = load();
        }
    }

    /** Sees to it that transactions can be used: their topic exists and is loaded. */
    public CompletionStage<Void> whenUsable() {
        return load().thenCompose(all -> CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
    }

    /**
     * Has the coordinator of a transaction do something.
     *
     * @param id which transaction
     * @param call run on the coordinator's shard
     * @return what came of it; fails with {@link TransactionException}
     */
    public <T> CompletableFuture<T> call(String id, Function<TransactionCoordinator, CompletionStage<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        var _ = load().thenCompose(all -> all.get(Utils.toPositive(id.hashCode()) % all.size()))
                .whenComplete((one, failure) -> {
                    if (failure != null) {
                        answer.completeExceptionally(notAvailable(failure));
                        return;
                    }
                    one.shard.execute(() -> {
                        try {
                            call.apply(one.coordinator).whenComplete((done, refused) -> {
                                if (refused == null) {
                                    answer.complete(done);
                                } else {
                                    answer.completeExceptionally(cause(refused));
                                }
                            });
                        } catch (RuntimeException e) {
                            answer.completeExceptionally(e);
                        }
                    });
                });
        return answer;
    }

    /** Returns whether transactions are used, or were ever. */
    public boolean isUsed() {
        return running.get() != null || topic.log().isPresent();
    }

    /** Returns how many prepared branches have waited for a decision for more than a minute. */
    public int branchesInDoubt() {
        return alarm.count();
    }

    /**
     * Looks at all coordinators, each on its shard. There are none, and nothing is created, if transactions were never used.
     *
     * @return what was seen
     */
    public <T> CompletableFuture<List<T>> ofAll(Function<TransactionCoordinator, T> look) {
        if (!isUsed()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return load().thenCompose(all -> {
                    List<CompletableFuture<T>> seen = all.stream()
                            .map(led -> led.thenCompose(
                                    one -> CompletableFuture.supplyAsync(() -> look.apply(one.coordinator), one.shard)))
                            .toList();
                    return CompletableFuture.allOf(seen.toArray(CompletableFuture[]::new))
                            .thenApply(done ->
                                    seen.stream().map(CompletableFuture::join).toList());
                })
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(notAvailable(failure)));
    }

    private CompletableFuture<List<CompletableFuture<Led>>> load() {
        CompletableFuture<List<CompletableFuture<Led>>> present = running.get();
        if (present != null) {
            return present;
        }
        CompletableFuture<List<CompletableFuture<Led>>> loading = new CompletableFuture<>();
        if (!running.compareAndSet(null, loading)) {
            return load();
        }
        if (closed) {
            loading.completeExceptionally(
                    new TransactionException(TransactionError.NOT_AVAILABLE, "the broker is shutting down"));
            return loading;
        }
        topic.orCreate().thenApply(this::loadAll).whenComplete((all, failure) -> {
            if (failure == null) {
                LOG.atInfo()
                        .addKeyValue("event", "transaction_coordinator_started")
                        .addKeyValue("partitions", all.size())
                        .log("The transaction coordinator is started");
                loading.complete(all);
            } else {
                // The next use tries again.
                running.set(null);
                loading.completeExceptionally(notAvailable(failure));
            }
        });
        return loading;
    }

    private List<CompletableFuture<Led>> loadAll(LogInfo log) {
        List<CompletableFuture<Led>> loading = new ArrayList<>();
        for (int index = 0; index < log.partitions().size(); index++) {
            String name = log.name() + "-" + index;
            CompletableFuture<Led> led = switch (partitions.find(log.logId(), index)) {
                case Partitions.Lookup.Found(Partition open) -> loadOne(open);
                case Partitions.Lookup.NotHere() -> unavailable(name + " is not led by this broker");
                case Partitions.Lookup.Offline(String why) -> unavailable(name + " is offline: " + why);
            };
            loading.add(led.whenComplete((done, failure) -> {
                if (failure != null) {
                    LOG.atError()
                            .addKeyValue("event", "transactions_not_loaded")
                            .addKeyValue("partition", name)
                            .addKeyValue("cause", String.valueOf(cause(failure).getMessage()))
                            .setCause(cause(failure))
                            .log(
                                    "Transactions cannot be loaded: those of this partition do not work until the broker is"
                                            + " restarted with a readable log");
                }
            }));
        }
        return loading;
    }

    private static CompletableFuture<Led> unavailable(String why) {
        return CompletableFuture.failedFuture(new TransactionException(TransactionError.NOT_AVAILABLE, why));
    }

    private CompletableFuture<Led> loadOne(Partition partition) {
        Shard shard = partition.shard();
        CompletableFuture<Led> led = new CompletableFuture<>();
        shard.execute(() -> {
            CommitEngine engine = engines.apply(shard);
            TransactionCoordinator coordinator = new TransactionCoordinator(
                    new TransactionLogWriter(partition),
                    participants.apply(shard),
                    engine,
                    () -> producerIds.allocate().thenApplyAsync(Function.identity(), shard),
                    settings,
                    shard::schedule,
                    shard.time(),
                    alarm,
                    partition.leaderEpoch());
            TransactionLoader.load(partition, coordinator, loadBufferBytes, io)
                    .whenCompleteAsync(
                            (done, failure) -> {
                                if (failure == null) {
                                    coordinator.start();
                                    led.complete(new Led(shard, coordinator, engine));
                                } else {
                                    led.completeExceptionally(failure);
                                }
                            },
                            shard);
        });
        return led;
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause == null ? failure : cause;
    }

    private static TransactionException notAvailable(Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof TransactionException known
                ? known
                : new TransactionException(
                        TransactionError.NOT_AVAILABLE, "transactions are not available: " + cause.getMessage(), cause);
    }

    /** Nothing is begun any more. */
    public void close() {
        closed = true;
        ofEachLed(one -> one.shard.execute(one.coordinator::close));
    }

    /** The shards have stopped: nobody is to wait for them. */
    public void abandon() {
        closed = true;
        ofEachLed(one -> one.engine.close());
    }

    private void ofEachLed(Consumer<Led> action) {
        CompletableFuture<List<CompletableFuture<Led>>> present = running.get();
        if (present != null) {
            var _ = present.thenAccept(all -> all.forEach(led -> {
                var _ = led.thenAccept(action);
            }));
        }
    }
}
