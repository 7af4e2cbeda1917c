package io.millrace.jms.narayana;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Objects;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jboss.tm.XAResourceWrapper;

/**
 * A resource with a name that stays the same over restarts. Also for those of others: of a database, the one that {@code
 * XAConnection.getXAResource()} returns.
 *
 * <p>It is serializable for Narayana's log, which gets the name and nothing else.
 */
public final class NamedXAResource implements XAResourceWrapper, Serializable {

    private static final long serialVersionUID = 1;

    private final transient XAResource resource;
    private final String name;

    /**
     * Names a resource.
     *
     * @param name one for each broker, database, and so on; the same whenever this one is enlisted, and in recovery
     */
    public NamedXAResource(XAResource resource, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a resource is blank");
        }
        this.resource = resource;
        this.name = name;
    }

    private Object writeReplace() {
        return new LoggedResource(name);
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("only the name of a resource is ever written");
    }

    @Override
    public XAResource getResource() {
        return resource;
    }

    @Override
    public String getProductName() {
        return name;
    }

    /** Returns nothing of interest: Narayana writes it to its log, and wants some text. */
    @Override
    public String getProductVersion() {
        return "";
    }

    /** Returns the name. Nobody looks it up anywhere. */
    @Override
    public String getJndiName() {
        return name;
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
        return resource.prepare(xid);
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        resource.commit(xid, onePhase);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        resource.rollback(xid);
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
        return resource.isSameRM(other instanceof NamedXAResource named ? named.resource : other);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return resource.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return resource.setTransactionTimeout(seconds);
    }

    /** Equal are two names of the same object. */
    @Override
    public boolean equals(Object other) {
        return other instanceof NamedXAResource named && named.resource.equals(resource) && named.name.equals(name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(resource, name);
    }

    @Override
    public String toString() {
        return name + " (" + resource + ")";
    }
}
