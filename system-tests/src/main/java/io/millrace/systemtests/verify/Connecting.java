package io.millrace.systemtests.verify;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;

/**
 * Opens what a client needs. One that starts while its broker is away, or while its client id still belongs to one that was killed, tries
 * until it gets in.
 */
final class Connecting {
    private static final int ATTEMPTS = 600;
    private static final int PAUSE_MS = 100;

    private Connecting() {}

    /** Opens something. */
    interface Opening<T> {
        T open() throws JMSException;
    }

    /**
     * Opens a connection.
     *
     * @param clientId or empty for none
     * @throws JMSException the last failure, after a minute or when it is told to stop
     */
    static Connection connect(ConnectionFactory factory, String clientId, Stop stop) throws JMSException {
        return retry(() -> attempt(factory, clientId), stop);
    }

    /**
     * Opens anything.
     *
     * @throws JMSException the last failure, after a minute or when it is told to stop
     */
    static <T> T retry(Opening<T> opening, Stop stop) throws JMSException {
        for (int attempt = 1; ; attempt++) {
            try {
                return opening.open();
            } catch (JMSException notYet) {
                if (attempt == ATTEMPTS || stop.isAsked()) {
                    throw notYet;
                }
                stop.await(PAUSE_MS);
            }
        }
    }

    private static Connection attempt(ConnectionFactory factory, String clientId) throws JMSException {
        Connection connection = factory.createConnection();
        if (clientId.isEmpty()) {
            return connection;
        }
        try {
            connection.setClientID(clientId);
            return connection;
        } catch (JMSException taken) {
            connection.close();
            throw taken;
        }
    }
}
