package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.frame.TransactionDecision;
import io.millrace.wire.frame.TransactionDescribed;
import io.millrace.wire.frame.TransactionStatus;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What {@code commit}, {@code rollback} and {@code forget} of {@code millrace txn} have in common: they are meant, and said once. */
abstract class DecisionAction extends TransactionsCommand.Action {

    private final TransactionDecision decision;
    private final Set<TransactionStatus> possible;

    @Parameters(paramLabel = "ID", description = "As `millrace txn list` prints it.")
    private String id = "";

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    /** @param possible in which states it makes sense; in others the server says why not, and nobody is asked */
    DecisionAction(TransactionDecision decision, Set<TransactionStatus> possible) {
        this.decision = decision;
        this.possible = possible;
    }

    @Override
    final void check() {
        TransactionId.typed(id);
    }

    @Override
    final void run(MillraceAdmin admin, JsonOption json) {
        TransactionId chosen = TransactionId.typed(id);
        if (!yes) {
            TransactionDescribed found = admin.describeTransaction(chosen.text());
            if (possible.contains(found.summary().status())) {
                TransactionPrinting.print(json.err(), found);
                Confirmation.ask(json.err(), question(found), "nothing was done", "--yes to do it without a question");
            }
        }
        admin.decideTransaction(chosen.text(), decision);
        json.print(
                Map.of("id", chosen.text(), "decision", decision.word()),
                text -> text.println(done() + " " + chosen.shown()));
    }

    abstract String question(TransactionDescribed found);

    abstract String done();

    /** {@code commit}. */
    @Command(
            name = "commit",
            mixinStandardHelpOptions = true,
            header = "Commits a prepared branch in place of its transaction manager.",
            description = {
                "It is committed at once and for good. When its transaction manager comes back it is told so (XA_HEURCOM), whatever it has decided"
                        + " itself; until it has the branch forgotten, or `millrace txn forget` does, the branch is listed as heuristic-commit.",
                ""
            })
    static final class Commit extends DecisionAction {
        Commit() {
            super(TransactionDecision.COMMIT, Set.of(TransactionStatus.PREPARED));
        }

        @Override
        String question(TransactionDescribed found) {
            return "Commit it, whatever its transaction manager decides?";
        }

        @Override
        String done() {
            return "committed";
        }
    }

    /** {@code rollback}. */
    @Command(
            name = "rollback",
            mixinStandardHelpOptions = true,
            header = "Rolls back a prepared branch in place of its transaction manager, or what is open.",
            description = {
                "It is rolled back at once and for good. The transaction manager of a prepared branch is told so when it comes back (XA_HEURRB), whatever"
                        + " it has decided itself; until it has the branch forgotten, or `millrace txn forget` does, the branch is listed as"
                        + " heuristic-rollback.",
                "",
                "The program whose transaction was open is told when it commits that it was rolled back; a Kafka producer is fenced.",
                ""
            })
    static final class Rollback extends DecisionAction {
        Rollback() {
            super(TransactionDecision.ROLL_BACK, Set.of(TransactionStatus.PREPARED, TransactionStatus.ONGOING));
        }

        @Override
        String question(TransactionDescribed found) {
            return found.summary().status() == TransactionStatus.PREPARED
                    ? "Roll it back, whatever its transaction manager decides?"
                    : "Roll it back, although its program may be at work on it?";
        }

        @Override
        String done() {
            return "rolled back";
        }
    }

    /** {@code forget}. */
    @Command(
            name = "forget",
            mixinStandardHelpOptions = true,
            header = "Forgets what an operator decided about a branch.",
            description = {
                "Transaction managers do that themselves when they have been told what they had decided too. It is for those that had decided otherwise,"
                        + " once both sides are put right, and for those that never come back: one that does finds no such branch any more, and"
                        + " may take that for the outcome that it wanted.",
                ""
            })
    static final class Forget extends DecisionAction {
        Forget() {
            super(
                    TransactionDecision.FORGET,
                    Set.of(TransactionStatus.HEURISTIC_COMMIT, TransactionStatus.HEURISTIC_ROLLBACK));
        }

        @Override
        String question(TransactionDescribed found) {
            return "Forget it, although its transaction manager has not been told?";
        }

        @Override
        String done() {
            return "forgot";
        }
    }
}
