package io.millrace.broker.internal.network;

import io.millrace.broker.internal.security.ListenerAccess;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.LoginChallenge;
import io.millrace.wire.frame.LoginOk;
import io.millrace.wire.login.LoginStep;
import io.millrace.wire.login.ServerLogin;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The frames before a connection is open: hello, then login. Runs on the connection's loop.
 *
 * <p>On a listener with logins, clients log in as it says. On another one, whoever comes from this machine or shows a certificate may log in
 * with mechanism NONE, and nobody else.
 */
final class Handshake {

    static final String MECHANISM_NONE = "NONE";
    static final String ANONYMOUS = "anonymous";

    private final Supplier<HelloOk> welcome;
    private final ListenerAccess access;
    private final boolean loopback;
    private final Optional<String> certified;
    private final Predicate<String> mayEnter;
    private @Nullable Hello hello;
    private @Nullable ServerLogin login;

    /**
     * Starts a handshake.
     *
     * @param welcome makes the answer to hello; its mechanisms are replaced by those for this peer
     * @param access how the listener lets clients in
     * @param peer where the client is
     * @param certified who the client's certificate says that it is, if it showed one
     * @param mayEnter says whether somebody may use this protocol, by his principal
     */
    Handshake(
            Supplier<HelloOk> welcome,
            ListenerAccess access,
            InetAddress peer,
            Optional<String> certified,
            Predicate<String> mayEnter) {
        this.welcome = welcome;
        this.access = access;
        this.loopback = peer.isLoopbackAddress();
        this.certified = certified;
        this.mayEnter = mayEnter;
    }

    /** A client that is logged in. */
    record LoggedIn(Hello hello, String principal) {}

    /**
     * Takes a frame of the client.
     *
     * @param answers takes the frames that go back
     * @return the client, once it is logged in
     * @throws LoginFailedException if the login is wrong
     * @throws ProtocolViolationException if the connection has to end for another reason
     */
    Optional<LoggedIn> onFrame(Frame frame, Consumer<Frame> answers) {
        if (frame instanceof Hello first && hello == null) {
            hello = first;
            answers.accept(withMechanisms(welcome.get(), mechanisms()));
            return Optional.empty();
        }
        if (frame instanceof Login next && hello != null) {
            return authenticate(hello, next, answers);
        }
        throw new ProtocolViolationException(
                ErrorCode.INVALID_REQUEST,
                frame.type() + " came where " + (hello == null ? "a hello" : "a login") + " was expected");
    }

    /** Returns whether the client has said hello, so that it may ask for the time. */
    boolean hasGreeted() {
        return hello != null;
    }

    private List<String> mechanisms() {
        if (access.logins().isPresent()) {
            return access.logins().get().mechanisms();
        }
        return loopback || certified.isPresent() ? List.of(MECHANISM_NONE) : List.of();
    }

    private Optional<LoggedIn> authenticate(Hello client, Login next, Consumer<Frame> answers) {
        LoginStep step = exchange(next).onData(next.data());
        if (step instanceof LoginStep.Challenge challenge) {
            answers.accept(new LoginChallenge(challenge.data()));
            return Optional.empty();
        }
        if (!(step instanceof LoginStep.Accepted accepted)) {
            throw new LoginFailedException("wrong user or password");
        }
        String user = access.logins().isPresent() ? accepted.principal() : certified.orElse(ANONYMOUS);
        if (!mayEnter.test(user.equals(ANONYMOUS) ? "User:ANONYMOUS" : "User:" + user)) {
            throw new LoginFailedException(user + " may not use this protocol: access control lists are on"
                    + " (authorizer.enabled), and they speak of Kafka clients only; super.users may use both");
        }
        answers.accept(new LoginOk(user, accepted.data()));
        return Optional.of(new LoggedIn(client, user));
    }

    private ServerLogin exchange(Login next) {
        ServerLogin present = login;
        if (present != null && present.mechanism().wireName().equals(next.mechanism())) {
            return present;
        }
        if (present != null || !mechanisms().contains(next.mechanism())) {
            throw new LoginFailedException(
                    access.logins().isPresent()
                            ? "clients of this listener log in with one of " + mechanisms()
                            : "no users are configured, so that only clients on the broker's own machine may log in,"
                                    + " with mechanism NONE");
        }
        ServerLogin begun = access.logins()
                .flatMap(logins -> logins.begin(next.mechanism()))
                .orElseGet(ServerLogin::none);
        login = begun;
        return begun;
    }

    private static HelloOk withMechanisms(HelloOk ok, List<String> mechanisms) {
        return new HelloOk(
                ok.clusterId(),
                ok.brokerId(),
                ok.incarnation(),
                ok.brokerEpoch(),
                ok.serverTimeMs(),
                ok.heartbeatIntervalMs(),
                ok.sessionGraceMs(),
                ok.maxFrameBytes(),
                ok.maxTransferBytes(),
                ok.maxOpenRequests(),
                mechanisms);
    }
}
