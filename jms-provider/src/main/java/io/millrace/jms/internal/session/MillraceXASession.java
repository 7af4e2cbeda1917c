package io.millrace.jms.internal.session;

import io.millrace.jms.internal.client.ClientSession;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicSession;
import java.util.concurrent.Executor;
import javax.transaction.xa.XAResource;

/** A session whose transactions a transaction manager ends (Jakarta Messaging 9.1). */
public final class MillraceXASession extends MillraceSession implements XAQueueSession, XATopicSession {

    private final MillraceXAResource resource;

    MillraceXASession(MillraceConnection connection, ClientSession client, SessionKind kind, Executor callbacks) {
        super(connection, client, AcknowledgeMode.BRANCH, kind, callbacks);
        this.resource = new MillraceXAResource(this);
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }

    @Override
    public Session getSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public QueueSession getQueueSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public TopicSession getTopicSession() throws JMSException {
        checkOpen();
        return this;
    }
}
