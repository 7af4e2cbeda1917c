package io.millrace.jms.internal.session;

import io.millrace.jms.internal.transaction.SessionBranches;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BranchEnd;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.BranchPrepared;
import io.millrace.wire.frame.BranchStart;
import io.millrace.wire.frame.BranchesRecovered;
import io.millrace.wire.frame.CommitBranch;
import io.millrace.wire.frame.ForgetBranch;
import io.millrace.wire.frame.PrepareBranch;
import io.millrace.wire.frame.RecoverBranches;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.RollbackBranch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * The branches of one session, to a transaction manager. Start and end are about the session, all else about any branch of the user. For any thread, one
 * at a time as far as the session is concerned.
 *
 * <p>A request whose answer was lost with the connection is asked again. What then is found to be done already counts as done by the first one.
 */
final class MillraceXAResource implements XAResource {

    private static final int MS_PER_S = 1_000;

    private final MillraceSession session;
    private final SessionBranches branches;
    private volatile int timeoutS;

    /** Who works on the branch: when a transaction takes too long, another thread ends it, and this one does not know. */
    private volatile @Nullable Thread starter;

    MillraceXAResource(MillraceSession session) {
        this.session = session;
        this.branches = session.client().branches();
    }

    // ---- work of the session --------------------------------------------------------------------------------------

    @Override
    public void start(Xid xid, int flags) throws XAException {
        BranchId branch = BranchXid.branchOf(xid);
        BranchStart mode = switch (flags) {
            case TMNOFLAGS -> BranchStart.NEW;
            case TMJOIN -> BranchStart.JOIN;
            case TMRESUME -> BranchStart.RESUME;
            default -> throw invalid("start", flags);
        };
        int timeoutMs = (int) Math.min(Integer.MAX_VALUE, (long) timeoutS * MS_PER_S);
        try {
            call("Starting a branch", () -> branches.start(branch, mode, timeoutMs));
            starter = Thread.currentThread();
        } catch (XAException failed) {
            // Not every application looks whether its session was enlisted.
            if (branches.receipts().isEmpty()) {
                branches.refuse(
                        "The session could not be made part of the transaction, and does nothing outside of it: "
                                + failed.getMessage());
            }
            throw failed;
        }
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        BranchId branch = BranchXid.branchOf(xid);
        BranchEnd mode = switch (flags) {
            case TMSUCCESS -> BranchEnd.SUCCESS;
            case TMFAIL -> BranchEnd.FAIL;
            case TMSUSPEND -> BranchEnd.SUSPEND;
            default -> throw invalid("end", flags);
        };
        if (mode == BranchEnd.FAIL && !Thread.currentThread().equals(starter)) {
            branches.refuse(
                    "The transaction manager rolls the transaction back, as one that took too long, and the session does"
                            + " nothing outside of it");
        }
        if (!session.sends().isDrained()) {
            call("Waiting for sends", session.sends()::drained);
        }
        try {
            call("Ending the work on a branch", () -> branches.end(branch, mode));
        } finally {
            suspectLeaders();
        }
    }

    /** A message that did not reach its leader is not sent again: the next branch asks who leads. */
    private void suspectLeaders() {
        if (branches.takeFailed()) {
            session.routes().suspect();
        }
    }

    // ---- decisions ------------------------------------------------------------------------------------------------

