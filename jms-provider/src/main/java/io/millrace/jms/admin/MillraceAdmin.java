package io.millrace.jms.admin;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.internal.session.AdminConnection;
import io.millrace.jms.internal.transport.ConnectException;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.wire.frame.AlterDestination;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ConfigChange;
import io.millrace.wire.frame.ConfigEntry;
import io.millrace.wire.frame.CreateDestination;
import io.millrace.wire.frame.DecideTransaction;
import io.millrace.wire.frame.DeleteDestination;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DescribeLog;
import io.millrace.wire.frame.DescribeTransaction;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.DestinationPurged;
import io.millrace.wire.frame.DestinationSummary;
import io.millrace.wire.frame.DestinationsListed;
import io.millrace.wire.frame.ListDestinations;
import io.millrace.wire.frame.ListTransactions;
import io.millrace.wire.frame.LogDescribed;
import io.millrace.wire.frame.LogRead;
import io.millrace.wire.frame.PurgeDestination;
import io.millrace.wire.frame.ReadLog;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.TransactionDecision;
import io.millrace.wire.frame.TransactionDescribed;
import io.millrace.wire.frame.TransactionDoor;
import io.millrace.wire.frame.TransactionStatus;
import io.millrace.wire.frame.TransactionsListed;
import io.millrace.wire.name.DestinationKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Creates, lists, describes, alters, purges and deletes destinations, reads logs without consuming, and lists and decides transactions. All methods throw {@link MillraceAdminException} if
 * the server refuses or cannot be reached. For any thread.
 */
public final class MillraceAdmin implements AutoCloseable {

    private static final int DEFAULT_PARTITIONS = -1;

    private final AdminConnection connection;

    private MillraceAdmin(AdminConnection connection) {
        this.connection = connection;
    }

    /**
     * Connects to the brokers of a URL.
     *
     * @param url as of {@link MillraceConnectionFactory}
     */
    public static MillraceAdmin connect(String url) {
        return new MillraceConnectionFactory(url).createAdmin();
    }

    /** Opens the connection that it will use; called by {@link MillraceConnectionFactory#createAdmin}. */
    public static MillraceAdmin open(Supplier<AdminConnection> preparation) {
        AdminConnection connection;
        try {
            connection = preparation.get();
        } catch (ConnectException unusable) {
            throw new MillraceAdminException(unusable);
        }
        boolean opened = false;
        try {
            connection.open();
            opened = true;
            return new MillraceAdmin(connection);
        } catch (LinkException failed) {
            throw new MillraceAdminException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MillraceAdminException("Connecting to the server", interrupted);
        } finally {
            if (!opened) {
                connection.close();
            }
        }
    }

    /**
     * Lists destinations by name.
     *
     * @param kind only these; empty: all
     */
    public List<DestinationSummary> list(Optional<DestinationKind> kind) {
        DestinationsListed listed =
                (DestinationsListed) ask("Listing destinations", corr -> new ListDestinations(corr, kind));
        return listed.destinations();
    }

    /** Creates a destination with the broker's default number of partitions. */
    public DestinationDescribed create(DestinationKind kind, String name) {
        return createWith(kind, name, DEFAULT_PARTITIONS, Map.of());
    }

    /**
     * Creates a destination.
     *
     * @param partitions 1 or more
     * @param config its own configuration
     */
    public DestinationDescribed create(DestinationKind kind, String name, int partitions, Map<String, String> config) {
        return createWith(kind, name, partitions, config);
    }

    private DestinationDescribed createWith(
            DestinationKind kind, String name, int partitions, Map<String, String> config) {
        List<ConfigEntry> entries = config.entrySet().stream()
                .map(entry -> new ConfigEntry(entry.getKey(), entry.getValue()))
                .toList();
        return (DestinationDescribed) ask(
                "Creating " + kind.word() + " " + name,
                corr -> new CreateDestination(corr, kind, name, partitions, entries));
    }

    /**
     * Describes a destination, which is not created if it does not exist.
     *
     * @param kind what it must be; empty: either
     */
    public DestinationDescribed describe(Optional<DestinationKind> kind, String name) {
        return (DestinationDescribed)
                ask("Describing " + name, corr -> new DescribeDestination(corr, kind, name, false));
    }

