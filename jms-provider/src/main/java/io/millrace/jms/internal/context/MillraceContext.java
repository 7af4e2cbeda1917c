package io.millrace.jms.internal.context;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A context of the simplified API (Jakarta Messaging 2.8): a session, and its share of a connection. Used by one thread at a time,
 * except {@link #close} and {@link #createContext} (6.2.6).
 *
 * <p>The file is long because the interface is: nearly every method is one line.
 */
public class MillraceContext implements JMSContext {
    private final ContextSession session;
    private final ConsumedMessages consumed;
    private final SharedProducer producer = new SharedProducer();
    private volatile boolean autoStart = true;

    MillraceContext(ContextSession session) {
        this.session = session;
        this.consumed = new ConsumedMessages(session.mode());
    }

    /**
     * Makes the first context on a new connection, which it owns: what {@code ConnectionFactory.createContext} returns.
     *
     * @param connection opens the connection; not called if the mode is not one
     * @param sessionMode one of the four constants of {@link JMSContext}
     * @throws jakarta.jms.JMSRuntimeException if there is no such mode, or the connection cannot be opened
     */
    public static JMSContext create(JmsCall<Connection> connection, int sessionMode) {
        return new MillraceContext(Unchecked.call(() -> ContextSession.first(connection, sessionMode)));
    }

    @Override
    public JMSContext createContext(int anotherMode) {
        return new MillraceContext(Unchecked.call(() -> session.another(anotherMode)));
    }

    /** The session is opened here, since a client id cannot be set after any use of the context (6.1.2). */
    @Override
    public JMSProducer createProducer() {
        return Unchecked.call(() -> new ContextProducer(session, producer));
    }

    // ---- connection (6.1) ----

    @Override
    public @Nullable String getClientID() {
        return Unchecked.call(() -> session.connection().getClientID());
    }

    @Override
    public void setClientID(String clientId) {
        Unchecked.run(() -> session.connection().setClientID(clientId));
    }

    @Override
    public ConnectionMetaData getMetaData() {
        return Unchecked.call(() -> session.connection().getMetaData());
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() {
        return Unchecked.call(() -> session.connection().getExceptionListener());
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) {
        Unchecked.run(() -> session.connection().setExceptionListener(listener));
    }

    @Override
    public void start() {
        Unchecked.run(() -> session.connection().start());
    }

    @Override
    public void stop() {
        Unchecked.run(() -> session.connection().stop());
    }

    @Override
    public void setAutoStart(boolean value) {
        Unchecked.run(session::checkOpen);
        autoStart = value;
    }

    @Override
    public boolean getAutoStart() {
        Unchecked.run(session::checkOpen);
        return autoStart;
    }

    @Override
    public void close() {
        Unchecked.run(session::close);
    }

    // ---- messages (6.2.4) ----

    @Override
    public BytesMessage createBytesMessage() {
        return Unchecked.call(() -> session.session().createBytesMessage());
    }

    @Override
    public MapMessage createMapMessage() {
        return Unchecked.call(() -> session.session().createMapMessage());
    }

    @Override
    public Message createMessage() {
        return Unchecked.call(() -> session.session().createMessage());
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return Unchecked.call(() -> session.session().createObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) {
        return Unchecked.call(() -> session.session().createObjectMessage(object));
    }

    @Override
    public StreamMessage createStreamMessage() {
        return Unchecked.call(() -> session.session().createStreamMessage());
    }

    @Override
    public TextMessage createTextMessage() {
        return Unchecked.call(() -> session.session().createTextMessage());
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) {
        return Unchecked.call(() -> session.session().createTextMessage(text));
    }

    // ---- transactions and acknowledgement (6.2.7, 6.2.10) ----

    @Override
    public boolean getTransacted() {
        return getSessionMode() == SESSION_TRANSACTED;
    }

    @Override
    public int getSessionMode() {
        Unchecked.run(session::checkOpen);
        return session.mode();
    }

    @Override
    public void commit() {
        Unchecked.run(() -> session.session().commit());
    }

    @Override
    public void rollback() {
        Unchecked.run(() -> session.session().rollback());
    }

    @Override
    public void recover() {
        Unchecked.run(() -> {
            session.session().recover();
            consumed.forget();
        });
    }

    @Override
    public void acknowledge() {
        Unchecked.run(() -> {
            session.checkOpen();
            consumed.acknowledge();
        });
    }

    // ---- destinations (6.2.2, 6.2.3) ----

    @Override
    public Queue createQueue(String name) {
        return Unchecked.call(() -> session.session().createQueue(name));
    }

    @Override
    public Topic createTopic(String name) {
        return Unchecked.call(() -> session.session().createTopic(name));
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return Unchecked.call(() -> session.session().createTemporaryQueue());
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return Unchecked.call(() -> session.session().createTemporaryTopic());
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) {
        return Unchecked.call(() -> session.session().createBrowser(queue));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, @Nullable String selector) {
        return Unchecked.call(() -> session.session().createBrowser(queue, selector));
    }

    // ---- consumers (8.2 to 8.4) ----

    @Override
    public JMSConsumer createConsumer(Destination destination) {
        return consumer(opened -> opened.createConsumer(destination));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, @Nullable String selector) {
        return consumer(opened -> opened.createConsumer(destination, selector));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, @Nullable String selector, boolean noLocal) {
        return consumer(opened -> opened.createConsumer(destination, selector, noLocal));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name) {
        return consumer(opened -> opened.createDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name, @Nullable String selector, boolean noLocal) {
        return consumer(opened -> opened.createDurableConsumer(topic, name, selector, noLocal));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name) {
        return consumer(opened -> opened.createSharedDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name, @Nullable String selector) {
        return consumer(opened -> opened.createSharedDurableConsumer(topic, name, selector));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name) {
        return consumer(opened -> opened.createSharedConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name, @Nullable String selector) {
        return consumer(opened -> opened.createSharedConsumer(topic, name, selector));
    }

    @Override
    public void unsubscribe(String name) {
        Unchecked.run(() -> session.session().unsubscribe(name));
    }

    private JMSConsumer consumer(ConsumerMaker maker) {
        return Unchecked.call(() -> {
            MessageConsumer consumer = maker.make(session.session());
            if (autoStart) {
                startFor(consumer);
            }
            return new ContextConsumer(consumer, session.mode(), consumed);
        });
    }

    /** A connection that fails to start leaves no consumer behind that nobody can close. */
    private void startFor(MessageConsumer consumer) throws JMSException {
        try {
            session.connection().start();
        } catch (JMSException e) {
            try {
                consumer.close();
            } catch (JMSException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    @FunctionalInterface
    private interface ConsumerMaker {
        MessageConsumer make(Session session) throws JMSException;
    }
}
