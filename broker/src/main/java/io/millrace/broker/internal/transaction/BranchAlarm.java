package io.millrace.broker.internal.transaction;

import io.millrace.coordinator.transaction.BranchAlerts;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.coordinator.transaction.TransactionState;
import io.millrace.coordinator.transaction.Xid;
import io.millrace.wire.frame.BranchId;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, and counts, which branches wait for a decision for too long. From any thread. */
final class BranchAlarm implements BranchAlerts {

    /** What operators read says that it is of transactions. */
    private static final Logger LOG = LoggerFactory.getLogger(TransactionCoordination.class);

    private final AtomicInteger inDoubt = new AtomicInteger();

    /** Returns how many wait at present. */
    int count() {
        return inDoubt.get();
    }

    @Override
    public void onInDoubt(TransactionRecord branch, long waitingMs) {
        inDoubt.incrementAndGet();
        LOG.atWarn()
                .addKeyValue("event", "branch_in_doubt")
                .addKeyValue("transaction", branch.id())
                .addKeyValue("node", node(branch))
                .addKeyValue("principal", branch.origin().principal())
                .addKeyValue("waitingMs", waitingMs)
                .addKeyValue("holds", participants(branch, Participant.Part.DATA))
                .addKeyValue("acknowledged", participants(branch, Participant.Part.CURSOR))
                .log(
                        "A prepared branch waits for its transaction manager: readers that want only what is decided wait with it, and"
                                + " what it acknowledged is delivered to nobody. If the transaction manager does not come back, see"
                                + " `millrace txn show`");
    }

    @Override
    public void onOver(TransactionRecord branch, long waitedMs) {
        inDoubt.decrementAndGet();
        LOG.atInfo()
                .addKeyValue("event", "branch_decided")
                .addKeyValue("transaction", branch.id())
                .addKeyValue(
                        "outcome", branch.state() == TransactionState.COMPLETE_COMMIT ? "committed" : "rolled back")
                .addKeyValue("byOperator", branch.heuristic())
                .addKeyValue("waitedMs", waitedMs)
                .log("A branch that waited for its transaction manager is decided, and in nobody's way any more");
    }

    private static String node(TransactionRecord branch) {
        return branch.origin().xid().flatMap(BranchAlarm::node).orElse("");
    }

    private static Optional<String> node(Xid xid) {
        return new BranchId(xid.formatId(), xid.globalTransactionId(), xid.branchQualifier()).node();
    }

    private static String participants(TransactionRecord branch, Participant.Part part) {
        return branch.participants().stream()
                .filter(participant -> participant.part() == part)
                .map(participant -> participant.log() + "-" + participant.partition())
                .collect(Collectors.joining(","));
    }
}
