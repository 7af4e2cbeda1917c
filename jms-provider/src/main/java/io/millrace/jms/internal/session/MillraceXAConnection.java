package io.millrace.jms.internal.session;

import jakarta.jms.JMSException;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;

/** A connection with XA sessions, and others too (Jakarta Messaging 9.1). */
public final class MillraceXAConnection extends MillraceConnection implements XAQueueConnection, XATopicConnection {

    MillraceXAConnection(ConnectionParts parts, SessionKind kind) {
        super(parts, kind);
    }

    @Override
    public XASession createXASession() throws JMSException {
        return openXASession(SessionKind.COMMON);
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        return openXASession(SessionKind.QUEUE);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        return openXASession(SessionKind.TOPIC);
    }

    private MillraceXASession openXASession(SessionKind kind) throws JMSException {
        return openSession(AcknowledgeMode.BRANCH, client -> new MillraceXASession(this, client, kind, callbacks()));
    }
}
