package io.millrace.broker.internal.temporary;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.shard.ShardTimer;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.PartitionInfo;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.CreateTemporary;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.name.DestinationName;
import io.millrace.wire.name.TemporaryName;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The temporary queues and topics of this broker (Jakarta Messaging 6.2.2). They are in no metadata and no file; their partitions are found by {@link
 * Partitions} like all others.
 *
 * <p>Each belongs to a connection, and ends with it: at once when the client says goodbye, else when it does not come back within the grace. On the control
 * shard, except what says "from any thread".
 */
public final class TemporaryDestinations {

    private static final Logger LOG = LoggerFactory.getLogger(TemporaryDestinations.class);

    private final int brokerId;
    private final LongSupplier brokerEpoch;
    private final int graceMs;
    private final int maxDestinations;
    private final TemporaryPartitions maker;
    private final Partitions partitions;
    private final Shard control;
    private final ConcurrentHashMap<UUID, TemporaryDestination> destinations = new ConcurrentHashMap<>();
    private final Map<TemporaryOwner, Owned> owners = new HashMap<>();
    /** Those that are not open yet: asked for again, they are not made twice. */
    private final Map<UUID, CompletionStage<TemporaryDestination>> opening = new HashMap<>();

    private int count;
    private int lastEpoch;

    /** What one connection has, and where that is. */
    private static final class Owned {

        private final Set<UUID> logs = new LinkedHashSet<>();
        private ClientConnection connection;
        private @Nullable ShardTimer grace;

        Owned(ClientConnection connection) {
            this.connection = connection;
        }
    }

    /**
     * Creates the registry.
     *
     * @param graceMs how long a lost connection may take to come back
     * @param maxDestinations how many there may be
     * @param maker makes their partitions
     * @param partitions where those are found
     */
    public TemporaryDestinations(
            int brokerId,
            LongSupplier brokerEpoch,
            int graceMs,
            int maxDestinations,
            TemporaryPartitions maker,
            Partitions partitions,
            Shard control) {
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
        this.graceMs = graceMs;
        this.maxDestinations = maxDestinations;
        this.maker = maker;
        this.partitions = partitions;
        this.control = control;
    }

    // ---- from any thread ------------------------------------------------------------------------------------------

    /**
     * Returns the destination of a name.
     *
     * @throws RequestFailedException if it is gone, another broker's, or of the other kind
     */
    public TemporaryDestination find(TemporaryName name, Optional<DestinationKind> kind) {
        if (kind.isPresent() && kind.get() != name.kind()) {
            throw new RequestFailedException(
                    ErrorCode.WRONG_DESTINATION_KIND,
                    name + " is a " + name.kind().word() + ", not a "
                            + kind.get().word());
        }
        TemporaryDestination found = destinations.get(logIdOf(name));
        if (found == null) {
            throw new RequestFailedException(
                    ErrorCode.DESTINATION_NOT_FOUND,
                    name.brokerId() == brokerId
                            ? "the temporary " + name.kind().word() + " " + name + " is gone: it was deleted, or"
                                    + " ended with the connection that created it"
                            : name + " is a temporary " + name.kind().word() + " of broker " + name.brokerId()
                                    + ", and this is broker " + brokerId);
        }
        return found;
    }

    /**
     * Checks that a connection may consume from a partition.
     *
     * @throws RequestFailedException if it is that of a temporary destination of another connection
     */
    public void checkConsumer(Partition partition, ClientConnection connection) {
        if (!partition.isInMemory()) {
            return;
        }
        TemporaryDestination known = destinations.get(partition.logId());
        if (known == null || !known.owner().equals(TemporaryOwner.of(connection))) {
            throw notOwned(partition.id().logName(), "consume from it");
        }
    }

    private static RequestFailedException notOwned(String name, String what) {
        return new RequestFailedException(
                ErrorCode.INVALID_DESTINATION,
                "the temporary destination " + name + " belongs to another connection: only that one can " + what);
    }

    /** Returns all of them. */
    public Collection<TemporaryDestination> all() {
        return List.copyOf(destinations.values());
    }

    /** The same for a name, whoever asks: so a destination that is taken up again after a restart is the one that senders know. */
    private static UUID logIdOf(TemporaryName name) {
        return UUID.nameUUIDFromBytes(name.toString().getBytes(StandardCharsets.UTF_8));
    }

    // ---- creating and deleting ------------------------------------------------------------------------------------

