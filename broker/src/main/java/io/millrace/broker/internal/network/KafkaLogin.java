package io.millrace.broker.internal.network;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.security.Logins;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.login.LoginStep;
import io.millrace.wire.login.ServerLogin;
import io.millrace.wire.time.TimeSource;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.SaslAuthenticateRequest;
import org.apache.kafka.common.requests.SaslAuthenticateResponse;
import org.apache.kafka.common.requests.SaslHandshakeRequest;
import org.apache.kafka.common.requests.SaslHandshakeResponse;
import org.jspecify.annotations.Nullable;

/**
 * Who a Kafka client is. Where the listener wants a login, nothing but that is let in before (KIP-43, KIP-152), and where it wants one again
 * after a while, nothing else after that (KIP-368). A wrong login is answered after a fixed time, and the connection ends; neither the answer
 * nor the time tells whether there is such a user. On the connection's loop, except where it says otherwise.
 */
final class KafkaLogin {

    private enum State {
        /** The client has to name a mechanism. */
        CLOSED,
        /** The client proves who it is, in SaslAuthenticate requests. */
        PROVING,
        /** The client proves who it is, in frames without a header, as clients before version 1.0 do. */
        PROVING_RAW,
        /** The client may do what it wants. */
        OPEN,
        /** The login was wrong, and its answer waits. */
        FAILED
    }

    /** What a login needs of its connection. */
    interface Host {
        /** The client is in, for the first time or again. */
        void onLoggedIn();

        /** Requests are not to be read, or again, since one step of the login takes a while. */
        void holdRequests(boolean hold);

        /** A frame that came while requests were held. */
        void onFrame(ByteBuffer frame);

        /** Sends a frame without a header. */
        void sendRaw(ByteBuffer content);

        /** Runs a task on the loop, after a while. */
        Runnable schedule(long delayMs, Runnable task);

        /** Runs a task on the loop. From any thread. */
        void execute(Runnable task);

        /** Ends the connection when the answers have left. */
        void closeAfterAnswers(String why);
    }

    /** The client's message, and where the answer goes: an exchange, or a bare frame. */
    private record Message(ByteBuffer token, Optional<KafkaExchange> exchange) {}

    private final Optional<Logins> logins;
    private final Optional<String> refusal;
    private final Host host;
    private final NetworkSettings settings;
    private final Executor slow;
    private final TimeSource time;
    private final ArrayDeque<ByteBuffer> held = new ArrayDeque<>();
    private State state;
    private String mechanism = "";
    private @Nullable ServerLogin proof;
    private boolean busy;
    private boolean again;
    private long validUntilNs;
    private boolean expires;
    private volatile String principal;

    /**
     * Creates the login of a new connection.
     *
     * @param logins how clients log in, if they must
     * @param refusal why the client may not send anything, if it may not
     * @param principal who the client is without one
     * @param slow runs steps that take long
     */
    KafkaLogin(
            Optional<Logins> logins,
            Optional<String> refusal,
            String principal,
            Host host,
            NetworkSettings settings,
            Executor slow,
            TimeSource time) {
        this.logins = logins;
        this.refusal = refusal;
        this.principal = principal;
        this.host = host;
        this.settings = settings;
        this.slow = slow;
        this.time = time;
        this.state = logins.isPresent() ? State.CLOSED : State.OPEN;
    }

