package io.millrace.jms.narayana;

import jakarta.jms.JMSException;
import java.sql.SQLException;
import javax.transaction.xa.XAResource;

/** Opens connections for recovery. */
@FunctionalInterface
interface ResourceSource {

    /** Opens one. */
    Opened open() throws JMSException, SQLException;

    /**
     * What was opened.
     *
     * @param connection to be closed when it is of no more use
     */
    record Opened(XAResource resource, AutoCloseable connection) {}
}
