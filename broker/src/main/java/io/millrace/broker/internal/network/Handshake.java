package io.millrace.broker.internal.network;

import io.millrace.broker.internal.security.ListenerAccess;
import io.millrace.broker.internal.security.Rights;
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
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The frames before a connection is open: hello, then login. Runs on the connection's loop.
 *
 * <p>On a listener with logins, clients log in as it says. On another one, whoever shows a certificate, or comes from where {@code
 * anonymous.enabled} allows it, may log in with mechanism NONE, and nobody else.
 */
final class Handshake {

    static final String MECHANISM_NONE = "NONE";
    static final String ANONYMOUS = "anonymous";

    private final Supplier<HelloOk> welcome;
    private final ListenerAccess access;
    private final InetAddress peer;
    private final Optional<String> certified;
    private final BiFunction<String, InetAddress, Rights> rights;
    private @Nullable Hello hello;
    private @Nullable ServerLogin login;

    /**
     * Starts a handshake.
     *
     * @param welcome makes the answer to hello; its mechanisms are replaced by those for this peer
     * @param access how the listener lets clients in
     * @param peer where the client is
     * @param certified who the client's certificate says that it is, if it showed one
     * @param rights says what a client may do, by its principal and its address
     */
    Handshake(
            Supplier<HelloOk> welcome,
            ListenerAccess access,
            InetAddress peer,
            Optional<String> certified,
            BiFunction<String, InetAddress, Rights> rights) {
        this.welcome = welcome;
        this.access = access;
        this.peer = peer;
        this.certified = certified;
        this.rights = rights;
    }

    /** A client that is logged in. */
    record LoggedIn(Hello hello, String principal, Rights rights) {}

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
        return certified.isPresent() || access.anonymous().allows(peer) ? List.of(MECHANISM_NONE) : List.of();
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
        Optional<String> known = access.logins().isPresent() ? Optional.of(accepted.principal()) : certified;
        String user = known.orElse(ANONYMOUS);
        answers.accept(new LoginOk(user, accepted.data()));
        String principal = known.map(name -> "User:" + name).orElse("User:ANONYMOUS");
        return Optional.of(new LoggedIn(client, user, rights.apply(principal, peer)));
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
                            : access.anonymous().refusal());
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
