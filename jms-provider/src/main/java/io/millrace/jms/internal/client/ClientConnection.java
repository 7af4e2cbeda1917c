package io.millrace.jms.internal.client;

import io.millrace.jms.internal.producer.OutgoingMessage;
import io.millrace.jms.internal.producer.PartitionAddress;
import io.millrace.jms.internal.producer.Senders;
import io.millrace.jms.internal.producer.SessionRequests;
import io.millrace.jms.internal.transport.BrokerLink;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkListener;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.MillraceException;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ClaimClientId;
import io.millrace.wire.frame.ConsumerClosed;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.record.Compression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Everything that one JMS connection has at the server.
 *
 * <p>When the link is up again: the client id is claimed, temporary destinations are taken up, then every session is opened, upon which it takes its consumers up; when all
 * have their answers, unanswered batches and other requests go again. Confined to the loop.
 */
public final class ClientConnection implements LinkListener, SessionRequests {

    private final Loop loop;
    private final BrokerLink link;
    private final Senders senders;
    private final TemporaryDestinations temporary;
    private final Compression compression;
    private final ConnectionListener listener;
    private final Map<Integer, ClientSession> sessions = new HashMap<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private Optional<String> clientId = Optional.empty();
    private volatile Optional<HelloOk> server = Optional.empty();
    private Optional<LinkException> end = Optional.empty();
    private boolean closing;
    private boolean resumed;
    private int lastSession;
    private final AtomicInteger generation = new AtomicInteger();

    /**
     * Creates a connection that is not open.
     *
     * @param parts what its link works with
     * @param compression of what it sends
     * @param listener hears when it fails
     */
    public ClientConnection(BrokerLink.Parts parts, Compression compression, ConnectionListener listener) {
        this.loop = parts.loop();
        this.link = new BrokerLink(parts, this);
        this.compression = compression;
        this.temporary = new TemporaryDestinations(this, link);
        this.senders = new Senders(loop, link, this, compression);
        this.listener = listener;
    }

    /** Returns the thread that everything here runs on; for any thread. */
    public Loop loop() {
        return loop;
    }

    /** Returns the identity of the cluster, or nothing before the connection was made; for any thread. */
    public String clusterId() {
        return server.map(HelloOk::clusterId).orElse("");
    }

    /** Returns the temporary destinations that it has. */
    public TemporaryDestinations temporary() {
        return temporary;
    }

    /** Returns how often the connection was made; for any thread. */
    public int generation() {
        return generation.get();
    }

    /** Connects; the future says when, or why not. */
    public CompletableFuture<Void> open() {
        link.open();
        return opened;
    }

    /**
     * Claims a client id, and claims it again after each reconnect.
     *
     * @return failed if another connection has it
     */
    public CompletableFuture<AnswerFrame> claim(String wanted) {
        return request(corr -> new ClaimClientId(corr, wanted)).thenApply(answer -> {
            clientId = Optional.of(wanted);
            return answer;
        });
    }

