package io.millrace.jms.internal.session;

import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** When a session acknowledges (Jakarta Messaging 6.2.10). */
public enum AcknowledgeMode {
    /** With each message that the application has received. */
    AUTO(Session.AUTO_ACKNOWLEDGE, 0),
    /** When the application says so. */
    CLIENT(Session.CLIENT_ACKNOWLEDGE, 0),
    /** Some time after the application has received them. */
    DUPS_OK(Session.DUPS_OK_ACKNOWLEDGE, 50_000_000),
    /** With the commit of the transaction in which the application has received them. */
    TRANSACTED(Session.SESSION_TRANSACTED, 0),
    /** With the branch of a distributed transaction that the session works on; what it gets outside of one, as AUTO. */
    BRANCH(Session.SESSION_TRANSACTED, 0);

    private final int jmsMode;
    private final long delayNs;

    AcknowledgeMode(int jmsMode, long delayNs) {
        this.jmsMode = jmsMode;
        this.delayNs = delayNs;
    }

    int jmsMode() {
        return jmsMode;
    }

    /** Returns how long acknowledgements may wait for others to go with them, in ns. */
    long delayNs() {
        return delayNs;
    }

    /** The mode of a transacted session is ignored (6.2.7); of another, SESSION_TRANSACTED is none. */
    static AcknowledgeMode of(boolean transacted, int jmsMode) throws JMSException {
        if (transacted) {
            return TRANSACTED;
        }
        if (jmsMode == Session.SESSION_TRANSACTED) {
            throw new JMSException("A session that is not transacted cannot have the mode SESSION_TRANSACTED");
        }
        return of(jmsMode);
    }

    static AcknowledgeMode of(int jmsMode) throws JMSException {
        for (AcknowledgeMode mode : values()) {
            if (mode.jmsMode == jmsMode) {
                return mode;
            }
        }
        throw new JMSException("There is no acknowledge mode " + jmsMode);
    }
}
