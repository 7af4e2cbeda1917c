package io.millrace.systemtests.verify;

import io.millrace.systemtests.verify.CrashPoint.First;
import io.millrace.systemtests.verify.CrashPoint.Step;
import java.util.Optional;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * The steps of a program's transactions, one transaction at a time, and the end of the program at the one where it was told to crash. Used by the
 * thread of the program: recovery has resources of its own.
 */
final class CrashingTransaction {

    private static final int AS_KILLED = 137;

    private final TransferOrders orders;
    private Optional<CrashPoint> crash = Optional.empty();
    private First first = First.BROKER;
    private int moved;
    private int prepared;
    private int committed;
    private int rolledBack;

    CrashingTransaction(TransferOrders orders) {
        this.orders = orders;
    }

    /**
     * A transaction begins.
     *
     * @param usual who is to be first, unless that is said by the point where it is to crash
     * @return who is to be first
     */
    First begin(First usual) {
        crash = orders.crash();
        first = crash.map(CrashPoint::first).orElse(usual);
        moved = 0;
        prepared = 0;
        committed = 0;
        rolledBack = 0;
        return first;
    }

    /** A message was moved: only such a transaction is worth a crash. */
    void onMoved() {
        moved++;
    }

    boolean hasMoved() {
        return moved > 0;
    }

    /** Whether it must be rolled back, so that it comes to its crash, or must not be; empty if that is left to chance. */
    Optional<Boolean> mustRollBack() {
        return crash.map(point -> point.step().isOfRollback());
    }

    void reach(Step step) {
        if (moved > 0 && crash.equals(Optional.of(new CrashPoint(step, first)))) {
            Runtime.getRuntime().halt(AS_KILLED);
        }
    }

    XAResource watch(XAResource resource) {
        return new Watched(resource);
    }

    private final class Watched implements XAResource {
        private final XAResource resource;

        private Watched(XAResource resource) {
            this.resource = resource;
        }

        @Override
        public void start(Xid xid, int flags) throws XAException {
            resource.start(xid, flags);
        }

        @Override
        public void end(Xid xid, int flags) throws XAException {
            resource.end(xid, flags);
        }

        @Override
        public int prepare(Xid xid) throws XAException {
            if (prepared == 0) {
                reach(Step.ENDED);
            }
            int vote = resource.prepare(xid);
            prepared++;
            reach(prepared == 1 ? Step.FIRST_PREPARED : Step.BOTH_PREPARED);
            return vote;
        }

        @Override
        public void commit(Xid xid, boolean onePhase) throws XAException {
            if (committed == 0) {
                reach(Step.DECIDED);
            }
            resource.commit(xid, onePhase);
            committed++;
            reach(committed == 1 ? Step.FIRST_COMMITTED : Step.BOTH_COMMITTED);
        }

        @Override
        public void rollback(Xid xid) throws XAException {
            if (rolledBack == 0) {
                reach(Step.ENDED_TO_ROLL_BACK);
            }
            resource.rollback(xid);
            rolledBack++;
            reach(rolledBack == 1 ? Step.FIRST_ROLLED_BACK : Step.BOTH_ROLLED_BACK);
        }

        @Override
        public void forget(Xid xid) throws XAException {
            resource.forget(xid);
        }

        @Override
        public Xid[] recover(int flag) throws XAException {
            return resource.recover(flag);
        }

        @Override
        public boolean isSameRM(XAResource other) throws XAException {
            return resource.isSameRM(other instanceof Watched watched ? watched.resource : other);
        }

        @Override
        public int getTransactionTimeout() throws XAException {
            return resource.getTransactionTimeout();
        }

        @Override
        public boolean setTransactionTimeout(int seconds) throws XAException {
            return resource.setTransactionTimeout(seconds);
        }

        @Override
        public String toString() {
            return resource.toString();
        }
    }
}
