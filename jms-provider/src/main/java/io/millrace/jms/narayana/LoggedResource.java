package io.millrace.jms.narayana;

import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.internal.jta.resources.arjunacore.XAResourceRecord;
import java.io.Serializable;
import java.util.Optional;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * What Narayana's log has of a resource: its name. Read from the log again, it finds the branch among those that the resources of recovery know.
 *
 * <p>A decision in the log is only about branches that were prepared. So a branch that is not found, though the resource of this name was asked, has
 * been ended before: nothing is left to do. Narayana comes to the same conclusion, with two warnings.
 */
record LoggedResource(String name) implements XAResource, Serializable {

    private interface Decision {
        void on(XAResource resource) throws XAException;
    }

    private void decide(Xid xid, Decision decision) throws XAException {
        XARecoveryModule recovery = XARecoveryModule.getRegisteredXARecoveryModule();
        if (recovery == null) {
            throw failure(XAException.XAER_RMFAIL, "this program has no recovery");
        }
        XAResourceRecord branch = new XAResourceRecord(null, this, xid, null);
        branch.setJndiName(name);
        Optional<XAResource> resource = Optional.ofNullable(recovery.getNewXAResource(branch));
        if (resource.isPresent()) {
            decision.on(resource.get());
        } else if (!recovery.getContactedJndiNames().contains(name)) {
            throw failure(XAException.XAER_RMFAIL, name + " cannot be asked now, or recovery knows none of this name");
        }
    }

    private static XAException failure(int errorCode, String message) {
        XAException failure = new XAException(message);
        failure.errorCode = errorCode;
        return failure;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        decide(xid, resource -> resource.commit(xid, onePhase));
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        decide(xid, resource -> resource.rollback(xid));
    }

    @Override
    public void forget(Xid xid) throws XAException {
        decide(xid, resource -> resource.forget(xid));
    }

    @Override
    public Xid[] recover(int flag) {
        return new Xid[0];
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return equals(other);
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        throw notForWork();
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        throw notForWork();
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        throw notForWork();
    }

    private XAException notForWork() {
        return failure(XAException.XAER_PROTO, name + " was read from the log of a transaction manager");
    }

    @Override
    public String toString() {
        return name + " as logged";
    }
}
