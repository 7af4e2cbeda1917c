package io.millrace.broker.internal.network;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.LoginOk;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The frames before a connection is open: hello, then login. Runs on the connection's loop.
 *
 * <p>Without users to check against, whoever comes from this machine may log in with mechanism NONE, and nobody else.
 */
final class Handshake {

    static final String MECHANISM_NONE = "NONE";
    static final String ANONYMOUS = "anonymous";

    private final Supplier<HelloOk> welcome;
    private final boolean loopback;
    private @Nullable Hello hello;

    /**
     * Starts a handshake.
     *
     * @param welcome makes the answer to hello; its mechanisms are replaced by those for this peer
     * @param peer where the client is
     */
    Handshake(Supplier<HelloOk> welcome, InetAddress peer) {
        this.welcome = welcome;
        this.loopback = peer.isLoopbackAddress();
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
        if (frame instanceof Login login && hello != null) {
            String principal = authenticate(login);
            answers.accept(new LoginOk(principal, ByteBuffer.allocate(0)));
            return Optional.of(new LoggedIn(hello, principal));
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
        return loopback ? List.of(MECHANISM_NONE) : List.of();
    }

    private String authenticate(Login login) {
        if (!mechanisms().contains(login.mechanism())) {
            throw new LoginFailedException(
                    "no users are configured, so that only clients on the broker's own machine may log in, with"
                            + " mechanism NONE");
        }
        return ANONYMOUS;
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
