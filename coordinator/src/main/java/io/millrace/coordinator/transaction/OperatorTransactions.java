package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What an operator may do about a transaction of any kind, whoever began it: decide a prepared branch in place of its transaction manager, roll
 * back what is open, and forget what was decided. On the shard; stages complete there and fail with {@link TransactionException}, whose message
 * says what to do instead.
 */
public final class OperatorTransactions {

    private static final String BY_OPERATOR = "an operator rolled it back";

    private final TransactionTable table;
    private final ProducerTransactions producers;
    private final SessionTransactions sessions;
    private final BranchTransactions branches;

    OperatorTransactions(
            TransactionTable table,
            ProducerTransactions producers,
            SessionTransactions sessions,
            BranchTransactions branches) {
        this.table = table;
        this.producers = producers;
        this.sessions = sessions;
        this.branches = branches;
    }

    /** Commits a prepared branch. Its transaction manager is told so when it decides, until the branch is forgotten. */
    public CompletionStage<Void> commit(String id) {
        return withUndecided(id, "committed", transaction -> {
            TransactionRecord record = transaction.record();
            if (record.state() == TransactionState.PREPARING) {
                throw new TransactionException(
                        TransactionError.INVALID_STATE,
                        named(transaction)
                                + " was being prepared when the broker stopped, and a part of it may be missing: only its transaction"
                                + " manager, which commits it if it was told that all is there, can commit it. Let it recover, or roll"
                                + " the branch back");
            }
            if (record.state() != TransactionState.PREPARED) {
                throw new TransactionException(
                        TransactionError.INVALID_STATE,
                        named(transaction)
                                + " is ongoing: only a prepared branch can be committed by an operator, since whoever began"
                                + " this one has not said that it is complete. Let it commit, or roll it back");
            }
            return branches.decide(record.origin().xid().orElseThrow(), true);
        });
    }

    /**
     * Rolls back a prepared branch, of which its transaction manager is told when it decides, until the branch is forgotten; or anything that is
     * open.
     */
    public CompletionStage<Void> rollback(String id) {
        return withUndecided(id, "rolled back", transaction -> {
            TransactionRecord record = transaction.record();
            if (record.state().isPromised()) {
                return branches.decide(record.origin().xid().orElseThrow(), false);
            }
            return switch (record.origin().kind()) {
                case PRODUCER -> producers.fence(transaction);
                case SESSION -> sessions.rollBack(transaction);
                case BRANCH -> branches.rollBackUnasked(transaction, TransactionError.ROLLED_BACK, BY_OPERATOR);
            };
        });
    }

    /** Forgets what an operator decided about a branch, in place of its transaction manager; once all partitions have been told. */
    public CompletionStage<Void> forget(String id) {
        return whenFree(id, OperatorTransactions::requireDecidedByOperator, branches::forgetDecided);
    }

    private static void requireDecidedByOperator(Transaction transaction) {
        TransactionRecord record = transaction.record();
        if (record.heuristic()) {
            return;
        }
        String why = switch (record.state()) {
            case PREPARING, PREPARED -> "waits for a decision: commit it or roll it back first";
            case ONGOING -> "is ongoing: it ends when its program ends it, or is rolled back";
            case PREPARE_COMMIT, PREPARE_ABORT -> "is decided, and over once all partitions have been told";
            case EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT -> "is over, and was not decided by an operator";
        };
        throw new TransactionException(
                TransactionError.INVALID_STATE,
                named(transaction) + " " + why + ". What is forgotten is the end of a branch that an operator decided");
    }

    private CompletionStage<Void> withUndecided(
            String id, String wanted, Function<Transaction, CompletionStage<Void>> call) {
        return whenFree(id, transaction -> requireUndecided(transaction, wanted), call);
    }

    private static void requireUndecided(Transaction transaction, String wanted) {
        TransactionRecord record = transaction.record();
        if (record.heuristic()) {
            boolean committed = record.state() == TransactionState.COMPLETE_COMMIT
                    || record.state() == TransactionState.PREPARE_COMMIT;
            throw new TransactionException(
                    committed ? TransactionError.HEURISTIC_COMMIT : TransactionError.HEURISTIC_ROLLBACK,
                    named(transaction) + " was " + (committed ? "committed" : "rolled back")
                            + " by an operator, and that stays so. It is known until it is forgotten");
        }
        String why = switch (record.state()) {
            case EMPTY -> "has nothing open";
            case PREPARE_COMMIT -> "is decided: it is being committed";
            case PREPARE_ABORT -> "is decided: it is being rolled back";
            case COMPLETE_COMMIT -> "has ended: it was committed";
            case COMPLETE_ABORT -> "has ended: it was rolled back";
            case ONGOING, PREPARING, PREPARED -> "";
        };
        if (!why.isEmpty()) {
            throw new TransactionException(
                    TransactionError.INVALID_STATE,
                    named(transaction) + " " + why + ", so there is nothing to be " + wanted);
        }
    }

    /**
     * Makes a call when nothing else is under way.
     *
     * @param check refuses it by what is known; asked before too, since a transaction that is decided may have partitions to tell for long
     */
    private CompletionStage<Void> whenFree(
            String id, Consumer<Transaction> check, Function<Transaction, CompletionStage<Void>> call) {
        return table.find(id)
                .map(known -> Calls.guard(() -> {
                    check.accept(known);
                    return Calls.whenFree(known, transaction -> {
                        if (transaction.isForgotten()) {
                            return unknown(id);
                        }
                        check.accept(transaction);
                        return call.apply(transaction);
                    });
                }))
                .orElseGet(() -> unknown(id));
    }

    private static CompletionStage<Void> unknown(String id) {
        return CompletableFuture.failedStage(unknownId(id));
    }

    /** Returns what whoever asks for a transaction that is not there is told. */
    public static TransactionException unknownId(String id) {
        return new TransactionException(
                TransactionError.UNKNOWN,
                "there is no transaction " + id + ": it may have ended, or was never prepared");
    }

    private static String named(Transaction transaction) {
        return "transaction " + transaction.id();
    }
}
