package io.millrace.jms.internal.session;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.MillraceQueue;
import io.millrace.jms.MillraceTopic;
import io.millrace.jms.internal.client.ClientSession;
import io.millrace.jms.internal.consumer.ConsumerFeed;
import io.millrace.jms.internal.consumer.ConsumerSpec;
import io.millrace.jms.internal.consumer.Receiver;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Unsubscribe;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueSession;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import java.io.Serializable;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A session (Jakarta Messaging 6.2). Used by one thread at a time, except {@link #close} and what the connection calls.
 *
 * <p>The file is long because the interface is: nearly every method is one line.
 */
public class MillraceSession implements QueueSession, TopicSession {

    /** How long close waits for a server that does not answer. */
    static final long CLOSE_TIMEOUT_MS = 5_000;

    private final MillraceConnection connection;
    private final ClientSession client;
    private final AcknowledgeMode mode;
    private final SessionKind kind;
    private final ListenerDispatcher dispatcher;
    private final SessionSends sends;
    private final Routes routes;
    private final Consumption consumption;
    private final AssignedMessages assigned = new AssignedMessages(this);
    private final Set<MillraceMessageConsumer> consumers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean started;

    MillraceSession(
            MillraceConnection connection,
            ClientSession client,
            AcknowledgeMode mode,
            SessionKind kind,
            Executor callbacks) {
        this.connection = connection;
        this.client = client;
        this.mode = mode;
        this.kind = kind;
        this.dispatcher = new ListenerDispatcher(connection.loop(), new SerialExecutor(callbacks));
        this.sends = new SessionSends(new SerialExecutor(callbacks), connection::report);
        this.routes = new Routes(connection, client);
        this.consumption = switch (mode) {
            case TRANSACTED -> new TransactedConsumption(this);
            case BRANCH -> new BranchConsumption(this);
            case AUTO, CLIENT, DUPS_OK -> new AcknowledgedConsumption(this, mode);
        };
    }

    // ---- for producers and consumers ----

    MillraceConnection connection() {
        return connection;
    }

    ClientSession client() {
        return client;
    }

    SessionSends sends() {
        return sends;
    }

    Routes routes() {
        return routes;
    }

    ListenerDispatcher dispatcher() {
        return dispatcher;
    }

    AssignedMessages assigned() {
        return assigned;
    }

    boolean isClosed() {
        return closed.get();
    }

    void checkOpen() throws IllegalStateException {
        if (closed.get()) {
            throw JmsFailures.closed("session");
        }
    }

    void checkNotInCallback(String method) throws IllegalStateException {
        if (dispatcher.inListener()) {
            throw new IllegalStateException(method + " cannot be called by a MessageListener of its own session");
        }
        if (sends.inCallback()) {
            throw new IllegalStateException(method + " cannot be called by a CompletionListener of its own session");
        }
    }

    void checkNotInCompletionListener(String method) throws IllegalStateException {
        if (sends.inCallback()) {
            throw new IllegalStateException(method + " cannot be called by a CompletionListener of its own session");
        }
    }

    void checkKind(MillraceDestination destination, String method) throws IllegalStateException {
        kind.check(Destinations.kind(destination), method);
    }

    /** A session that has a listener delivers to listeners only (6.2.5). */
    void checkNoListener() throws IllegalStateException {
        assigned.checkNone();
        for (MillraceMessageConsumer consumer : consumers) {
            if (consumer.hasListener()) {
                throw new IllegalStateException(
                        "A consumer of this session has a MessageListener: messages cannot be received synchronously");
            }
        }
    }

    void onConsumerClosed(MillraceMessageConsumer consumer) {
        consumers.remove(consumer);
        dispatcher.remove(consumer);
    }

    // ---- acknowledgement (6.2.10, 6.2.11) ----

    Consumption consumption() {
        return consumption;
    }

    @Override
    public void recover() throws JMSException {
        checkOpen();
        checkNotInCompletionListener("Session.recover");
        consumption.recover();
    }

    // ---- life ----

    /** The connection was started. */
    void onStart() {
        started = true;
        connection.loop().execute(() -> client.feeds().run(true));
        dispatcher.start();
    }

    /** The connection was stopped: returns when no listener is running any more (6.1.5). */
    void onStop() throws JMSException {
        started = false;
        connection.loop().execute(() -> client.feeds().run(false));
        try {
            dispatcher.stop();
        } catch (InterruptedException interrupted) {
            throw JmsFailures.interrupted("Stopping a session");
        }
    }

    @Override
    public void close() throws JMSException {
        if (closed.get()) {
            return;
        }
        checkNotInCallback("Session.close");
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            connection.calls().callForClose("Waiting for sends", connection.sendTimeoutMs(), sends::drained);
            dispatcher.stop();
            consumers.forEach(MillraceMessageConsumer::onSessionClosed);
            assigned.giveBack();
            consumption.close();
            connection.calls().callForClose("Closing a session", CLOSE_TIMEOUT_MS, () -> {
                client.feeds().run(false);
                return client.feeds()
                        .drained()
                        .thenCompose(drained -> connection.client().closeSession(client));
            });
        } catch (InterruptedException interrupted) {
            throw JmsFailures.interrupted("Closing a session");
        } finally {
            connection.onSessionClosed(this);
        }
    }

    @Override
    public boolean getTransacted() throws JMSException {
        checkOpen();
        return mode.jmsMode() == SESSION_TRANSACTED;
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        checkOpen();
        return mode.jmsMode();
    }

    @Override
    public void commit() throws JMSException {
        checkOpen();
        checkNotInCompletionListener("Session.commit");
        consumption.commit();
    }

    @Override
    public void rollback() throws JMSException {
        checkOpen();
        checkNotInCompletionListener("Session.rollback");
        consumption.rollback();
    }

    // ---- for application servers (11.2.1) ----

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return assigned.listener();
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        checkOpen();
        assigned.listener(listener);
    }

    @Override
    public void run() {
        assigned.run();
    }

    // ---- messages ----

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        checkOpen();
        return connection.messages().createBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        checkOpen();
        return connection.messages().createMapMessage();
    }

    @Override
    public Message createMessage() throws JMSException {
        checkOpen();
        return connection.messages().createMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        checkOpen();
        return connection.messages().createObjectMessage();
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) throws JMSException {
        checkOpen();
        return connection.messages().createObjectMessage(object);
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        checkOpen();
        return connection.messages().createStreamMessage();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        checkOpen();
        return connection.messages().createTextMessage();
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) throws JMSException {
        checkOpen();
        return connection.messages().createTextMessage(text);
    }

    // ---- destinations ----

    @Override
    public Queue createQueue(String name) throws JMSException {
        checkOpen();
        kind.check(DestinationKind.QUEUE, "createQueue");
        return new MillraceQueue(name);
    }

    @Override
    public Topic createTopic(String name) throws JMSException {
        checkOpen();
        kind.check(DestinationKind.TOPIC, "createTopic");
        return new MillraceTopic(name);
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        checkOpen();
        kind.check(DestinationKind.QUEUE, "createTemporaryQueue");
        return connection.temporary().queue();
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        checkOpen();
        kind.check(DestinationKind.TOPIC, "createTemporaryTopic");
        return connection.temporary().topic();
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, @Nullable String selector) throws JMSException {
        checkOpen();
        kind.check(DestinationKind.QUEUE, "createBrowser");
        MillraceQueue own = Destinations.browsable(queue);
        if (selector != null && !selector.isBlank()) {
            throw JmsFailures.later("Message selectors");
        }
        routes.describe(own);
        return new MillraceQueueBrowser(this, own);
    }

    // ---- producers ----

    @Override
    public MillraceMessageProducer createProducer(@Nullable Destination destination) throws JMSException {
        checkOpen();
        if (destination == null) {
            return new MillraceMessageProducer(this, Optional.empty());
        }
        MillraceDestination own = Destinations.own(destination);
        kind.check(Destinations.kind(own), "createProducer");
        routes.describe(Destinations.sendable(own));
        return new MillraceMessageProducer(this, Optional.of(own));
    }

    @Override
    public MillraceMessageProducer createSender(@Nullable Queue queue) throws JMSException {
        kind.check(DestinationKind.QUEUE, "createSender");
        return createProducer(queue);
    }

    @Override
    public MillraceMessageProducer createPublisher(@Nullable Topic topic) throws JMSException {
        kind.check(DestinationKind.TOPIC, "createPublisher");
        return createProducer(topic);
    }

    // ---- consumers ----

    @Override
    public MillraceMessageConsumer createConsumer(Destination destination) throws JMSException {
        return createConsumer(destination, null, false);
    }

    @Override
    public MillraceMessageConsumer createConsumer(Destination destination, @Nullable String selector)
            throws JMSException {
        return createConsumer(destination, selector, false);
    }

    @Override
    public MillraceMessageConsumer createConsumer(Destination destination, @Nullable String selector, boolean noLocal)
            throws JMSException {
        checkOpen();
        MillraceDestination own = Destinations.own(destination);
        kind.check(Destinations.kind(own), "createConsumer");
        boolean topic = own instanceof MillraceTopic;
        return consumer(own, Subscription.NONE, selector, topic && noLocal);
    }

    @Override
    public MillraceMessageConsumer createReceiver(Queue queue) throws JMSException {
        return createReceiver(queue, null);
    }

    @Override
    public MillraceMessageConsumer createReceiver(Queue queue, @Nullable String selector) throws JMSException {
        kind.check(DestinationKind.QUEUE, "createReceiver");
        return createConsumer(queue, selector, false);
    }

    @Override
    public MillraceMessageConsumer createSubscriber(Topic topic) throws JMSException {
        return createSubscriber(topic, null, false);
    }

    @Override
    public MillraceMessageConsumer createSubscriber(Topic topic, @Nullable String selector, boolean noLocal)
            throws JMSException {
        kind.check(DestinationKind.TOPIC, "createSubscriber");
        return createConsumer(topic, selector, noLocal);
    }

    @Override
    public MillraceMessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
        return createSharedConsumer(topic, name, null);
    }

    @Override
    public MillraceMessageConsumer createSharedConsumer(Topic topic, String name, @Nullable String selector)
            throws JMSException {
        return subscriber(topic, new Subscription(name, false, true), selector, false, "createSharedConsumer");
    }

    @Override
    public MillraceMessageConsumer createDurableSubscriber(Topic topic, String name) throws JMSException {
        return createDurableSubscriber(topic, name, null, false);
    }

    @Override
    public MillraceMessageConsumer createDurableSubscriber(
            Topic topic, String name, @Nullable String selector, boolean noLocal) throws JMSException {
        return durable(topic, name, selector, noLocal, "createDurableSubscriber");
    }

    @Override
    public MillraceMessageConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
        return createDurableConsumer(topic, name, null, false);
    }

    @Override
    public MillraceMessageConsumer createDurableConsumer(
            Topic topic, String name, @Nullable String selector, boolean noLocal) throws JMSException {
        return durable(topic, name, selector, noLocal, "createDurableConsumer");
    }

    @Override
    public MillraceMessageConsumer createSharedDurableConsumer(Topic topic, String name) throws JMSException {
        return createSharedDurableConsumer(topic, name, null);
    }

    @Override
    public MillraceMessageConsumer createSharedDurableConsumer(Topic topic, String name, @Nullable String selector)
            throws JMSException {
        return subscriber(topic, new Subscription(name, true, true), selector, false, "createSharedDurableConsumer");
    }

    private MillraceMessageConsumer durable(
            Topic topic, String name, @Nullable String selector, boolean noLocal, String method) throws JMSException {
        checkOpen();
        kind.check(DestinationKind.TOPIC, method);
        if (connection.clientId().isEmpty()) {
            throw new IllegalStateException(method + " needs a connection with a client id");
        }
        return subscriber(topic, new Subscription(name, true, false), selector, noLocal, method);
    }

    private MillraceMessageConsumer subscriber(
            Topic topic, Subscription subscription, @Nullable String selector, boolean noLocal, String method)
            throws JMSException {
        checkOpen();
        kind.check(DestinationKind.TOPIC, method);
        subscription.check();
        return consumer(Destinations.own(topic), subscription, selector, noLocal);
    }

    private MillraceMessageConsumer consumer(
            MillraceDestination destination, Subscription subscription, @Nullable String selector, boolean noLocal)
            throws JMSException {
        Optional<String> wanted = Optional.ofNullable(selector).filter(text -> !text.isBlank());
        if (noLocal) {
            throw JmsFailures.later("Consumers with noLocal");
        }
        connection.temporary().checkConsumer(destination, subscription);
        DestinationDescribed described = routes.describe(destination);
        ConsumerSpec spec = subscription.spec(
                destination, described, connection, client.number(), wanted, consumption.acknowledger());
        ConsumerFeed feed = open(spec);
        MillraceMessageConsumer consumer =
                new MillraceMessageConsumer(this, destination, wanted, feed, new Receiver(connection.loop(), feed));
        consumers.add(consumer);
        dispatcher.add(consumer);
        if (closed.get()) {
            consumer.onSessionClosed();
            throw JmsFailures.closed("session");
        }
        return consumer;
    }

    private ConsumerFeed open(ConsumerSpec spec) throws JMSException {
        CompletableFuture<ConsumerFeed> begun = new CompletableFuture<>();
        boolean opened = false;
        try {
            connection
                    .calls()
                    .call("Opening a consumer on " + spec.destination(), connection.requestTimeoutMs(), () -> {
                        ConsumerFeed feed = client.feeds().open(spec, started, dispatcher::wake);
                        begun.complete(feed);
                        return feed.opened();
                    });
            opened = true;
            return begun.join();
        } finally {
            if (!opened) {
                // It may be opened later, and would then keep messages that nobody takes.
                CompletableFuture<Void> unused =
                        begun.thenAccept(feed -> connection.loop().execute(() -> abandon(feed)));
            }
        }
    }

    private void abandon(ConsumerFeed feed) {
        CompletableFuture<Void> unused = client.feeds().close(feed);
    }

    @Override
    public void unsubscribe(String name) throws JMSException {
        checkOpen();
        kind.check(DestinationKind.TOPIC, "unsubscribe");
        Optional<String> owner = connection.clientId();
        connection
                .calls()
                .call(
                        "Unsubscribing " + name,
                        connection.requestTimeoutMs(),
                        () -> connection.client().request(corr -> new Unsubscribe(corr, client.number(), owner, name)));
    }
}
