package io.millrace.coordinator.transaction;

import io.millrace.wire.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Decides the transactions whose ids belong to one partition of the transaction log.
 *
 * <p>First the log is {@linkplain #replay replayed}; then {@link #start} goes on with what was decided and not told. After that {@link
 * #producers}, {@link #sessions} and {@link #branches} take calls. Once a second what is open for too long is rolled back, and once a minute what
 * was not used for too long is forgotten.
 *
 * <p>Partitions ask about transactions that they find open ({@link #knows}): what no coordinator knows can only be rolled back, since a
 * decision is logged with all that it concerns before anybody hears of it.
 *
 * <p>Everything runs on one shard.
 */
public final class TransactionCoordinator {

    private static final long TICK_NS = TimeUnit.SECONDS.toNanos(1);
    /** All are gone through, of which there may be many. */
    private static final long EXPIRE_NS = TimeUnit.MINUTES.toNanos(1);

    private final TransactionTable table = new TransactionTable();
    private final TransactionLog log;
    private final TransactionTimers timers;
    private final TransactionSettings settings;
    private final TimeSource time;
    private final Endings endings;
    private final ProducerTransactions producers;
    private final SessionTransactions sessions;
    private final BranchTransactions branches;
    private final OperatorTransactions operators;
    private final BranchWatch watch;
    private boolean closed;
    private long expiredNs;

    /**
     * Creates a coordinator that knows nothing yet.
     *
     * @param alerts hears of branches that nobody decides
     * @param coordinatorEpoch leader epoch of its partition of the log, 0 or more
     */
    public TransactionCoordinator(
            TransactionLog log,
            Participants participants,
            CommitEngine engine,
            ProducerIdSource ids,
            TransactionSettings settings,
            TransactionTimers timers,
            TimeSource time,
            BranchAlerts alerts,
            int coordinatorEpoch) {
        this.log = log;
        this.timers = timers;
        this.settings = settings;
        this.time = time;
        this.expiredNs = time.nanoTime();
        IdentityPool pool = new IdentityPool(ids);
        this.endings = new Endings(table, pool, log, participants, engine, timers, time, coordinatorEpoch);
        this.producers = new ProducerTransactions(table, log, pool, endings, settings, time);
        this.sessions = new SessionTransactions(table, log, pool, endings, settings, time);
        this.branches = new BranchTransactions(table, log, pool, endings, settings, time);
        this.operators = new OperatorTransactions(table, producers, sessions, branches);
        this.watch = new BranchWatch(table, alerts);
    }

    /** Takes a record of the log, in its order. */
    public void replay(TransactionRecord record) {
        table.find(record.id()).ifPresent(table::remove);
        Transaction restored = Transaction.restored(record, time.nanoTime());
        table.add(restored);
        if (restored.isOfSession()) {
            // Its session was lost with the broker, and may ask what came of its last commit.
            table.abandon(restored);
        }
    }

    /** The log says that a transaction was forgotten. */
    public void replayRemoved(String id) {
        table.find(id).ifPresent(table::remove);
    }

    /** The log was replayed to its end. */
    public void start() {
        sessions.onReplayed();
        for (Transaction transaction : table.all()) {
            if (transaction.record().state().isEnding()) {
                endings.resume(transaction);
            }
            transaction.record().unsynced().ifPresent(end -> endings.tellAgain(transaction, end));
        }
        timers.schedule(TICK_NS, this::tick);
    }

    /** Nothing is begun any more; what is under way ends or not. */
    public void close() {
        closed = true;
    }

    /** Returns the transactions of Kafka's producers. */
    public ProducerTransactions producers() {
        return producers;
    }

    /** Returns the transactions of transacted JMS sessions. */
    public SessionTransactions sessions() {
        return sessions;
    }

    /** Returns the branches of distributed transactions. */
    public BranchTransactions branches() {
        return branches;
    }

    /** Returns what an operator may do about transactions of any kind. */
    public OperatorTransactions operators() {
        return operators;
    }

    /** Returns whether a transaction that is open in a partition is one of these, and will be ended by this coordinator. */
    public boolean knows(ProducerIdentity open) {
        return table.ofProducer(open.id())
                .map(Transaction::record)
                .filter(record -> isToEnd(record, open))
                .isPresent();
    }

    private static boolean isToEnd(TransactionRecord record, ProducerIdentity open) {
        boolean itself = !record.state().isOver() && record.current().equals(open);
        boolean ends = record.state().isEnding() && record.current().epoch() >= open.epoch();
        boolean before = record.unsynced().isPresent() && record.current().epoch() > open.epoch();
        return itself || ends || before;
    }

    /** Returns all that is known, as of now. */
    public List<TransactionRecord> list() {
        return table.all().stream().map(Transaction::record).toList();
    }

    /** Returns a transaction as of now. */
    public Optional<TransactionRecord> find(String id) {
        return table.find(id).map(Transaction::record);
    }

    private void tick() {
        if (closed) {
            return;
        }
        long nowNs = time.nanoTime();
        for (Transaction transaction : table.ongoing()) {
            if (!transaction.isBusy() && openNs(transaction, nowNs) > timeoutNs(transaction)) {
                timeOut(transaction);
            }
        }
        sessions.forgetBeyondLimit();
        if (nowNs - expiredNs >= EXPIRE_NS) {
            expiredNs = nowNs;
            for (Transaction transaction : table.all()) {
                if (isUnused(transaction, nowNs)) {
                    table.remove(transaction);
                    var _ = log.remove(transaction.id());
                }
            }
        }
        watch.look(nowNs);
        timers.schedule(TICK_NS, this::tick);
    }

    private static long openNs(Transaction transaction, long nowNs) {
        return nowNs - transaction.startedNs();
    }

    private static long timeoutNs(Transaction transaction) {
        return TimeUnit.MILLISECONDS.toNanos(transaction.record().origin().timeoutMs());
    }

    private void timeOut(Transaction transaction) {
        switch (transaction.record().origin().kind()) {
            case PRODUCER -> {
                var _ = Calls.whenFree(
                        transaction,
                        free -> free.record().state() == TransactionState.ONGOING
                                ? producers.fence(free)
                                : CompletableFuture.completedStage(null));
            }
            case BRANCH -> {
                var _ = branches.rollBackUnasked(
                        transaction,
                        TransactionError.TIMED_OUT,
                        "it was not prepared within "
                                + transaction.record().origin().timeoutMs() + " ms");
            }
            case SESSION -> {}
        }
    }

    private boolean isUnused(Transaction transaction, long nowNs) {
        return transaction.isIdle()
                // One that a session has open is used, however seldom.
                && (!transaction.isOfSession() || table.isAbandoned(transaction))
                && nowNs - transaction.touchedNs() > TimeUnit.MILLISECONDS.toNanos(settings.expirationMs());
    }
}