    /** Returns who the client is, as {@code User:name}. From any thread. */
    String principal() {
        return principal;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** Returns whether the client may send what it wants, or has been let in once and proves again that it may. */
    boolean wasOpen() {
        return state == State.OPEN || again;
    }

    /** Takes a frame that is not a request like others; returns whether it did. */
    boolean takes(ByteBuffer frame) {
        if (state == State.FAILED) {
            return true;
        }
        if (busy) {
            held.add(frame);
            return true;
        }
        if (state == State.PROVING_RAW) {
            prove(new Message(frame, Optional.empty()));
            return true;
        }
        return false;
    }

    /**
     * Checks whether a request may come now.
     *
     * @return whether it belongs to the login, and is to be given to {@link #handle}
     * @throws ProtocolViolationException if it may not
     */
    boolean check(ApiKeys key) {
        if (refusal.isPresent()) {
            throw new ProtocolViolationException(ErrorCode.AUTHENTICATION_FAILED, refusal.get());
        }
        if (state == State.OPEN) {
            boolean begins = key == ApiKeys.SASL_HANDSHAKE
                    && logins.isPresent()
                    && logins.get().maxReauthMs() > 0;
            if (expires && !begins && time.nanoTime() - validUntilNs > 0) {
                throw new ProtocolViolationException(
                        ErrorCode.AUTHENTICATION_FAILED,
                        "its login is older than connections.max.reauth.ms, and it did not log in again");
            }
            return begins;
        }
        if (key == ApiKeys.API_VERSIONS && !again) {
            return false;
        }
        if ((key == ApiKeys.SASL_HANDSHAKE && state == State.CLOSED)
                || (key == ApiKeys.SASL_AUTHENTICATE && state == State.PROVING)) {
            return true;
        }
        throw new ProtocolViolationException(ErrorCode.AUTHENTICATION_FAILED, key + " came where a login was expected");
    }

    /** Takes a request of the login. */
    void handle(KafkaExchange exchange) {
        if (exchange.request() instanceof SaslHandshakeRequest handshake) {
            begin(handshake.data().mechanism(), exchange);
        } else {
            SaslAuthenticateRequest request = (SaslAuthenticateRequest) exchange.request();
            prove(new Message(ByteBuffer.wrap(request.data().authBytes()), Optional.of(exchange)));
        }
    }

    private void begin(String wanted, KafkaExchange exchange) {
        again = state == State.OPEN;
        Logins offered = logins.orElseThrow();
        SaslHandshakeResponseData data = new SaslHandshakeResponseData().setMechanisms(offered.mechanisms());
        Optional<ServerLogin> login = offered.begin(wanted);
        if (login.isEmpty()) {
            fail(
                    time.nanoTime(),
                    Optional.of(exchange),
                    new SaslHandshakeResponse(data.setErrorCode(Errors.UNSUPPORTED_SASL_MECHANISM.code())),
                    "it wants to log in by a mechanism that is not offered");
            return;
        }
        if (again && !wanted.equals(mechanism)) {
            fail(
                    time.nanoTime(),
                    Optional.of(exchange),
                    new SaslHandshakeResponse(data.setErrorCode(Errors.ILLEGAL_SASL_STATE.code())),
                    "it logs in again by " + wanted + ", and did so first by " + mechanism);
            return;
        }
        mechanism = wanted;
        proof = login.get();
        state = exchange.version() == 0 ? State.PROVING_RAW : State.PROVING;
        exchange.answer(new SaslHandshakeResponse(data));
    }

    private void prove(Message message) {
        ServerLogin login = proof;
        if (login == null) {
            throw new IllegalStateException("a proof without a handshake");
        }
        long beganNs = time.nanoTime();
        if (!Logins.isSlow(login)) {
            onStep(message, login.onData(message.token), beganNs);
            return;
        }
        busy = true;
        host.holdRequests(true);
        try {
            slow.execute(() -> {
                LoginStep step = login.onData(message.token);
                host.execute(() -> afterSlowStep(message, step, beganNs));
            });
        } catch (RejectedExecutionException shuttingDown) {
            host.closeAfterAnswers("the broker is shutting down");
        }
    }

    private void afterSlowStep(Message message, LoginStep step, long beganNs) {
        busy = false;
        host.holdRequests(false);
        onStep(message, step, beganNs);
        while (!busy && !held.isEmpty()) {
            host.onFrame(held.poll());
        }
    }

    private void onStep(Message message, LoginStep step, long beganNs) {
        if (step instanceof LoginStep.Challenge challenge) {
            answer(message, challenge.data(), 0);
        } else if (step instanceof LoginStep.Accepted accepted) {
            accept(message, accepted, beganNs);
        } else if (step instanceof LoginStep.Refused refused) {
            refuse(message, beganNs, wrongLogin(), refused.reason());
        }
    }

    private void accept(Message message, LoginStep.Accepted accepted, long beganNs) {
        String user = "User:" + accepted.principal();
        if (again && !user.equals(principal)) {
            refuse(
                    message,
                    beganNs,
                    "Cannot change principals during re-authentication from " + principal + " to " + user + ".",
                    "it logs in again as somebody else");
            return;
        }
        long lifetimeMs = logins.orElseThrow().maxReauthMs();
        principal = user;
        proof = null;
        state = State.OPEN;
        again = false;
        expires = lifetimeMs > 0;
        validUntilNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lifetimeMs);
        answer(message, accepted.data(), lifetimeMs);
        host.onLoggedIn();
    }

    private void answer(Message message, ByteBuffer data, long lifetimeMs) {
        if (message.exchange.isEmpty()) {
            host.sendRaw(data);
            return;
        }
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        message.exchange
                .get()
                .answer(new SaslAuthenticateResponse(
                        new SaslAuthenticateResponseData().setAuthBytes(bytes).setSessionLifetimeMs(lifetimeMs)));
    }

    /** What a client is told, in Kafka's words; the same whatever was wrong. */
    private String wrongLogin() {
        return mechanism.equals("PLAIN")
                ? "Authentication failed: Invalid username or password"
                : "Authentication failed during authentication due to invalid credentials with SASL mechanism "
                        + mechanism;
    }

    private void refuse(Message message, long beganNs, String told, String why) {
        fail(
                beganNs,
                message.exchange,
                new SaslAuthenticateResponse(new SaslAuthenticateResponseData()
                        .setErrorCode(Errors.SASL_AUTHENTICATION_FAILED.code())
                        .setErrorMessage(told)),
                why);
    }

    /** Answers a wrong login so long after it came, however long the check took, and ends the connection. */
    private void fail(long beganNs, Optional<KafkaExchange> exchange, AbstractResponse answer, String why) {
        state = State.FAILED;
        long spentMs = TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - beganNs);
        host.schedule(Math.max(0, settings.failedLoginDelayMs() - spentMs), () -> {
            exchange.ifPresent(open -> open.answer(answer));
            host.closeAfterAnswers(why);
        });
    }
}
