package io.millrace.jms.narayana;

import io.millrace.jms.narayana.ResourceSource.Opened;
import jakarta.jms.JMSException;
import java.sql.SQLException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The same resource for as long as the program runs, over connections that come and go. One connection stays open between passes of recovery;
 * whether it is still good shows when it is used.
 */
final class RecoveryResource implements XAResource {

    private static final Logger log = LoggerFactory.getLogger(RecoveryResource.class);

    private final ResourceSource source;
    private final String name;
    private @Nullable Opened opened;

    RecoveryResource(ResourceSource source, String name) {
        this.source = source;
        this.name = name;
    }

    /** Returns whether there is a connection now, opening one if not. */
    synchronized boolean connect() {
        try {
            opened();
            return true;
        } catch (XAException e) {
            log.warn("{} cannot be reached: its transactions in doubt stay so for now ({})", name, e.getMessage());
            return false;
        }
    }

    synchronized void disconnect() {
        Opened last = opened;
        opened = null;
        if (last == null) {
            return;
        }
        try {
            last.connection().close();
        } catch (Exception e) {
            log.debug("closing a connection to {} that is not used any more failed", name, e);
        }
    }

    private Opened opened() throws XAException {
        Opened now = opened;
        if (now == null) {
            try {
                now = source.open();
            } catch (JMSException | SQLException e) {
                XAException failure = new XAException("no connection to " + name + ": " + e.getMessage());
                failure.errorCode = XAException.XAER_RMFAIL;
                failure.initCause(e);
                throw failure;
            }
            opened = now;
        }
        return now;
    }

    private interface Call<T> {
        T on(XAResource resource) throws XAException;
    }

    /** Once more over a new connection if the one that was there is lost, which some drivers do not tell apart from other errors. */
    private synchronized <T> T call(Call<T> call, boolean onlyAsks) throws XAException {
        boolean fresh = opened == null;
        try {
            return call.on(opened().resource());
        } catch (XAException e) {
            boolean lost = e.errorCode == XAException.XAER_RMFAIL;
            if (lost || e.errorCode == XAException.XAER_RMERR) {
                disconnect();
            }
            if (fresh || opened != null || !(lost || onlyAsks)) {
                throw e;
            }
        }
        return call.on(opened().resource());
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return call(resource -> resource.recover(flag), true);
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        call(
                resource -> {
                    resource.commit(xid, onePhase);
                    return true;
                },
                false);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        call(
                resource -> {
                    resource.rollback(xid);
                    return true;
                },
                false);
    }

    @Override
    public void forget(Xid xid) throws XAException {
        call(
                resource -> {
                    resource.forget(xid);
                    return true;
                },
                false);
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return other instanceof RecoveryResource recovery
                ? recovery.name.equals(name)
                : call(resource -> resource.isSameRM(other), true);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return call(XAResource::getTransactionTimeout, true);
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
        XAException failure =
                new XAException(name + " was opened for recovery: enlist the resource of a session of your own");
        failure.errorCode = XAException.XAER_PROTO;
        return failure;
    }

    @Override
    public String toString() {
        return "recovery of " + name;
    }
}
