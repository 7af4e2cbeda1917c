package io.millrace.jms.internal.context;

import jakarta.jms.JMSContext;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import javax.transaction.xa.XAResource;

/** A context whose transactions a transaction manager ends (Jakarta Messaging 9.1). */
public final class MillraceXAContext extends MillraceContext implements XAJMSContext {

    private final ContextSession session;

    private MillraceXAContext(ContextSession session) {
        super(session);
        this.session = session;
    }

    /**
     * Makes a context on a new connection, which it owns: what {@code XAConnectionFactory.createXAContext} returns.
     *
     * @param connection opens the connection
     * @throws jakarta.jms.JMSRuntimeException if the connection cannot be opened
     */
    public static XAJMSContext create(JmsCall<XAConnection> connection) {
        return new MillraceXAContext(Unchecked.call(() -> ContextSession.xa(connection)));
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return Unchecked.call(() -> ((XASession) session.session()).getXAResource());
    }
}