    @Override
    public int prepare(Xid xid) throws XAException {
        BranchId branch = BranchXid.branchOf(xid);
        Asked asked = new Asked(corr -> new PrepareBranch(corr, branch));
        try {
            return ((BranchPrepared) ask("Preparing a branch", asked)).readOnly() ? XA_RDONLY : XA_OK;
        } catch (XAException failed) {
            // That may also say that a session still works on it: only what is prepared, or decided, is listed.
            if (asked.twice()
                    && failed.errorCode == XAException.XAER_PROTO
                    && inDoubt().contains(branch)) {
                return XA_OK;
            }
            throw failed;
        }
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        BranchId branch = BranchXid.branchOf(xid);
        Asked asked = new Asked(corr -> new CommitBranch(corr, branch, onePhase));
        try {
            ask("Committing a branch", asked);
        } catch (XAException failed) {
            if (!asked.twice() || failed.errorCode != XAException.XAER_NOTA) {
                throw failed;
            }
            if (onePhase) {
                throw XaFailures.of(
                        XAException.XAER_RMFAIL,
                        "The answer to a commit in one phase was lost, and so is what came of it: "
                                + failed.getMessage());
            }
        }
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        BranchId branch = BranchXid.branchOf(xid);
        Asked asked = new Asked(corr -> new RollbackBranch(corr, branch));
        try {
            ask("Rolling back a branch", asked);
        } catch (XAException failed) {
            if (!asked.twice() || failed.errorCode != XAException.XAER_NOTA) {
                throw failed;
            }
        }
        if (!session.isClosed()) {
            call("Giving back what was received", branches::onRolledBack);
        }
    }

    @Override
    public void forget(Xid xid) throws XAException {
        BranchId branch = BranchXid.branchOf(xid);
        ask("Forgetting a branch", new Asked(corr -> new ForgetBranch(corr, branch)));
    }

    /** The whole list comes with the start of a scan; there is nothing left for what follows. */
    @Override
    public Xid[] recover(int flags) throws XAException {
        if ((flags & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
            throw invalid("recover", flags);
        }
        if ((flags & TMSTARTRSCAN) == 0) {
            return new Xid[0];
        }
        return inDoubt().stream().map(BranchXid::new).toArray(Xid[]::new);
    }

    private List<BranchId> inDoubt() throws XAException {
        return ((BranchesRecovered) ask("Asking for branches in doubt", new Asked(RecoverBranches::new))).branches();
    }

    // ---- what it is -----------------------------------------------------------------------------------------------

    /** Branches are the cluster's: any connection to it may go on with them. */
    @Override
    public boolean isSameRM(XAResource other) {
        return other instanceof MillraceXAResource own
                && !clusterId().isEmpty()
                && own.clusterId().equals(clusterId())
                && own.session.connection().user().equals(session.connection().user());
    }

    private String clusterId() {
        return session.connection().client().clusterId();
    }

    @Override
    public int getTransactionTimeout() {
        return timeoutS;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        if (seconds < 0) {
            throw XaFailures.of(XAException.XAER_INVAL, "A timeout cannot be negative: " + seconds);
        }
        timeoutS = seconds;
        return true;
    }

    // ---- calls ----------------------------------------------------------------------------------------------------

    /** A request that may be asked again after a lost connection, and whether it was. */
    private static final class Asked implements IntFunction<RequestFrame> {
        private final IntFunction<? extends RequestFrame> frame;
        private final AtomicInteger times = new AtomicInteger();

        Asked(IntFunction<? extends RequestFrame> frame) {
            this.frame = frame;
        }

        @Override
        public RequestFrame apply(int corr) {
            times.incrementAndGet();
            return frame.apply(corr);
        }

        boolean twice() {
            return times.get() > 1;
        }
    }

    private AnswerFrame ask(String what, Asked asked) throws XAException {
        return call(what, () -> session.connection().client().request(asked));
    }

    private <T> T call(String what, Supplier<CompletableFuture<T>> start) throws XAException {
        try {
            return session.connection()
                    .calls()
                    .callLink(what, session.connection().requestTimeoutMs(), start);
        } catch (LinkException failed) {
            throw XaFailures.of(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw XaFailures.of(XAException.XAER_RMFAIL, what + ": the thread was interrupted while it waited");
        }
    }

    private static XAException invalid(String method, int flags) {
        return XaFailures.of(
                XAException.XAER_INVAL, "Flags 0x" + Integer.toHexString(flags) + " have no meaning for " + method);
    }
}