    /**
     * Changes what a destination sets for itself, all keys or none, while it is in use.
     *
     * @param changes new values by key; empty to fall back to the broker's
     */
    public DestinationDescribed alter(DestinationKind kind, String name, Map<String, Optional<String>> changes) {
        return alter(kind, name, DEFAULT_PARTITIONS, changes);
    }

    /**
     * The same, with the number of partitions that it shall have.
     *
     * @param partitions how many it shall have; fewer than it has are refused
     */
    public DestinationDescribed alter(
            DestinationKind kind, String name, int partitions, Map<String, Optional<String>> changes) {
        List<ConfigChange> config = changes.entrySet().stream()
                .map(change -> new ConfigChange(change.getKey(), change.getValue()))
                .toList();
        return (DestinationDescribed) ask(
                "Altering " + kind.word() + " " + name,
                corr -> new AlterDestination(corr, kind, name, partitions, config));
    }

    /**
     * Removes the messages of a queue that are there now and not with a consumer. What it says is removed stays removed, whatever happens to
     * the server.
     *
     * @param dryRun whether to count only
     */
    public DestinationPurged purgeQueue(String name, boolean dryRun) {
        return (DestinationPurged) ask(
                "Purging queue " + name,
                corr -> new PurgeDestination(
                        corr, DestinationKind.QUEUE, name, Optional.empty(), Optional.empty(), dryRun));
    }

    /**
     * Removes the messages of a durable subscription that are there now and not with a consumer; other subscriptions keep theirs.
     *
     * @param clientId JMS client id that the subscription belongs to, if it has one
     * @param dryRun whether to count only
     */
    public DestinationPurged purgeSubscription(
            String topic, String subscription, Optional<String> clientId, boolean dryRun) {
        return (DestinationPurged) ask(
                "Purging subscription " + subscription + " of topic " + topic,
                corr -> new PurgeDestination(
                        corr, DestinationKind.TOPIC, topic, Optional.of(subscription), clientId, dryRun));
    }

    /** Deletes a destination with all its messages. */
    public void delete(DestinationKind kind, String name) {
        ask("Deleting " + kind.word() + " " + name, corr -> new DeleteDestination(corr, kind, name));
    }

    /** Describes the inner state of a log: configuration, partitions, cursors. */
    public LogDescribed describeLog(UUID logId) {
        return (LogDescribed) ask("Describing log " + logId, corr -> new DescribeLog(corr, logId));
    }

    /**
     * Reads a partition without consuming.
     *
     * @param offset first offset wanted, 0 or more
     * @param maxBytes at most this many bytes, but at least one whole batch if there is one
     */
    public LogRead readLog(UUID logId, int partition, long offset, int maxBytes) {
        return (LogRead) ask(
                "Reading log " + logId + " partition " + partition + " at offset " + offset,
                corr -> new ReadLog(corr, logId, partition, offset, maxBytes));
    }

    /**
     * Lists transactions of all kinds, the oldest first.
     *
     * @param doors those that came through these; empty: all
     * @param statuses those that are in one of these; empty: what is not over, and what an operator decided
     * @param minAge those that began so long ago, or longer
     */
    public TransactionsListed listTransactions(
            List<TransactionDoor> doors, List<TransactionStatus> statuses, Duration minAge) {
        return (TransactionsListed)
                ask("Listing transactions", corr -> new ListTransactions(corr, doors, statuses, minAge.toMillis()));
    }

    /** Describes a transaction, with what the partitions have of it. */
    public TransactionDescribed describeTransaction(String id) {
        return (TransactionDescribed) ask("Describing transaction " + id, corr -> new DescribeTransaction(corr, id));
    }

    /**
     * Decides about a transaction in place of whoever began it: commits a prepared branch, rolls back a prepared branch or what is open, or forgets
     * what was decided this way. What was decided stays decided, and the transaction manager of a branch is told so.
     */
    public void decideTransaction(String id, TransactionDecision decision) {
        ask("Deciding about transaction " + id, corr -> new DecideTransaction(corr, id, decision));
    }

    @Override
    public void close() {
        connection.close();
    }

    private AnswerFrame ask(String what, IntFunction<? extends RequestFrame> frame) {
        try {
            return connection.ask(what, frame);
        } catch (LinkException failed) {
            throw new MillraceAdminException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MillraceAdminException(what, interrupted);
        }
    }
}