    /**
     * Asks something that may be done twice, and waits out a lost socket.
     *
     * @param frame makes the frame for a correlation id
     * @return the answer, never a Failure
     */
    public CompletableFuture<AnswerFrame> request(IntFunction<? extends RequestFrame> frame) {
        CompletableFuture<AnswerFrame> answered = new CompletableFuture<>();
        link.askWhenReady(frame, new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                answered.complete(answer);
            }

            @Override
            public void onFailure(LinkException failure) {
                answered.completeExceptionally(failure);
            }
        });
        return answered;
    }

    /**
     * Opens a session.
     *
     * @param uuid random, kept over reconnects
     * @param acknowledgeDelayNs how long its acknowledgements may wait for others
     * @param failureListener hears of consumers that the server took away
     */
    public CompletableFuture<ClientSession> openSession(
            UUID uuid, long acknowledgeDelayNs, Consumer<LinkException> failureListener) {
        if (end.isPresent()) {
            return CompletableFuture.failedFuture(end.get());
        }
        lastSession++;
        ClientSession session = new ClientSession(
                this, link, loop, lastSession, uuid, acknowledgeDelayNs, compression, failureListener);
        sessions.put(lastSession, session);
        if (resumed && server.isPresent()) {
            session.attach(server.get().maxOpenRequests(), () -> {});
        }
        return session.opened();
    }

    /** Tells the server what sessions have acknowledged and not told yet: what is asked next comes behind it. */
    public void flushAcknowledgements() {
        sessions.values().forEach(session -> session.feeds().flushAcknowledgements());
    }

    /** Ends a session at the server. */
    public CompletableFuture<Void> closeSession(ClientSession session) {
        return session.close();
    }

    void onSessionEnded(ClientSession session) {
        sessions.remove(session.number());
    }

    /** Sends a message; see {@link Senders#send}. */
    public void send(PartitionAddress address, int maxMessageBytes, int leaderEpoch, OutgoingMessage message) {
        if (end.isPresent()) {
            message.listener().onFailed(end.get());
        } else {
            senders.send(address, maxMessageBytes, leaderEpoch, message);
        }
    }

    @Override
    public void ask(int session, IntFunction<? extends RequestFrame> frame, Runnable sent, ReplyHandler handler) {
        ClientSession asking = sessions.get(session);
        if (asking == null) {
            link.ask(frame, sent, handler);
        } else {
            asking.ask(frame, sent, handler);
        }
    }

    @Override
    public int usable(int preferred) {
        if (sessions.containsKey(preferred)) {
            return preferred;
        }
        // The session was closed while its message was still on its way.
        return sessions.keySet().stream().findFirst().orElse(preferred);
    }

    /**
     * Ends the connection. The sessions have been closed before.
     *
     * @return completed when its client id is free again, or the server does not say so in time
     */
    public CompletableFuture<Void> close() {
        closing = true;
        return link.close("the application closed it");
    }

    // ---- the link ----

    @Override
    public void onUp(HelloOk hello) {
        server = Optional.of(hello);
        resumed = false;
        generation.incrementAndGet();
        if (clientId.isEmpty()) {
            renewTemporary(hello);
            return;
        }
        String wanted = clientId.get();
        link.ask(corr -> new ClaimClientId(corr, wanted), new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                renewTemporary(hello);
            }

            @Override
            public void onFailure(LinkException failure) {
                if (!(failure instanceof LinkLostException)) {
                    fail(failure);
                }
            }
        });
    }

    private void renewTemporary(HelloOk hello) {
        temporary.renew(() -> attachSessions(hello));
    }

    private void attachSessions(HelloOk hello) {
        List<ClientSession> all = List.copyOf(sessions.values());
        int[] open = {all.size()};
        if (all.isEmpty()) {
            onAttached(hello);
        }
        for (ClientSession session : all) {
            session.attach(hello.maxOpenRequests(), () -> {
                open[0]--;
                if (open[0] == 0) {
                    onAttached(hello);
                }
            });
        }
    }

    private void onAttached(HelloOk hello) {
        resumed = true;
        // Sessions that were opened while the others were being taken up.
        for (ClientSession session : List.copyOf(sessions.values())) {
            if (!session.up()) {
                session.attach(hello.maxOpenRequests(), () -> {});
            }
        }
        link.resumed();
        senders.onUp();
        opened.complete(null);
    }

    @Override
    public void onDown(LinkException why) {
        resumed = false;
        senders.onDown();
        List.copyOf(sessions.values()).forEach(session -> session.onDown(why));
    }

    @Override
    public void onLent() {
        List.copyOf(sessions.values()).forEach(session -> session.feeds().onLent());
    }

    @Override
    public void onFrame(Frame frame) {
        try {
            if (frame instanceof Deliver deliver) {
                Optional.ofNullable(sessions.get(deliver.session()))
                        .ifPresent(session -> session.feeds().onDeliver(deliver));
            } else if (frame instanceof ConsumerClosed ended) {
                Optional.ofNullable(sessions.get(ended.session()))
                        .ifPresent(session -> session.feeds().onConsumerClosed(ended));
            }
        } catch (MillraceException damaged) {
            // A delivery that cannot be read: on another socket it comes again, whole if the fault was on the way.
            link.restart("A delivery cannot be read: " + damaged.getMessage());
        }
    }

    @Override
    public void onClosed(LinkException why) {
        end = Optional.of(why);
        resumed = false;
        senders.onClosed(why);
        List.copyOf(sessions.values()).forEach(session -> session.end(why));
        boolean wasOpen = opened.isDone();
        opened.completeExceptionally(why);
        if (wasOpen && !closing) {
            listener.onFailed(why);
        }
    }

    private void fail(LinkException why) {
        link.fail(why);
    }
}