    /**
     * Creates a destination, or returns the one that was created with the same key.
     *
     * @return completes when it can be used; fails with {@link RequestFailedException}
     */
    public CompletionStage<TemporaryDestination> create(CreateTemporary request, ClientConnection connection) {
        if (connection.isClosed()) {
            throw new RequestFailedException(ErrorCode.INVALID_REQUEST, "the connection is closed");
        }
        TemporaryName name = request.name()
                .map(known -> ownName(known, request))
                .orElseGet(() -> TemporaryName.of(request.kind(), brokerId, brokerEpoch.getAsLong(), request.key()));
        TemporaryOwner owner = TemporaryOwner.of(connection);
        UUID logId = logIdOf(name);
        TemporaryDestination known = destinations.get(logId);
        if (known != null) {
            if (!known.owner().equals(owner)) {
                throw notOwned(name.toString(), "take it up");
            }
            return CompletableFuture.completedStage(known);
        }
        Owned present = owners.get(owner);
        if (present != null && present.logs.contains(logId) && opening.containsKey(logId)) {
            return opening.get(logId);
        }
        if (count >= maxDestinations) {
            throw new RequestFailedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "there are " + count + " temporary queues and topics, which is temporary.max.destinations: delete"
                            + " those that are not needed any more, or close their connections");
        }
        count++;
        lastEpoch++;
        int leaderEpoch = lastEpoch;
        Owned owned = owners.computeIfAbsent(owner, unknown -> new Owned(connection));
        owned.logs.add(logId);
        CompletionStage<TemporaryDestination> opened = maker.open(name, logId, leaderEpoch)
                .thenApplyAsync(partition -> opened(name, owner, partition, leaderEpoch), control);
        opening.put(logId, opened);
        return opened;
    }

    private TemporaryName ownName(String text, CreateTemporary request) {
        TemporaryName name = TemporaryName.parse(text)
                .orElseThrow(() -> new RequestFailedException(
                        ErrorCode.INVALID_DESTINATION, "no temporary destination can have the name that was given"));
        boolean ours = name.brokerId() == brokerId && name.brokerEpoch() <= brokerEpoch.getAsLong();
        if (!ours || name.kind() != request.kind() || !name.belongsTo(request.key())) {
            throw new RequestFailedException(
                    ErrorCode.INVALID_DESTINATION,
                    name + " cannot be taken up: it is not a temporary "
                            + request.kind().word() + " that broker " + brokerId + " gave to this connection");
        }
        return name;
    }

    private TemporaryDestination opened(
            TemporaryName name, TemporaryOwner owner, Partition partition, int leaderEpoch) {
        opening.remove(partition.logId());
        TemporaryDestination created =
                new TemporaryDestination(name, logInfo(name, partition, leaderEpoch), owner, partition);
        Owned owned = owners.get(owner);
        if (owned == null || !owned.logs.contains(partition.logId())) {
            // The connection ended meanwhile.
            partition.shard().execute(partition::delete);
            throw new RequestFailedException(ErrorCode.INVALID_REQUEST, "the connection has ended");
        }
        partitions.putTemporary(created.log(), partition);
        destinations.put(partition.logId(), created);
        return created;
    }

    private LogInfo logInfo(TemporaryName name, Partition partition, int leaderEpoch) {
        PartitionInfo only =
                new PartitionInfo(OptionalInt.of(brokerId), leaderEpoch, 0, List.of(brokerId), List.of(brokerId));
        return new LogInfo(
                partition.logId(),
                DestinationName.of(name.toString()).logName(),
                name.kind() == DestinationKind.QUEUE ? LogKind.QUEUE : LogKind.TOPIC,
                LogOrigin.JMS,
                Map.of(),
                List.of(only));
    }

    /**
     * Deletes a destination that nobody consumes.
     *
     * @return completes when it is gone; fails with {@link RequestFailedException}
     */
    public CompletionStage<Void> delete(TemporaryName name, ClientConnection connection) {
        TemporaryDestination known = find(name, Optional.empty());
        if (!known.owner().equals(TemporaryOwner.of(connection))) {
            throw notOwned(name.toString(), "delete it");
        }
        Partition partition = known.partition();
        return CompletableFuture.supplyAsync(() -> deleteIfUnused(partition), partition.shard())
                .thenAcceptAsync(
                        deleted -> {
                            if (!deleted) {
                                throw new RequestFailedException(
                                        ErrorCode.INVALID_REQUEST,
                                        name + " is consumed: close its consumers before it is deleted");
                            }
                            forget(known);
                        },
                        control);
    }

    private static boolean deleteIfUnused(Partition partition) {
        boolean used = partition.cursors().summaries().stream().anyMatch(cursor -> cursor.consumers() > 0);
        if (!used) {
            partition.delete();
        }
        return !used;
    }

    private void forget(TemporaryDestination ended) {
        UUID logId = ended.log().logId();
        if (destinations.remove(logId, ended)) {
            partitions.removeTemporary(ended.log());
            count--;
            Owned owned = owners.get(ended.owner());
            if (owned != null) {
                owned.logs.remove(logId);
            }
        }
    }

    // ---- connections ----------------------------------------------------------------------------------------------

    /** A client has logged in, maybe one whose connection was lost. */
    public void onConnectionOpened(ClientConnection connection) {
        Owned owned = owners.get(TemporaryOwner.of(connection));
        if (owned != null && !connection.isClosed()) {
            owned.connection = connection;
            if (owned.grace != null) {
                owned.grace.cancel();
                owned.grace = null;
            }
        }
    }

    /** The client leaves in good order. */
    public void onGoodbye(ClientConnection connection) {
        TemporaryOwner owner = TemporaryOwner.of(connection);
        Owned owned = owners.get(owner);
        if (owned != null && owned.connection.equals(connection)) {
            end(owner, owned);
        }
    }

    /** The connection is lost: what it has waits for its client. */
    public void onConnectionClosed(ClientConnection connection) {
        TemporaryOwner owner = TemporaryOwner.of(connection);
        Owned owned = owners.get(owner);
        if (owned != null && owned.connection.equals(connection) && owned.grace == null) {
            owned.grace = control.schedule(TimeUnit.MILLISECONDS.toNanos(graceMs), () -> end(owner, owned));
        }
    }

    private void end(TemporaryOwner owner, Owned owned) {
        if (owned.grace != null) {
            owned.grace.cancel();
        }
        owners.remove(owner);
        for (UUID logId : owned.logs) {
            TemporaryDestination ended = destinations.get(logId);
            if (ended == null) {
                // It is being opened, and ends when that is done.
                count--;
            } else {
                forget(ended);
                Partition partition = ended.partition();
                partition.shard().execute(partition::delete);
            }
        }
        if (!owned.logs.isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("event", "temporary_destinations_ended")
                    .addKeyValue("client", owned.connection)
                    .addKeyValue("count", owned.logs.size())
                    .log("Temporary queues and topics end with their connection");
        }
    }
}
