package io.millrace.jms.internal.transport;

import io.millrace.jms.internal.transport.Connector.Attempt;
import io.millrace.jms.internal.transport.Loop.Timer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Heartbeat;
import io.millrace.wire.frame.HeartbeatOk;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.RequestFrame;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * A connection to the server that outlives its sockets.
 *
 * <p>NEW -> CONNECTING -> UP (logged in, state is being taken up again) -> READY; a lost socket leads through WAITING back to CONNECTING, until
 * the reconnect time is up; CLOSED is final. While it is down nothing is buffered except requests made with {@link #askWhenReady}: whoever
 * has something to resend does that itself when {@link LinkListener#onUp} says so, in its own order.
 *
 * <p>Confined to the loop, except {@link #clock()} and {@link #holdsLent()}.
 */
public final class BrokerLink {

    private enum State {
        NEW,
        CONNECTING,
        UP,
        READY,
        WAITING,
        CLOSED
    }

    private static final long NANOS_PER_MS = 1_000_000;
    private static final long MIN_HEARTBEAT_NS = 100 * NANOS_PER_MS;
    private static final long GOODBYE_TIMEOUT_NS = 2_000 * NANOS_PER_MS;
    private static final Timer NO_TIMER = () -> {};

    private final Loop loop;
    private final Connector connector;
    private final Executor background;
    private final LinkSettings settings;
    private final RandomGenerator random;
    private final ServerClock clock;
    private final LinkListener listener;
    private final ReconnectPolicy reconnect;
    private final OpenRequests requests = new OpenRequests();
    private final Lease lease;
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    private State state = State.NEW;
    private Optional<Socket> socket = Optional.empty();
    private Timer reconnectTimer = NO_TIMER;
    private int nextAddress;
    private boolean everUp;

    private record Waiting(IntFunction<? extends RequestFrame> frame, ReplyHandler handler) {}

    /** Everything that a link is made of. */
    public record Parts(
            Loop loop,
            Connector connector,
            Executor background,
            LinkSettings settings,
            RandomGenerator random,
            ServerClock clock) {}

    /**
     * Creates a link that is not connected.
     *
     * @param parts what it works with; the background executor computes answers to login challenges
     * @param listener hears of it
     */
    public BrokerLink(Parts parts, LinkListener listener) {
        this.loop = parts.loop();
        this.connector = parts.connector();
        this.background = parts.background();
        this.settings = parts.settings();
        this.random = parts.random();
        this.clock = parts.clock();
        this.listener = listener;
        this.reconnect = new ReconnectPolicy(settings, random);
        this.lease = new Lease(loop::nanoTime);
    }

    /** Tries each address once. {@link LinkListener#onUp} or {@link LinkListener#onClosed} follows. */
    public void open() {
        if (state == State.NEW) {
            connect();
        }
    }

    /** Returns the broker's clock; may be called from any thread. */
    public ServerClock clock() {
        return clock;
    }

    /**
     * Returns whether the server certainly still keeps what it lent to this client; may be called from any thread. Not so while the link is not
     * ready, nor when the server has not been heard for as long as it keeps a session, as after this process was stopped.
     */
    public boolean holdsLent() {
        return lease.held();
    }

    /** Returns whether frames can be sent now. */
    public boolean up() {
        return state == State.UP || state == State.READY;
    }

    /**
     * Asks the server over the socket that is there. If it is lost before the answer, the handler hears of that: the request is not repeated.
     *
     * @param frame makes the frame for a correlation id
     * @param handler takes the outcome
     */
    public void ask(IntFunction<? extends RequestFrame> frame, ReplyHandler handler) {
        ask(frame, BrokerLink::nothing, handler);
    }

    /** As {@link #ask(IntFunction, ReplyHandler)}; {@code sent} runs when the last byte was handed to the socket. */
    public void ask(IntFunction<? extends RequestFrame> frame, Runnable sent, ReplyHandler handler) {
        if (!up() || socket.isEmpty()) {
            handler.onFailure(
                    state == State.CLOSED
                            ? closedFailure()
                            : new LinkLostException("There is no connection to the server"));
            return;
        }
        socket.get().send(frame.apply(requests.add(handler)), sent);
    }

    /**
     * Asks the server as soon as the link is ready, and again if the answer was lost with the socket: for requests that may be done twice.
     *
     * @param frame makes the frame for a correlation id, each time
     * @param handler takes the outcome; a {@link LinkClosedException} if the link ends first
     */
    public void askWhenReady(IntFunction<? extends RequestFrame> frame, ReplyHandler handler) {
        if (state == State.CLOSED) {
            handler.onFailure(closedFailure());
        } else if (state != State.READY) {
            waiting.add(new Waiting(frame, handler));
        } else {
            ask(frame, new ReplyHandler() {
                @Override
                public void onAnswer(AnswerFrame answer) {
                    handler.onAnswer(answer);
                }

                @Override
                public void onFailure(LinkException failure) {
                    if (failure instanceof LinkLostException) {
                        askWhenReady(frame, handler);
                    } else {
                        handler.onFailure(failure);
                    }
                }
            });
        }
    }

    /** Sends a frame that is not answered; without a socket it is forgotten. */
    public void tell(Frame frame) {
        if (up()) {
            socket.ifPresent(open -> open.send(frame, BrokerLink::nothing));
        }
    }

    /** What was kept at the server has been taken up again: requests that waited may go. */
    public void resumed() {
        if (state != State.UP) {
            return;
        }
        state = State.READY;
        socket.ifPresent(Socket::renewLease);
        Deque<Waiting> now = new ArrayDeque<>(waiting);
        waiting.clear();
        now.forEach(one -> askWhenReady(one.frame, one.handler));
    }

    /** Drops the socket and connects again: the server does something that makes it useless. */
    public void restart(String why) {
        socket.ifPresent(open -> open.drop(new LinkLostException(why)));
    }

    /** Gives the link up: what was kept at the server cannot be taken up again. {@link LinkListener#onClosed} follows. */
    public void fail(LinkException why) {
        if (state == State.CLOSED) {
            return;
        }
        Optional<Socket> last = socket;
        socket = Optional.empty();
        last.ifPresent(open -> {
            CompletableFuture<Void> unused = open.end(true, why.getMessage());
        });
        end(new LinkClosedException("The connection cannot go on: " + why.getMessage(), why));
    }

    /**
     * Ends the link in order. Open requests fail.
     *
     * @param reason for the server's log
     * @return completed when the server has let go of everything that it held for this link, or does not say so in time
     */
    public CompletableFuture<Void> close(String reason) {
        if (state == State.CLOSED) {
            return CompletableFuture.completedFuture(null);
        }
        boolean sayGoodbye = up();
        Optional<Socket> last = socket;
        socket = Optional.empty();
        CompletableFuture<Void> gone =
                last.map(open -> open.end(sayGoodbye, reason)).orElse(CompletableFuture.completedFuture(null));
        end(new LinkClosedException("The connection is closed: " + reason));
        return gone;
    }

    private void connect() {
        state = State.CONNECTING;
        ServerAddress address = settings.addresses().get(nextAddress);
        nextAddress = (nextAddress + 1) % settings.addresses().size();
        Socket next = new Socket(address);
        socket = Optional.of(next);
        next.start();
    }

    private void onEstablished(HelloOk server) {
        state = State.UP;
        everUp = true;
        listener.onUp(server);
    }

    private void onSocketGone(LinkException why) {
        boolean wasUp = up();
        socket = Optional.empty();
        lease.end();
        if (wasUp) {
            reconnect.onLost(loop.nanoTime());
            state = State.WAITING;
            requests.failAll(new LinkLostException("The connection to the server was lost: " + why.getMessage(), why));
            if (state == State.WAITING) {
                listener.onDown(why);
            }
        }
        if (state == State.CLOSED) {
            return;
        }
        if (!everUp) {
            onFirstAttemptFailed(why);
        } else if (why instanceof ConnectException refused && isFinal(refused)) {
            end(new LinkClosedException("The connection to the server cannot be made again: " + why.getMessage(), why));
        } else {
            waitForNextAttempt(why);
        }
    }

    /** The application waits for its connection: each address gets one chance, then it is told. */
    private void onFirstAttemptFailed(LinkException why) {
        if (nextAddress == 0 || (why instanceof ConnectException refused && isFinal(refused))) {
            end(why);
        } else {
            connect();
        }
    }

    private void waitForNextAttempt(LinkException why) {
        OptionalLong delayNs = reconnect.nextDelayNs(loop.nanoTime());
        if (delayNs.isEmpty()) {
            end(new LinkClosedException(
                    "The connection to the server is lost, and could not be made again within "
                            + settings.reconnectTimeoutMs() + " ms: " + why.getMessage(),
                    why));
            return;
        }
        state = State.WAITING;
        reconnectTimer = loop.schedule(delayNs.getAsLong(), () -> {
            if (state == State.WAITING) {
                connect();
            }
        });
    }

    /** Trying again would be refused again, and fill the log of the server. */
    private static boolean isFinal(ConnectException refused) {
        return refused.code()
                .filter(code -> code == ErrorCode.AUTHENTICATION_FAILED
                        || code == ErrorCode.NOT_AUTHORIZED
                        || code == ErrorCode.UNSUPPORTED_VERSION)
                .isPresent();
    }

    private void end(LinkException why) {
        state = State.CLOSED;
        lease.end();
        reconnectTimer.cancel();
        requests.failAll(why);
        while (!waiting.isEmpty()) {
            waiting.remove().handler.onFailure(why);
        }
        listener.onClosed(why);
    }

    private static void nothing() {}

    private static LinkClosedException closedFailure() {
        return new LinkClosedException("The connection is closed");
    }

    /** One socket's life: handshake, heartbeats, frames. Whatever comes from it after it was replaced is passed over. */
    private final class Socket implements FrameChannel.Listener, Handshake.Outcome {

        private final ServerAddress address;
        private final Handshake handshake;
        private Optional<Attempt> attempt = Optional.empty();
        private Optional<FrameChannel> channel = Optional.empty();
        private Optional<LinkException> dropped = Optional.empty();
        private Timer timer = NO_TIMER;
        private long heartbeatIntervalNs;
        private long silenceLimitNs;
        private long helloSentNs;
        /** When we sent the last frame of which we know that the server had it. */
        private long answeredNs;

        private long leaseNs;
        private long lastHeardNs;
        private boolean established;
        /** Whether nothing that comes from it concerns the link any more. */
        private boolean gone;

        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        Socket(ServerAddress address) {
            this.address = address;
            this.handshake = new Handshake(
                    settings, address, random, loop, background, frame -> send(frame, BrokerLink::nothing), this);
        }

        void start() {
            timer = loop.schedule(
                    settings.connectTimeoutMs() * NANOS_PER_MS,
                    () -> drop(new ConnectException("The server at " + address
                            + " did not accept the connection within " + settings.connectTimeoutMs() + " ms")));
            attempt = Optional.of(connector.connect(address, this));
        }

        void send(Frame frame, Runnable sent) {
            channel.ifPresent(open -> open.send(frame, sent));
        }

        private void renewLease() {
            if (lease.renew(answeredNs, leaseNs)) {
                listener.onLent();
            }
        }

        /** Gives the socket up for a reason of our own. */
        void drop(LinkException why) {
            if (dropped.isEmpty()) {
                dropped = Optional.of(why);
                attempt.ifPresent(Attempt::abandon);
                onClosed(why);
            }
        }

        /** The server answers a goodbye when it has let go of our claims, and closes the socket. */
        CompletableFuture<Void> end(boolean sayGoodbye, String reason) {
            timer.cancel();
            if (gone) {
                ended.complete(null);
            } else if (sayGoodbye) {
                send(new Goodbye(ErrorCode.NONE, reason), BrokerLink::nothing);
                timer = loop.schedule(GOODBYE_TIMEOUT_NS, this::abandon);
            } else {
                abandon();
            }
            gone = true;
            return ended;
        }

        private void abandon() {
            attempt.ifPresent(Attempt::abandon);
            ended.complete(null);
        }

        @Override
        public void onOpen(FrameChannel opened) {
            if (gone) {
                return;
            }
            channel = Optional.of(opened);
            helloSentNs = loop.nanoTime();
            handshake.begin();
        }

        @Override
        public void onEstablished(HelloOk server) {
            if (gone) {
                return;
            }
            timer.cancel();
            established = true;
            long graceNs = server.sessionGraceMs() * NANOS_PER_MS;
            // Often enough that one that is late does not end the lease.
            heartbeatIntervalNs =
                    Math.min(server.heartbeatIntervalMs() * NANOS_PER_MS, Math.max(graceNs / 3, MIN_HEARTBEAT_NS));
            leaseNs = Math.max(graceNs, 2 * heartbeatIntervalNs);
            answeredNs = helloSentNs;
            // Earlier than the server gives up on us, so that there is time left to take our sessions up again.
            silenceLimitNs = Math.max(2 * heartbeatIntervalNs, graceNs * 2 / 3);
            timer = loop.schedule(heartbeatIntervalNs, this::onHeartbeatDue);
            BrokerLink.this.onEstablished(server);
        }

        @Override
        public void onRefused(ConnectException why) {
            drop(why);
        }

        @Override
        public void onFrame(Frame frame) {
            if (gone) {
                return;
            }
            lastHeardNs = loop.nanoTime();
            if (!established) {
                if (frame instanceof HelloOk hello) {
                    clock.onNewServer();
                    clock.onAnswer(hello.serverTimeMs(), helloSentNs);
                }
                handshake.onFrame(frame);
            } else if (frame instanceof AnswerFrame answer) {
                requests.onAnswer(answer);
            } else if (frame instanceof HeartbeatOk beat) {
                clock.onAnswer(beat.serverTimeMs(), beat.clientNanos());
                answeredNs = beat.clientNanos();
                if (state == State.READY) {
                    renewLease();
                }
            } else if (frame instanceof Goodbye goodbye) {
                drop(new LinkLostException("The server ended the connection: " + goodbye.code()
                        + (goodbye.reason().isEmpty() ? "" : ", " + goodbye.reason())));
            } else {
                listener.onFrame(frame);
            }
        }

        @Override
        public void onClosed(LinkException why) {
            timer.cancel();
            ended.complete(null);
            if (gone) {
                return;
            }
            gone = true;
            onSocketGone(dropped.orElse(why));
        }

        private void onHeartbeatDue() {
            long nowNs = loop.nanoTime();
            if (nowNs - lastHeardNs > silenceLimitNs) {
                drop(new LinkLostException(
                        "The server has been silent for " + (nowNs - lastHeardNs) / NANOS_PER_MS + " ms"));
                return;
            }
            send(new Heartbeat(nowNs), BrokerLink::nothing);
            timer = loop.schedule(heartbeatIntervalNs, this::onHeartbeatDue);
        }
    }
}
