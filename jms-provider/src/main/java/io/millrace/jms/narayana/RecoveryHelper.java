package io.millrace.jms.narayana;

import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import io.millrace.jms.narayana.ResourceSource.Opened;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;

/**
 * Lets Narayana ask a broker, or a database, which transactions are in doubt there. To be added to its {@code XARecoveryModule} when the
 * program starts, one for each resource that is enlisted.
 */
public final class RecoveryHelper implements XAResourceRecoveryHelper, AutoCloseable {

    private static final XAResource[] NONE = {};

    private final RecoveryResource resource;
    private final NamedXAResource named;

    private RecoveryHelper(ResourceSource source, String name) {
        resource = new RecoveryResource(source, name);
        named = new NamedXAResource(resource, name);
    }

    /**
     * For a broker.
     *
     * @param name the one under which its sessions are enlisted
     */
    public static RecoveryHelper of(XAConnectionFactory factory, String name) {
        return new RecoveryHelper(() -> opened(factory.createXAConnection()), name);
    }

    /** For a broker, as another user than the factory's. */
    public static RecoveryHelper of(XAConnectionFactory factory, String name, String user, String password) {
        return new RecoveryHelper(() -> opened(factory.createXAConnection(user, password)), name);
    }

    /**
     * For a database.
     *
     * @param name the one under which its connections are enlisted
     */
    public static RecoveryHelper of(XADataSource database, String name) {
        return new RecoveryHelper(
                () -> {
                    javax.sql.XAConnection connection = database.getXAConnection();
                    return new Opened(connection.getXAResource(), connection::close);
                },
                name);
    }

    private static Opened opened(XAConnection connection) throws JMSException {
        try {
            return new Opened(connection.createXASession().getXAResource(), connection);
        } catch (JMSException e) {
            connection.close();
            throw e;
        }
    }

    /** Does nothing: there are no properties. */
    @Override
    public boolean initialise(String properties) {
        return true;
    }

    /** Returns the resource, or none if it cannot be reached now: then Narayana asks again at its next pass. */
    @Override
    public XAResource[] getXAResources() {
        return resource.connect() ? new XAResource[] {named} : NONE;
    }

    /** Closes the connection, if one is open. Narayana is to be told first ({@code removeXAResourceRecoveryHelper}). */
    @Override
    public void close() {
        resource.disconnect();
    }
}
